import type { DurableEvent } from '@treeline/protocol'

/**
 * Everything one line of the log means to clients, told together under its number. Made once for all who follow, and put
 * into bytes once, when the first of them wants it.
 */
export class Frame {
  readonly seq: number
  readonly events: readonly DurableEvent[]
  private encoded: Buffer | undefined

  constructor(seq: number, events: readonly DurableEvent[]) {
    this.seq = seq
    this.events = events
  }

  /** The frame of the WebSocket. */
  get bytes(): Buffer {
    this.encoded ??= Buffer.from(JSON.stringify({ t: 'events', seq: this.seq, events: this.events }))
    return this.encoded
  }
}
