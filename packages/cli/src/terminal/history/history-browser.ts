import type { PastPrompt, PromptHistory } from '@treeline/store'
import { goTo, type ListMove, type ListState, moveList, rowsInSight, START } from '../lists/list-state.ts'

const PAGE = 50

/**
 * Somebody's way through what was said before. Reads a page at a time, however long the history is. Class: keys come faster
 * than frames and answers, and each must find what the one before left.
 */
export class HistoryBrowser {
  scope: 'project' | 'all' = 'project'
  found: readonly PastPrompt[] = []
  list: ListState = START
  /** Whether the first answer is still to come. */
  isLooking = false
  problem: string | undefined
  private text = ''
  private hasMore = false
  private isReadingOn = false
  private looking = new AbortController()
  /** Enter was pressed before the answer came. */
  private onChosen: ((prompt: string) => void) | undefined
  private readonly history: PromptHistory
  private readonly cwd: string
  private readonly onChange: () => void
  private height: number

  constructor(history: PromptHistory, cwd: string, height: number, onChange: () => void) {
    this.history = history
    this.cwd = cwd
    this.height = height
    this.onChange = onChange
    this.look()
  }

  /** Gives what the cursor stands on, as soon as it is known for what was typed; nothing where there is nothing. */
  choose(onChosen: (prompt: string) => void): void {
    this.onChosen = onChosen
    if (!this.isLooking) this.giveChosen()
  }

  get inSight(): readonly number[] {
    return rowsInSight(this.list, this.found.length, this.height)
  }

  resize(height: number): void {
    this.height = height
    this.list = goTo(this.list, this.list.cursor, this.found.length, height)
  }

  search(text: string): void {
    if (text === this.text) return
    this.text = text
    this.look()
  }

  toggleScope(): void {
    this.scope = this.scope === 'project' ? 'all' : 'project'
    this.look()
  }

  move(move: ListMove): void {
    this.list = moveList(this.list, move, this.found.length, this.height)
    if (this.list.cursor + this.height >= this.found.length && this.hasMore && !this.isReadingOn) void this.readOn()
  }

  close(): void {
    this.looking.abort()
  }

  /** What is shown stays until there is an answer; an answer to an earlier question is dropped. */
  private look(): void {
    this.looking.abort()
    this.looking = new AbortController()
    this.isLooking = true
    this.isReadingOn = false
    this.onChosen = undefined
    void this.read(undefined, this.looking.signal)
  }

  private async readOn(): Promise<void> {
    this.isReadingOn = true
    await this.read(this.found.at(-1)?.id, this.looking.signal)
  }

  private async read(before: number | undefined, signal: AbortSignal): Promise<void> {
    const cwd = this.scope === 'project' ? this.cwd : undefined
    try {
      const page = await this.history.search(this.text, { cwd, before, limit: PAGE, distinct: true, signal })
      if (signal.aborted) return
      this.take(page, before !== undefined)
      this.giveChosen()
    } catch (error) {
      if (signal.aborted) return
      this.onChosen = undefined
      this.isReadingOn = false
      this.problem = error instanceof Error ? error.message : String(error)
      this.isLooking = false
    }
    this.onChange()
  }

  private giveChosen(): void {
    const { onChosen } = this
    const prompt = this.found[this.list.cursor]?.prompt
    this.onChosen = undefined
    if (prompt !== undefined) onChosen?.(prompt)
  }

  private take(page: readonly PastPrompt[], isMore: boolean): void {
    this.problem = undefined
    this.isLooking = false
    this.isReadingOn = false
    this.hasMore = page.length === PAGE
    if (!isMore) {
      this.found = page
      this.list = START
      return
    }
    const known = new Set(this.found.map(({ prompt }) => prompt))
    this.found = [...this.found, ...page.filter(({ prompt }) => !known.has(prompt))]
  }
}
