import { CLOSE, type ClientFrame, type ServerFrame } from '@treeline/protocol'
import type { Frame } from '../hub/frame.ts'
import type { Lease } from '../hub/hub.ts'
import type { LiveListener, LiveSession } from '../hub/live-session.ts'
import type { TextUpdate } from '../hub/text-update.ts'
import { textWithAlias, withAliases } from './aliases.ts'
import { deletedFrame } from './deleted-frame.ts'
import { findStart } from './find-start.ts'
import type { Outbox } from './outbox.ts'
import { textSoFar } from './text-so-far.ts'

export type Subscribe = Extract<ClientFrame, { t: 'subscribe' }>

export interface SubscriptionOptions {
  readonly asked: Subscribe
  readonly outbox: Outbox
  readonly maxFrameBytes: number
  readonly eventsBehind: number
  readonly send: (frame: ServerFrame) => void
  /** Whether text is wanted now. */
  readonly isPaused: () => boolean
  /** It is over, and why if a connection without any other is over with it. */
  readonly onEnd: (code?: number) => void
}

/** One session as one client follows it: what it missed, then what happens (W1–W4). Sees to it that the session stays open. */
export class Subscription implements LiveListener {
  isEnded = false
  private readonly options: SubscriptionOptions
  private readonly nodeIds: ReadonlySet<string> | undefined
  private readonly lagging = new Set<string>()
  private lease: Lease | undefined
  private stopListening: (() => void) | undefined
  private seq = 0
  private ackedSeq = 0
  private droppedDeltas = 0

  constructor(options: SubscriptionOptions) {
    this.options = options
    const { nodeIds } = options.asked
    this.nodeIds = nodeIds && new Set(nodeIds)
  }

  get sessionId(): string {
    return this.options.asked.sessionId
  }

  /** The request that it answers. */
  get id(): number {
    return this.options.asked.id
  }

  get unackedCount(): number {
    return this.seq - this.ackedSeq
  }

  ack(seq: number): void {
    this.ackedSeq = Math.max(this.ackedSeq, Math.min(seq, this.seq))
  }

  /** Tells what was missed, then begins to listen. The lease is its own from here on. */
  async run(lease: Lease): Promise<void> {
    this.lease = lease
    const { live } = lease
    const { asked, eventsBehind, send } = this.options
    const start = await findStart(live, asked, eventsBehind)
    if (this.isEnded) return
    if (start === undefined) {
      this.requireSnapshot(live)
      return
    }
    const { epoch } = live
    this.seq = start
    this.ackedSeq = start
    const headSeq = Math.max(live.headSeq, start)
    send({ t: 'subscribed', id: asked.id, sessionId: this.sessionId, headSeq, replayFrom: start + 1, epoch })
    // Between the end of a replay and the next line here something may have been told.
    let isWhole = true
    while (isWhole && this.seq < live.headSeq && live.epoch === epoch) {
      isWhole = await this.replay(live)
      if (this.isEnded) return
    }
    if (!isWhole || live.epoch !== epoch) {
      this.requireSnapshot(live)
      return
    }
    this.stopListening = live.listen(this)
    this.sendTexts()
    send({ t: 'replay_done', sessionId: this.sessionId, seq: this.seq })
  }

  onFrame(frame: Frame): void {
    // A client that wrote something can know of it before it is told.
    if (frame.seq > this.seq) this.tell(frame)
  }

  onText(update: TextUpdate): void {
    const { nodeId } = update
    if (!this.wantsText(nodeId)) return
    const isSent = !this.lagging.has(nodeId) && this.options.outbox.sendText(update, this.textBytes)
    if (isSent) return
    this.lagging.add(nodeId)
    this.droppedDeltas++
  }

  onReset(): void {
    this.requireSnapshot(this.lease!.live)
  }

  onGone(isDeleted: boolean): void {
    if (this.isEnded) return
    if (!isDeleted) {
      // Whoever comes back finds it again, or is told why not.
      this.end(UNEXPECTED)
      return
    }
    this.options.outbox.send(deletedFrame(this.sessionId, this.seq + 1).wire)
    this.end(CLOSE.sessionDeleted)
  }

  /** Makes up for text that was left out because the client did not keep up. */
  catchUp(): void {
    if (this.lagging.size === 0) return
    const nodeIds = [...this.lagging]
    this.options.send({ t: 'lag', sessionId: this.sessionId, droppedDeltas: this.droppedDeltas })
    this.lagging.clear()
    this.droppedDeltas = 0
    if (!this.options.isPaused()) for (const nodeId of nodeIds) this.sendText(nodeId)
  }

  /** What all answers on their way say by now, as far as it is wanted. Comes by itself with the end of a replay. */
  sendTexts(): void {
    if (this.stopListening === undefined) return
    const { live } = this.lease!
    for (const nodeId of live.texts.nodeIds) {
      if (this.wantsText(nodeId) && live.isTold(nodeId)) this.sendText(nodeId)
    }
  }

  /** False when it is not on its way. */
  sendText(nodeId: string): boolean {
    if (this.stopListening === undefined) return true
    const frames = textSoFar(this.sessionId, nodeId, this.lease!.live.texts)
    for (const bytes of frames) this.options.outbox.send(bytes)
    return frames.length > 0
  }

  end(code?: number): void {
    if (this.isEnded) return
    this.isEnded = true
    this.stopListening?.()
    this.lease?.[Symbol.dispose]()
    this.options.onEnd(code)
  }

  /** False when some of it could not be read: that is never passed over (W3). */
  private async replay(live: LiveSession): Promise<boolean> {
    const { outbox } = this.options
    try {
      for await (const frame of live.replay(this.seq)) {
        // Of many who wait, the first may have filled it again.
        while (outbox.isFull && !this.isEnded) await outbox.room()
        if (this.isEnded) return true
        this.tell(frame)
      }
      return true
    } catch {
      // The session has told what is wrong with it.
      return false
    }
  }

  private tell(frame: Frame): void {
    const { outbox, asked, maxFrameBytes } = this.options
    this.seq = frame.seq
    outbox.send(asked.aliases ? withAliases(frame, maxFrameBytes).wire : frame.wire)
  }

  private readonly textBytes = (update: TextUpdate): Buffer =>
    (this.options.asked.aliases ? textWithAlias(update) : update).wire

  private wantsText(nodeId: string): boolean {
    const { asked, isPaused } = this.options
    return asked.deltas !== false && !isPaused() && (this.nodeIds?.has(nodeId) ?? true)
  }

  private requireSnapshot({ headSeq, oldestSeq, epoch }: LiveSession): void {
    const { asked, send } = this.options
    send({ t: 'snapshot_required', id: asked.id, sessionId: this.sessionId, headSeq, oldestSeq, epoch })
    this.end()
  }
}

/** RFC 6455: the server met something that it cannot go on from. */
const UNEXPECTED = 1011
