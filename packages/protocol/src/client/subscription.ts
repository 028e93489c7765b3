import type { ChatEvent } from '../event.ts'
import type { ClientFrame } from '../frame.ts'
import type { Problem } from '../problem.ts'
import { TextLengths } from './text-lengths.ts'

export interface Subscription {
  readonly sessionId: string
  /** The last event that is known: those after it come. */
  readonly afterSeq?: number
  readonly epoch?: string
  /** Whether text comes as it is generated; by default it does. */
  readonly deltas?: boolean
  /** Of which nodes it does; of all by default. */
  readonly nodeIds?: readonly string[]
  readonly aliases?: boolean
  /** In order, none twice, none left out; events of one line together. Text goes on where it was, or is a snapshot. */
  readonly onEvents: (events: readonly ChatEvent[]) => void
  /** Too much was missed, or the log is another one: read the tree anew and subscribe from its version. */
  readonly onSnapshotRequired: () => void
  /** Everything up to the present has come. */
  readonly onLive?: () => void
  /** It was deleted, is not there, or may not be followed, which the problem says. Nothing more comes. */
  readonly onGone?: (problem?: Problem) => void
}

/** What became of a frame: told, known already, or with others missing before it. */
type Taken = 'told' | 'known' | 'gap'

/** One session that is followed, across connections. */
export class Followed {
  readonly asked: Subscription
  requestId = -1
  private readonly texts = new TextLengths()
  private epoch: string | undefined
  private lastSeq: number | undefined
  private ackedSeq = 0
  /** What comes before the answer to the latest request belongs to an earlier one. */
  private isAnswered = false

  constructor(asked: Subscription) {
    this.asked = asked
    this.lastSeq = asked.afterSeq
    this.epoch = asked.epoch
  }

  get unackedCount(): number {
    return this.isAnswered ? (this.lastSeq ?? 0) - this.ackedSeq : 0
  }

  /** From what is known on. */
  toFrame(id: number): ClientFrame {
    this.requestId = id
    this.isAnswered = false
    const { sessionId, deltas = true, nodeIds, aliases } = this.asked
    return {
      t: 'subscribe',
      id,
      sessionId,
      ...(this.lastSeq !== undefined && { afterSeq: this.lastSeq }),
      ...(this.epoch !== undefined && { epoch: this.epoch }),
      deltas,
      ...(nodeIds && { nodeIds: [...nodeIds] }),
      ...(aliases !== undefined && { aliases }),
    }
  }

  answer({ replayFrom, epoch }: { readonly replayFrom: number; readonly epoch: string }): void {
    this.isAnswered = true
    this.epoch = epoch
    // Of a log that is read from its beginning the first event has not the number one.
    this.lastSeq = Math.max(this.lastSeq ?? 0, replayFrom - 1)
    this.ackedSeq = this.lastSeq
  }

  /** What was missed has come, unless it is the end of what an earlier request brought. */
  goLive(): void {
    if (this.isAnswered) this.asked.onLive?.()
  }

  take(seq: number, events: readonly ChatEvent[]): Taken {
    const last = this.lastSeq ?? 0
    if (!this.isAnswered || seq <= last) return 'known'
    if (seq > last + 1) return 'gap'
    this.lastSeq = seq
    this.texts.forget(events)
    this.asked.onEvents(events)
    return 'told'
  }

  /** Gives what must be asked for anew, when some of a text is missing. */
  takeText(events: readonly ChatEvent[]): { readonly nodeId: string; readonly from: number } | undefined {
    const [event] = events
    if (!this.isAnswered || event === undefined || event.seq !== null) return undefined
    const taken = this.texts.take(event)
    if (taken === 'fits') this.asked.onEvents(events)
    if (taken !== 'gap') return undefined
    const nodeId = event.type === 'node.content.updated' ? event.patch.id : event.id
    return { nodeId, from: this.texts.lengthOf(nodeId) }
  }

  ack(): ClientFrame {
    this.ackedSeq = this.lastSeq ?? 0
    return { t: 'ack', sessionId: this.asked.sessionId, seq: this.ackedSeq }
  }
}
