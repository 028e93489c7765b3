import { type ChatSnapshot, EMPTY_CHAT } from './chat-snapshot.ts'
import type { Said } from './transcript/transcript.ts'

const FRAME_MS = 60
const OUTPUT_CHARS = 2_000

/** What the screen shows, and who wants to know when it changes. Class: everything that goes on writes to the same one. */
export class ChatScreen {
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
    this.snapshot = { ...this.snapshot, ...change }
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

  warn(text: string): void {
    this.add({ key: this.newKey(), kind: 'warning', text })
  }

  /** Another transcript instead of the one that is shown. */
  replace(said: readonly Said[]): void {
    this.set({ said, epoch: this.snapshot.epoch + 1 })
  }

  setEditor(text: string): void {
    this.set({ draft: { text, version: this.snapshot.draft.version + 1 } })
  }

  /** What a running tool prints: its end is seen. */
  addOutput(text: string): void {
    const { live } = this.snapshot
    if (live !== undefined)
      this.setSoon({ live: { ...live, output: `${live.output ?? ''}${text}`.slice(-OUTPUT_CHARS) } })
  }

  addCost(cost: number): void {
    const { status } = this.snapshot
    if (cost > 0) this.set({ status: { ...status, cost: status.cost + cost } })
  }

  private newKey(): string {
    return `n${this.count++}`
  }
}
