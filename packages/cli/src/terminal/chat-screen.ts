import { t } from '../output/language.ts'
import { type ChatSnapshot, EMPTY_CHAT, type Live } from './chat-snapshot.ts'
import { EARLIER, type Said } from './transcript/transcript.ts'

const FRAME_MS = 60
const OUTPUT_CHARS = 2_000
/** How much of a long transcript is printed anew: all of it is in the scrollback already. */
const REPRINTED = 40

/** What the screen shows, and who wants to know when it changes. Class: everything that goes on writes to the same one. */
export class ChatScreen {
  /** Called before the transcript is printed anew. */
  onReprint: () => void = () => {}
  private readonly listeners = new Set<() => void>()
  private snapshot: ChatSnapshot = EMPTY_CHAT
  private telling: NodeJS.Timeout | undefined
  private count = 0

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly getSnapshot = (): ChatSnapshot => this.snapshot

  set(change: Partial<ChatSnapshot>): void {
    const { isBusy, question } = this.snapshot
    const isBegun = change.isBusy === true && !isBusy
    const isAnswered = question !== undefined && 'question' in change && change.question === undefined
    this.snapshot = { ...this.snapshot, ...change, ...((isBegun || isAnswered) && { busySinceMs: Date.now() }) }
    clearTimeout(this.telling)
    this.telling = undefined
    for (const listener of this.listeners) listener()
  }

  /** For what comes a hundred times a second and takes a while to lay out. */
  setSoon(change: Partial<ChatSnapshot>): void {
    this.snapshot = { ...this.snapshot, ...change }
    this.telling ??= setTimeout(() => this.set({}), FRAME_MS)
  }

  add(...said: readonly Said[]): void {
    if (said.length > 0) this.set({ said: [...this.snapshot.said, ...said] })
  }

  show(text: string): void {
    this.add({ key: this.newKey(), kind: 'note', text })
  }

  /** What was said to the chat itself, above what it answers. */
  echo(text: string): void {
    this.add({ key: this.newKey(), kind: 'command', text })
  }

  warn(text: string): void {
    this.add({ key: this.newKey(), kind: 'warning', text })
  }

  /** Another transcript instead of the one that is shown. What is shown already is not printed again. */
  replace(said: readonly Said[]): void {
    const added = findNew(said, this.snapshot.said)
    if (added === undefined) this.print(said)
    else this.add(...added)
  }

  /** The same on an empty screen, because it looks different now. */
  reprint(change: Partial<ChatSnapshot> = {}): void {
    const { said } = this.snapshot
    const left = said.length - REPRINTED
    const earlier: Said = { key: this.newKey(), kind: 'note', text: t('What was said before stands above.') }
    this.print(left > 0 ? [earlier, ...said.slice(left)] : said, change)
  }

  setEditor(text: string): void {
    this.set({ draft: { text, version: this.snapshot.draft.version + 1, isAdded: false } })
  }

  /** What was sent and not taken comes back; what is being typed stays, below it. */
  giveBack(text: string): void {
    this.set({ draft: { text, version: this.snapshot.draft.version + 1, isAdded: true } })
  }

  /** Changes what goes on, if anything does. */
  setLive(change: (live: Live) => Partial<Live>): void {
    const { live } = this.snapshot
    if (live !== undefined) this.setSoon({ live: { ...live, ...change(live) } })
  }

  /** What a running tool prints: its end is seen. */
  addOutput(text: string): void {
    this.setLive(({ output = '' }) => ({ output: `${output}${text}`.slice(-OUTPUT_CHARS) }))
  }

  addCost(cost: number): void {
    const { status } = this.snapshot
    if (cost > 0) this.set({ status: { ...status, cost: status.cost + cost } })
  }

  private print(said: readonly Said[], change: Partial<ChatSnapshot> = {}): void {
    this.onReprint()
    this.set({ ...change, said, epoch: this.snapshot.epoch + 1 })
  }

  private newKey(): string {
    return `n${this.count++}`
  }
}

/**
 * What follows what is shown already; `undefined` when it is another transcript, or says something else now because its log
 * was rewritten. Notes of ours come and go, so they do not count.
 */
function findNew(said: readonly Said[], shown: readonly Said[]): readonly Said[] | undefined {
  const kept = said.filter(isKept)
  const before = shown.filter(isKept)
  const known = kept.findLastIndex(({ key }) => key === before.at(-1)?.key) + 1
  if (known === 0) return kept.length + before.length === 0 ? [] : undefined
  const isCut = said[0]?.key === EARLIER
  if (!isCut && known !== before.length) return undefined
  const isSame = kept.slice(0, known).every(({ key, text }, index) => {
    const was = before.at(index - known)
    return was?.key === key && was.text === text
  })
  return isSame ? kept.slice(known) : undefined
}

const isKept = ({ key }: Said): boolean => key !== EARLIER && !/^n\d+$/.test(key)
