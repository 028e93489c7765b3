import type { EphemeralEvent } from '@treeline/protocol'

export type TextEvent = Extract<EphemeralEvent, { type: 'node.content.updated' }>

/** Some more text of an answer on its way, put into bytes once for all who follow. */
export class TextUpdate {
  readonly event: TextEvent
  private encoded: Buffer | undefined

  constructor(event: TextEvent) {
    this.event = event
  }

  get nodeId(): string {
    return this.event.patch.id
  }

  /** The frame of the WebSocket. */
  get bytes(): Buffer {
    this.encoded ??= Buffer.from(JSON.stringify({ t: 'events', seq: null, events: [this.event] }))
    return this.encoded
  }
}
