import type { ChatEvent } from '../event.ts'
import { type ClientFrame, type ServerFrame, SUBPROTOCOL } from '../frame.ts'
import { backOffMs } from './back-off.ts'

/** What of a WebSocket is used: the browser's, Node's or another. */
export interface Socket {
  readonly readyState: number
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: never) => void): void
}

export interface StreamOptions {
  /** Opens a connection; a program puts its token into the headers, a browser has its cookie. */
  readonly connect: (subprotocol: string) => Socket
  readonly onState?: (state: 'connecting' | 'open' | 'waiting' | 'closed') => void
}

export interface Subscription {
  readonly sessionId: string
  /** The last event that is known: those after it come. */
  readonly afterSeq?: number
  readonly epoch?: string
  readonly deltas?: boolean
  /** In order, none twice, none left out; events of one line together. */
  readonly onEvents: (events: readonly ChatEvent[]) => void
  /** Too much was missed, or the log is another one: read the tree anew and subscribe from its version. */
  readonly onSnapshotRequired: () => void
  /** Everything up to the present has come. */
  readonly onLive?: () => void
}

interface Followed {
  readonly asked: Subscription
  lastSeq: number | undefined
  epoch: string | undefined
  requestId: number
  sinceAck: number
}

export interface Stream {
  /** Gives a function that ends it. */
  subscribe(subscription: Subscription): () => void
  /** Asks for what a running node says from a place on: it comes as a snapshot. */
  resync(sessionId: string, nodeId: string, from: number): void
  cancel(generationId: string): void
  close(): void
}

const ACK_EVERY = 100
const OPEN = 1

/**
 * One connection for any number of sessions that comes back by itself and goes on where it was (W1–W4).
 *
 * @example
 * const stream = openStream({ connect: (protocol) => new WebSocket(url, protocol) })
 * const stop = stream.subscribe({ sessionId, afterSeq: tree.version, onEvents, onSnapshotRequired })
 */
export function openStream({ connect, onState }: StreamOptions): Stream {
  const followed = new Map<string, Followed>()
  let socket: Socket | undefined
  let isWelcome = false
  let isClosed = false
  let tries = 0
  let nextId = 1
  let timer: ReturnType<typeof setTimeout> | undefined

  function send(frame: ClientFrame): void {
    if (socket?.readyState === OPEN) socket.send(JSON.stringify(frame))
  }

  function ask(session: Followed): void {
    if (!isWelcome) return
    session.requestId = nextId++
    const { asked, lastSeq, epoch } = session
    send({
      t: 'subscribe',
      id: session.requestId,
      sessionId: asked.sessionId,
      ...(lastSeq !== undefined && { afterSeq: lastSeq }),
      ...(epoch !== undefined && { epoch }),
      deltas: asked.deltas ?? true,
    })
  }

  function open(): void {
    onState?.('connecting')
    isWelcome = false
    const made = connect(SUBPROTOCOL)
    socket = made
    made.addEventListener('open', () => made.send(JSON.stringify({ t: 'hello', protocol: 1 } satisfies ClientFrame)))
    made.addEventListener('message', ((event: { readonly data: unknown }) => {
      if (socket === made) take(JSON.parse(String(event.data)) as ServerFrame)
    }) as (event: never) => void)
    // What went wrong is followed by a close.
    made.addEventListener('error', () => {})
    made.addEventListener('close', () => socket === made && wait())
  }

  function wait(): void {
    socket = undefined
    isWelcome = false
    if (isClosed) return
    onState?.('waiting')
    timer = setTimeout(open, backOffMs(tries++))
  }

  function take(frame: ServerFrame): void {
    switch (frame.t) {
      case 'welcome':
        isWelcome = true
        tries = 0
        onState?.('open')
        for (const session of followed.values()) ask(session)
        return
      case 'subscribed': {
        const session = sessionOf(frame)
        if (session === undefined) return
        session.lastSeq ??= frame.headSeq
        session.epoch = frame.epoch
        return
      }
      case 'snapshot_required': {
        const session = sessionOf(frame)
        if (session === undefined) return
        followed.delete(frame.sessionId)
        session.asked.onSnapshotRequired()
        return
      }
      case 'replay_done':
        followed.get(frame.sessionId)?.asked.onLive?.()
        return
      case 'events':
        takeEvents(frame.seq, frame.events)
        return
      default:
        return
    }
  }

  /** Answers to a subscription that was made anew since are not for it. */
  function sessionOf({ sessionId, id }: { readonly sessionId: string; readonly id: number }): Followed | undefined {
    const session = followed.get(sessionId)
    return session?.requestId === id ? session : undefined
  }

  function takeEvents(seq: number | null, events: readonly ChatEvent[]): void {
    const session = followed.get(events[0]?.sessionId ?? '')
    if (session === undefined) return
    if (seq === null) {
      session.asked.onEvents(events)
      return
    }
    const last = session.lastSeq ?? seq - 1
    if (seq <= last) return
    if (seq > last + 1) {
      ask(session)
      return
    }
    session.lastSeq = seq
    session.asked.onEvents(events)
    if (++session.sinceAck < ACK_EVERY) return
    session.sinceAck = 0
    send({ t: 'ack', sessionId: session.asked.sessionId, seq })
  }

  open()
  return {
    subscribe(asked) {
      const session: Followed = { asked, lastSeq: asked.afterSeq, epoch: asked.epoch, requestId: 0, sinceAck: 0 }
      followed.set(asked.sessionId, session)
      ask(session)
      return () => {
        if (followed.get(asked.sessionId) !== session) return
        followed.delete(asked.sessionId)
        send({ t: 'unsubscribe', id: nextId++, sessionId: asked.sessionId })
      }
    },
    resync: (sessionId, nodeId, from) => send({ t: 'resync', id: nextId++, sessionId, nodeId, from }),
    cancel: (generationId) => send({ t: 'cancel', id: nextId++, generationId }),
    close() {
      isClosed = true
      clearTimeout(timer)
      socket?.close(1000)
      onState?.('closed')
    },
  }
}
