import { type ChatEvent, openStream, type Stream } from '@treeline/protocol'
import { WebSocket } from 'ws'
import { socketUrl } from './raw-client.ts'

export interface FollowerOptions {
  readonly url: string
  readonly token: string
  /** With the number from which on each is followed. */
  readonly sessions: Readonly<Record<string, number>>
}

/** What a client is to have heard in the end: for every number what was told, in short. */
export type Heard = ReadonlyMap<number, string>

/**
 * A client as web and cli have it, whose line can be cut. Keeps what it was told in short, and complains of what must not
 * be: a number out of order, or a text that does not go on.
 */
export class Follower {
  readonly complaints: string[] = []
  private readonly heard = new Map<string, Map<number, string>>()
  private readonly last = new Map<string, number>()
  private readonly stream: Stream
  private readonly waiting = new Set<() => void>()
  private socket: WebSocket | undefined

  constructor({ url, token, sessions }: FollowerOptions) {
    const headers = { authorization: `Bearer ${token}` }
    this.stream = openStream({
      connect: (subprotocol) => {
        this.socket = new WebSocket(socketUrl(url), subprotocol, { headers, perMessageDeflate: false })
        return this.socket
      },
      backOff: () => 100 + Math.random() * 300,
      onProblem: ({ code, detail }) => this.complaints.push(`${code}: ${detail}`),
    })
    for (const [sessionId, afterSeq] of Object.entries(sessions)) {
      this.heard.set(sessionId, new Map())
      this.last.set(sessionId, afterSeq)
      this.stream.subscribe({
        sessionId,
        afterSeq,
        onEvents: (events) => this.take(sessionId, events),
        onSnapshotRequired: () => this.complaints.push('snapshot required'),
        onGone: (problem) => this.complaints.push(`gone ${problem?.code}`),
      })
    }
  }

  heardOf(sessionId: string): Heard {
    return this.heard.get(sessionId)!
  }

  /** Resolves when everything up to a number has come. */
  async until(sessionId: string, seq: number): Promise<void> {
    while (this.last.get(sessionId)! < seq) {
      await new Promise<void>((resolve) => {
        this.waiting.add(() => resolve())
      })
    }
  }

  cut(): void {
    this.socket?.terminate()
  }

  close(): void {
    this.stream.close()
    this.socket?.terminate()
  }

  private take(sessionId: string, events: readonly ChatEvent[]): void {
    const [{ seq }] = events as readonly [ChatEvent]
    if (seq === null) return
    const last = this.last.get(sessionId)!
    if (seq !== Math.max(last, 1) + 1) this.complaints.push(`${seq} after ${last}`)
    this.last.set(sessionId, seq)
    this.heard.get(sessionId)!.set(seq, inShort(events))
    for (const wake of this.waiting) wake()
    this.waiting.clear()
  }
}

/** Where the conversation goes on is told with the last of what was missed, so it is no part of what a line means. */
export function inShort(events: readonly ChatEvent[]): string {
  return events
    .filter(({ type }) => type !== 'active_leaf.updated')
    .map((event) => {
      if ('node' in event) return `${event.type} ${event.node.id} ${event.node.content}`
      if ('patches' in event) return `${event.type} ${JSON.stringify(event.patches)}`
      return event.type
    })
    .join(', ')
}
