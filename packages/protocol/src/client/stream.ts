import type { ChatEvent } from '../event.ts'
import { CLOSE, type ClientFrame, type ServerFrame, SUBPROTOCOL } from '../frame.ts'
import type { Problem } from '../problem.ts'
import { backOffMs } from './back-off.ts'
import { Followed, type Subscription } from './subscription.ts'

/** What of a WebSocket is used: the browser's, Node's or another. */
export interface Socket {
  readonly readyState: number
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: { readonly type: string; readonly data?: unknown; readonly code?: unknown }) => void,
  ): void
}

export interface StreamOptions {
  /** Opens a connection; a program puts its token into the headers, a browser has its cookie. */
  readonly connect: (subprotocol: string) => Socket
  /** `closed` also when the server does not want this client any more. */
  readonly onState?: (state: 'connecting' | 'open' | 'waiting' | 'closed') => void
  /** How long to wait before the n-th try to come back, from 0. */
  readonly backOff?: (tries: number) => number
  /** What was refused that nobody waits for, such as a cancel. */
  readonly onProblem?: (problem: Problem) => void
}

/** Told which sessions changed; `undefined` after a break, when any may have. */
export type ListListener = (ids: readonly string[] | undefined) => void

export interface Stream {
  /** Gives a function that ends it. */
  subscribe(subscription: Subscription): () => void
  /** Follows the list of sessions. Gives a function that ends it. */
  followList(listener: ListListener): () => void
  /** Asks for what a running node says from a place on: it comes as a snapshot. Gaps are asked for by themselves. */
  resync(sessionId: string, nodeId: string, from: number): void
  cancel(generationId: string): void
  /** No text for now, as when nobody looks; `resume` brings what was missed. */
  pause(): void
  resume(): void
  close(): void
}

const ACK_EVERY = 100
const ACK_MS = 1_000
/** How long a server may take to say welcome. */
const WELCOME_MS = 30_000
/** A connection that lives so long was worth it: the next wait is short again. */
const CALM_MS = 10_000
const MAX_QUIET = 2
const OPEN = 1
/** Whoever is closed with these would be again. */
const FOR_GOOD: ReadonlySet<unknown> = new Set([CLOSE.unauthorized, CLOSE.forbidden])

/**
 * One connection for any number of sessions that comes back by itself and goes on where it was (W1–W4).
 *
 * @example
 * const stream = openStream({ connect: (protocol) => new WebSocket(url, protocol) })
 * const stop = stream.subscribe({ sessionId, afterSeq: tree.version, onEvents, onSnapshotRequired })
 */
export function openStream({ connect, onState, onProblem, backOff = backOffMs }: StreamOptions): Stream {
  const followed = new Map<string, Followed>()
  const listListeners = new Set<ListListener>()
  let socket: Socket | undefined
  let isWelcome = false
  let isPaused = false
  let isClosed = false
  let tries = 0
  let nextId = 1
  let quiet = 0
  let waiting: Timer
  let acking: Timer
  let calming: Timer
  let beating: ReturnType<typeof setInterval> | undefined

  function send(frame: ClientFrame): void {
    if (isWelcome && socket?.readyState === OPEN) socket.send(JSON.stringify(frame))
  }

  function open(): void {
    onState?.('connecting')
    const made = connect(SUBPROTOCOL)
    socket = made
    waiting = setTimeout(drop, WELCOME_MS)
    made.addEventListener('open', () => made.send(JSON.stringify({ t: 'hello', protocol: 1 } satisfies ClientFrame)))
    made.addEventListener('message', (event) => {
      if (socket !== made) return
      quiet = 0
      take(JSON.parse(String(event.data)) as ServerFrame)
    })
    // What went wrong is followed by a close.
    made.addEventListener('error', () => {})
    made.addEventListener('close', ({ code }) => {
      if (socket !== made) return
      if (FOR_GOOD.has(code)) close()
      else wait()
    })
  }

  function letGo(): void {
    socket = undefined
    isWelcome = false
    for (const timer of [waiting, acking, calming]) clearTimeout(timer)
    acking = undefined
    clearInterval(beating)
  }

  function wait(): void {
    letGo()
    if (isClosed) return
    onState?.('waiting')
    waiting = setTimeout(open, backOff(tries++))
  }

  /** Nobody is there: whether a close ever comes is not waited for. */
  function drop(): void {
    const dead = socket
    wait()
    dead?.close()
  }

  function beat(): void {
    if (++quiet > MAX_QUIET) drop()
    else send({ t: 'ping', n: quiet })
  }

  function close(): void {
    isClosed = true
    socket?.close(1000)
    letGo()
    onState?.('closed')
  }

  function welcome(heartbeatMs: number): void {
    const isBack = tries > 0
    isWelcome = true
    quiet = 0
    clearTimeout(waiting)
    calming = setTimeout(() => {
      tries = 0
    }, CALM_MS)
    beating = setInterval(beat, heartbeatMs)
    onState?.('open')
    if (isPaused) send({ t: 'pause' })
    for (const session of followed.values()) send(session.toFrame(nextId++))
    if (listListeners.size === 0) return
    send({ t: 'subscribe_list', id: nextId++ })
    if (isBack) tellList(undefined)
  }

  function take(frame: ServerFrame): void {
    switch (frame.t) {
      case 'welcome':
        welcome(frame.heartbeatMs)
        return
      case 'subscribed':
        sessionOf(frame)?.answer(frame)
        return
      case 'snapshot_required': {
        const session = sessionOf(frame)
        if (session === undefined) return
        followed.delete(frame.sessionId)
        session.asked.onSnapshotRequired()
        return
      }
      case 'replay_done':
        followed.get(frame.sessionId)?.goLive()
        return
      case 'events':
        takeEvents(frame.seq, frame.events)
        return
      case 'sessions.updated':
        tellList(frame.ids)
        return
      case 'error':
        refused(frame)
        return
      default:
        return
    }
  }

  /** One who fails does not keep the others from hearing; what went wrong is thrown afterwards. */
  function tellList(ids: readonly string[] | undefined): void {
    const failures: unknown[] = []
    for (const tell of [...listListeners]) {
      try {
        tell(ids)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Answers to a subscription that was made anew since are not for it. */
  function sessionOf({ sessionId, id }: { readonly sessionId: string; readonly id: number }): Followed | undefined {
    const session = followed.get(sessionId)
    return session?.requestId === id ? session : undefined
  }

  function refused({ id, problem }: Extract<ServerFrame, { t: 'error' }>): void {
    const session = [...followed.values()].find(({ requestId }) => requestId === id)
    if (session !== undefined) lose(session, problem)
    // Text that is asked for as it ends comes with its end.
    else if (problem.code !== 'generation_finished') onProblem?.(problem)
  }

  function lose(session: Followed, problem?: Problem): void {
    if (followed.get(session.asked.sessionId) === session) followed.delete(session.asked.sessionId)
    session.asked.onGone?.(problem)
  }

  function takeEvents(seq: number | null, events: readonly ChatEvent[]): void {
    const sessionId = events[0]?.sessionId ?? ''
    const session = followed.get(sessionId)
    if (session === undefined) return
    if (seq === null) {
      const missing = session.takeText(events)
      if (missing !== undefined) send({ t: 'resync', id: nextId++, sessionId, ...missing })
      return
    }
    const taken = session.take(seq, events)
    if (taken === 'gap') send(session.toFrame(nextId++))
    if (taken !== 'told') return
    if (events.some(({ type }) => type === 'session.deleted')) lose(session)
    else if (session.unackedCount >= ACK_EVERY) send(session.ack())
    // Not all clients at once, though an event reaches them all at once.
    else acking ??= setTimeout(ackAll, (ACK_MS * (1 + Math.random())) / 2)
  }

  function ackAll(): void {
    acking = undefined
    for (const session of followed.values()) if (session.unackedCount > 0) send(session.ack())
  }

  open()
  return {
    subscribe(asked) {
      const session = new Followed(asked)
      followed.set(asked.sessionId, session)
      if (isWelcome) send(session.toFrame(nextId++))
      return () => {
        if (followed.get(asked.sessionId) !== session) return
        followed.delete(asked.sessionId)
        send({ t: 'unsubscribe', id: nextId++, sessionId: asked.sessionId })
      }
    },
    followList(listener) {
      if (listListeners.size === 0) send({ t: 'subscribe_list', id: nextId++ })
      listListeners.add(listener)
      return () => {
        if (listListeners.delete(listener) && listListeners.size === 0) send({ t: 'unsubscribe_list', id: nextId++ })
      }
    },
    resync: (sessionId, nodeId, from) => send({ t: 'resync', id: nextId++, sessionId, nodeId, from }),
    cancel: (generationId) => send({ t: 'cancel', id: nextId++, generationId }),
    pause() {
      isPaused = true
      send({ t: 'pause' })
    },
    resume() {
      isPaused = false
      send({ t: 'resume' })
    },
    close() {
      if (!isClosed) close()
    },
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined
