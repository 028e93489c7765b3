import type { Session } from '@treeline/store'
import { goTo, type ListMove, type ListState, moveList, rowsInSight, START } from './list-state.ts'
import { listPrompts, type PromptRow, type PromptScope, readPreviews } from './prompts-to-branch.ts'

/** Somebody's way through what was said. Class: keys come faster than frames, and each must find what the one before left. */
export class PromptBrowser {
  scope: PromptScope = 'trunk'
  prompts: readonly PromptRow[]
  list: ListState = START
  private readonly session: Session
  private height: number
  private readonly texts = new Map<string, string>()
  private version: string

  constructor(session: Session, height: number) {
    this.session = session
    this.height = height
    this.prompts = listPrompts(session, this.scope)
    this.version = versionOf(session)
  }

  get chosen(): string | undefined {
    return this.prompts[this.list.cursor]?.nodeId
  }

  get inSight(): readonly number[] {
    return rowsInSight(this.list, this.prompts.length, this.height)
  }

  /** Empty until it was read. */
  textOf(nodeId: string): string {
    return this.texts.get(nodeId) ?? ''
  }

  resize(height: number): void {
    this.height = height
    this.list = goTo(this.list, this.list.cursor, this.prompts.length, height)
  }

  move(move: ListMove): void {
    this.list = moveList(this.list, move, this.prompts.length, this.height)
  }

  /** The trunk or all branches. */
  toggleScope(): void {
    this.scope = this.scope === 'trunk' ? 'all' : 'trunk'
    this.listAnew()
  }

  /** Takes in what happened to the session since. */
  refresh(): void {
    const version = versionOf(this.session)
    if (version === this.version) return
    this.version = version
    this.listAnew()
  }

  /** The cursor stays with its message where that is still there. */
  private listAnew(): void {
    const { chosen } = this
    this.prompts = listPrompts(this.session, this.scope)
    const row = this.prompts.findIndex(({ nodeId }) => nodeId === chosen)
    this.list = goTo(START, row, this.prompts.length, this.height)
  }

  /** False when all that is in sight was read already. */
  async readInSight(): Promise<boolean> {
    const ids = this.inSight.map((row) => this.prompts[row]!.nodeId).filter((id) => !this.texts.has(id))
    if (ids.length === 0) return false
    const texts = await readPreviews(this.session, ids)
    for (const [i, id] of ids.entries()) this.texts.set(id, texts[i]!)
    return true
  }
}

function versionOf({ epoch, seq, leafId }: Session): string {
  return `${epoch} ${seq} ${leafId}`
}
