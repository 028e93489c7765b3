import type { EphemeralEvent } from '@treeline/protocol'
import { TextFrame } from './text-frame.ts'

export type TextEvent = Extract<EphemeralEvent, { type: 'node.content.updated' }>

/** Some more text of an answer on its way, put into bytes once for all who follow. */
export class TextUpdate {
  readonly event: TextEvent
  private encoded: TextFrame | undefined

  constructor(event: TextEvent) {
    this.event = event
  }

  get nodeId(): string {
    return this.event.patch.id
  }

  /** As it goes over a WebSocket. */
  get wire(): Buffer {
    this.encoded ??= new TextFrame(JSON.stringify({ t: 'events', seq: null, events: [this.event] }))
    return this.encoded.wire
  }
}
