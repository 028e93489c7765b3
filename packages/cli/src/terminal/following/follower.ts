import { Flag, Kind, ROOT, type Tree, TreelineError } from '@treeline/core'
import type { Followed, Session } from '@treeline/store'
import { t } from '../../output/language.ts'
import type { ChatScreen } from '../chat-screen.ts'
import { glyphsFor } from '../lists/glyphs.ts'
import { elsewhereText } from './elsewhere-text.ts'

/** The chat that wants to know. */
export interface FollowingChat {
  readonly screen: ChatScreen
  readonly isBusy: boolean
  show(text: string): void
  warn(text: string): void
  reload(): Promise<void>
  refreshStatus(): Promise<void>
}

/** Edits come in bursts; the status line is read once for them. */
const GATHER_MS = 100

/** Lines that change nothing that is shown: what is being generated, and what was paid for it. */
const SILENT: ReadonlySet<number> = new Set([Kind.generation, Kind.treeline, Kind.custom, Kind.usage, Kind.model_usage])

/**
 * Shows what others add to the session that is talked in, as it comes: each terminal keeps its own leaf, so their turns
 * are branches beside ours. Costs a look per line of the log, and nothing per token. Class: it is ended and begun anew.
 */
export class Follower {
  private readonly chat: FollowingChat
  private readonly isUnicode: boolean
  private stop = new AbortController()
  private gathering: NodeJS.Timeout | undefined

  constructor(chat: FollowingChat, isUnicode: boolean) {
    this.chat = chat
    this.isUnicode = isUnicode
  }

  /** From now on this one and no other. */
  follow(session: Session): void {
    this.end()
    this.stop = new AbortController()
    void this.run(session, this.stop.signal)
  }

  end(): void {
    this.stop.abort()
    clearTimeout(this.gathering)
    this.gathering = undefined
  }

  private async run(session: Session, signal: AbortSignal): Promise<void> {
    try {
      await this.tell(session, signal)
    } catch (error) {
      // One that is left may end as it likes.
      if (!signal.aborted) this.chat.warn(whyItEnded(error))
    }
  }

  private async tell(session: Session, signal: AbortSignal): Promise<void> {
    const { chat } = this
    const awaited = findGenerating(session.tree)
    const followed = session.follow({ signal })
    if (awaited.size > 0)
      chat.show(t('Another terminal is at work in this session right now. What it says appears here.'))
    let hasHint = false
    for await (const news of followed) {
      if (news.type === 'reset') {
        await chat.reload()
        chat.show(t('Something else rewrote this session. This is how it is now.'))
        continue
      }
      const { tree } = session
      const ref = tree.refAtRow(news.row)
      if (SILENT.has(tree.columns.kind[ref]!)) continue
      if (!tree.columns.has(ref, Flag.node)) this.refreshSoon(signal)
      else if (awaited.delete(news.id)) await this.showAwaited(session, ref, news)
      else if (!isOurs(session, ref) && !this.isShown(news.id))
        hasHint = (await this.showOther(session, news, hasHint)) || hasHint
    }
  }

  private refreshSoon(signal: AbortSignal): void {
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined
      // A turn reads it at its end. What goes wrong here is told by whoever uses the session next.
      if (!this.chat.isBusy && !signal.aborted) this.chat.refreshStatus().catch(() => {})
    }, GATHER_MS)
  }

  /** It was being generated where this chat began: now it can go on. */
  private async showAwaited(session: Session, ref: number, news: EntryNews): Promise<void> {
    if (isOurs(session, ref)) await this.chat.reload()
    else await this.showOther(session, news, true)
  }

  /** Gives whether the hint was given, which is once. */
  private async showOther(session: Session, { id }: EntryNews, hasHint: boolean): Promise<boolean> {
    const entry = await session.readEntry(id)
    const columns = (process.stdout.columns ?? 80) - 1
    const text = entry === undefined ? '' : elsewhereText(entry, { columns, isUnicode: this.isUnicode })
    if (text === '') return false
    const { through } = glyphsFor(this.isUnicode)
    this.chat.show(hasHint ? text : `${text}\n${through}${t('It is a branch of its own: /tree goes there.')}`)
    return true
  }

  private isShown(id: string): boolean {
    return this.chat.screen.getSnapshot().said.some(({ key }) => key === id)
  }
}

type EntryNews = Extract<Followed, { type: 'entry' }>

/** Whether it is on the way to our leaf: what we write always is. */
function isOurs({ tree, leafId }: Session, ref: number): boolean {
  if (leafId === null) return false
  const { columns } = tree
  return columns.isWithin(columns.seatOf(tree.ids.find(leafId)), ref)
}

/** Who opens a session puts in order what a crash left: what is generated still, somebody generates. */
function findGenerating({ columns, ids }: Tree): Set<string> {
  const found = new Set<string>()
  for (let ref = ROOT + 1; ref < ids.count; ref++) if (columns.has(ref, Flag.generating)) found.add(ids.textOf(ref))
  return found
}

function whyItEnded(error: unknown): string {
  if (error instanceof TreelineError && error.code === 'session_not_found') {
    return t('This session is not there any more: something else deleted or moved it. /new begins another.')
  }
  const message = error instanceof Error ? error.message : String(error)
  return t('What others do in this session is not seen any more: {message}', { message })
}
