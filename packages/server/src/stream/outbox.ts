import { CHARS_OF_FRAME } from '../hub/text-pieces.ts'
import { TextUpdate } from '../hub/text-update.ts'
import type { StreamLimits } from './stream-limits.ts'

/** Where whole frames are written to: the socket under a WebSocket. */
export interface Sink {
  /** What was written and has not gone out. */
  readonly writableLength: number
  /** `onSent` when all has gone out, which may be never. */
  write(bytes: Buffer, onSent?: () => void): void
}

export interface OutboxOptions {
  readonly sink: Sink
  readonly limits: Pick<StreamLimits, 'queueBytes' | 'dropBytes' | 'closeBytes'>
  /** More waits than a client may leave waiting (W6). */
  readonly onOverflow: () => void
  /** Everything was written. */
  readonly onDrained: () => void
  /** How much more, or less, waits here by now: of all clients together it is bounded too. */
  readonly onQueued?: ((bytes: number) => void) | undefined
}

type ToBytes = (update: TextUpdate) => Buffer

interface Waiting {
  readonly bytes?: Buffer
  /** Text that more may be added to, put into bytes when its turn comes. */
  text?: TextUpdate
  readonly toBytes?: ToBytes
  size: number
  /** The one behind it. */
  after?: Waiting
}

/** What keeping something in the queue takes beside its bytes. */
const ITEM_BYTES = 100

/**
 * What one client is to be sent, in order. As long as its socket takes it, it goes straight there; then it waits here,
 * bounded: nobody else ever waits for a slow client.
 */
export class Outbox {
  /** Whether whoever can wait should: what is sent now is queued. */
  isFull = false
  private readonly options: OutboxOptions
  private first: Waiting | undefined
  private last: Waiting | undefined
  private queuedBytes = 0
  /** The last text of each node, while nothing else was queued behind it. */
  private readonly texts = new Map<string, Waiting>()
  private wakes: (() => void)[] = []
  private isClosed = false

  constructor(options: OutboxOptions) {
    this.options = options
  }

  get backlogBytes(): number {
    return this.queuedBytes + this.options.sink.writableLength
  }

  send(bytes: Buffer): void {
    if (this.isClosed) return
    if (!this.isFull) {
      this.write(bytes)
      return
    }
    this.texts.clear()
    this.push({ bytes, size: bytes.length + ITEM_BYTES })
  }

  /** Gives false when it was left out, because too much waits already. */
  sendText(text: TextUpdate, toBytes: ToBytes): boolean {
    if (this.isClosed) return true
    if (!this.isFull) {
      this.write(toBytes(text))
      return true
    }
    if (this.backlogBytes > this.options.limits.dropBytes) return false
    const key = keyOf(text)
    const last = this.texts.get(key)
    const size = text.wire.length + ITEM_BYTES
    const joined = last?.text && join(last.text, text)
    if (last !== undefined && joined !== undefined) {
      last.text = joined
      last.size += size
      this.count(size)
    } else {
      const waiting = { text, toBytes, size }
      this.texts.set(key, waiting)
      this.push(waiting)
    }
    return true
  }

  /** Resolves when there is room again, or never will be. */
  async room(): Promise<void> {
    while (this.isFull && !this.isClosed) await new Promise<void>((resolve) => this.wakes.push(resolve))
  }

  close(): void {
    this.isClosed = true
    this.first = undefined
    this.last = undefined
    this.count(-this.queuedBytes)
    this.texts.clear()
    this.wake()
  }

  private push(waiting: Waiting): void {
    if (this.last === undefined) this.first = waiting
    else this.last.after = waiting
    this.last = waiting
    this.count(waiting.size)
    if (this.backlogBytes > this.options.limits.closeBytes) this.options.onOverflow()
  }

  private count(bytes: number): void {
    this.queuedBytes += bytes
    this.options.onQueued?.(bytes)
  }

  private write(bytes: Buffer): void {
    const { sink, limits } = this.options
    this.isFull = sink.writableLength + bytes.length > limits.queueBytes
    if (this.isFull) sink.write(bytes, this.onSent)
    else sink.write(bytes)
  }

  /** The socket took all there was. */
  private readonly onSent = (): void => {
    this.isFull = false
    while (!this.isFull && this.first !== undefined) {
      const { bytes, text, toBytes, size, after } = this.first
      this.first = after
      if (after === undefined) this.last = undefined
      this.count(-size)
      if (text !== undefined) this.texts.delete(keyOf(text))
      this.write(bytes ?? toBytes!(text!))
    }
    if (this.isFull || this.isClosed) return
    this.options.onDrained()
    this.wake()
  }

  private wake(): void {
    for (const resolve of this.wakes.splice(0)) resolve()
  }
}

function keyOf({ event: { sessionId, patch } }: TextUpdate): string {
  return `${sessionId} ${patch.id} ${patch.partType ?? ''}`
}

/** One piece instead of two, if the second goes on where the first ends and both fit into a frame. */
function join({ event }: TextUpdate, { event: { patch } }: TextUpdate): TextUpdate | undefined {
  const { contentChunk, offset } = event.patch
  const { length } = contentChunk
  if (patch.offset !== offset + length || length + patch.contentChunk.length > CHARS_OF_FRAME) return undefined
  return new TextUpdate({ ...event, patch: { ...event.patch, contentChunk: contentChunk + patch.contentChunk } })
}
