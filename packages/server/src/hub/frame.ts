import type { DurableEvent } from '@treeline/protocol'
import { TextFrame } from './text-frame.ts'

/** What a client may be sent at once; `welcome` says it. */
export const MAX_FRAME_BYTES = 1024 * 1024

/**
 * Everything one line of the log means to clients, told together under its number. Made once for all who follow, and put
 * into bytes once, when the first of them wants it.
 */
export class Frame {
  readonly seq: number
  readonly events: readonly DurableEvent[]
  private encoded: TextFrame | undefined

  constructor(seq: number, events: readonly DurableEvent[]) {
    this.seq = seq
    this.events = events
  }

  /** As it goes over a WebSocket. */
  get wire(): Buffer {
    return this.text.wire
  }

  /** The same as text alone. */
  get bytes(): Buffer {
    return this.text.bytes
  }

  private get text(): TextFrame {
    this.encoded ??= new TextFrame(JSON.stringify({ t: 'events', seq: this.seq, events: this.events }))
    return this.encoded
  }
}
