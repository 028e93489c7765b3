import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { TreelineError } from '@treeline/core'
import { CLOSE, type ClientFrame, type ServerFrame } from '@treeline/protocol'
import type { WebSocket } from 'ws'
import { type Actor, mayDo } from '../guard/actor.ts'
import { toProblem } from '../http/problem.ts'
import { TextFrame } from '../hub/text-frame.ts'
import type { Services } from '../services.ts'
import { FrameRate } from './frame-rate.ts'
import { FrameSink } from './frame-sink.ts'
import { Outbox } from './outbox.ts'
import { readFrame } from './read-frame.ts'
import type { SharedBacklog, Waiter } from './shared-backlog.ts'
import type { StreamLimits } from './stream-limits.ts'
import { Subscriptions } from './subscriptions.ts'

export interface ConnectionOptions {
  readonly socket: WebSocket
  /** What is under it. */
  readonly stream: Duplex
  readonly actor: Actor
  readonly services: Services
  readonly limits: StreamLimits
  /** What it shares with all others of the server. */
  readonly backlog: SharedBacklog
}

/** Pings without an answer after which nobody is there. */
const MAX_MISSED = 2
/** Windows that may be sent without an ack. */
const MAX_WINDOWS = 4

/** One client on one WebSocket, with any number of sessions. */
export class Connection implements Waiter {
  readonly id = randomUUID()
  readonly actor: Actor
  /** Resolves when it is no more. */
  readonly closed: Promise<void>
  private readonly options: ConnectionOptions
  private readonly outbox: Outbox
  private readonly rate: FrameRate
  private readonly subscriptions: Subscriptions
  private readonly helloTimer: NodeJS.Timeout
  private readonly openedAt = performance.now()
  private stopList: (() => void) | undefined
  private isWelcome = false
  private isEnded = false
  private pingedAt = this.openedAt
  private missed = 0
  private behindSince: number | undefined

  constructor(options: ConnectionOptions) {
    const { socket, stream, actor, limits, services, backlog } = options
    this.options = options
    this.actor = actor
    this.rate = new FrameRate(limits)
    this.outbox = new Outbox({
      sink: new FrameSink(socket, stream),
      limits,
      onOverflow: () => this.endSlow(),
      onDrained: () => this.subscriptions.catchUp(),
      onQueued: (bytes) => backlog.change(bytes),
    })
    backlog.join(this)
    this.subscriptions = new Subscriptions({
      hub: services.hub,
      outbox: this.outbox,
      maxCount: limits.subscriptions,
      maxFrameBytes: limits.maxFrameBytes,
      eventsBehind: services.limits.eventsBehind,
      send: (frame) => this.send(frame),
      refuse: (id, error) => this.refuse(id, error),
      onOver: (code, reason) => this.endAfterAll(code, reason),
    })
    this.helloTimer = setTimeout(() => this.end(CLOSE.helloTimeout, 'no hello'), limits.helloMs)
    socket.on('message', (data, isBinary) => this.take(data, isBinary))
    socket.on('ping', () => this.takePing())
    socket.on('pong', () => this.hear())
    // What went wrong is followed by a close.
    socket.on('error', () => {})
    this.closed = new Promise((resolve) => {
      socket.on('close', (code) => {
        this.letGo()
        this.tellClosed(code)
        resolve()
      })
    })
  }

  get backlogBytes(): number {
    return this.outbox.backlogBytes
  }

  /** Others need the memory. */
  drop(): void {
    this.endSlow()
  }

  get subscriptionCount(): number {
    return this.subscriptions.count
  }

  /** Looks after the time: whether the client is there, and keeps up. */
  tick(nowMs: number): void {
    if (this.isEnded) return
    const { heartbeatMs, ackWindow, unackedMs } = this.options.limits
    if (nowMs - this.pingedAt >= heartbeatMs) this.ping(nowMs)
    if (this.subscriptions.unackedCount <= MAX_WINDOWS * ackWindow) this.behindSince = undefined
    else this.behindSince ??= nowMs
    if (this.behindSince !== undefined && nowMs - this.behindSince >= unackedMs) this.endSlow()
  }

  /** Nothing more is sent but why; what waits is forgotten. */
  end(code: number, reason: string): void {
    if (this.isEnded) return
    this.letGo()
    this.options.socket.close(code, reason)
  }

  /** Lets what is queued go out and says that it is time to come back. Resolves when it is closed. */
  async restart(): Promise<void> {
    const reason = 'the server stops'
    this.subscriptions.end()
    await this.outbox.room()
    this.send({ t: 'bye', code: CLOSE.restart, reason })
    this.end(CLOSE.restart, reason)
    await this.closed
  }

  /** At once, without a word. */
  cut(): void {
    this.options.socket.terminate()
  }

  /** What says why is sent before. */
  private endAfterAll(code: number, reason: string): void {
    if (code === CLOSE.sessionDeleted && this.stopList !== undefined) return
    this.outbox.room().then(() => this.end(code, reason))
  }

  private endSlow(): void {
    if (this.isEnded) return
    this.options.services.metrics.count('treeline_slow_consumers')
    this.end(CLOSE.slowConsumer, 'slow consumer')
  }

  private letGo(): void {
    this.isEnded = true
    clearTimeout(this.helloTimer)
    this.stopList?.()
    this.options.backlog.leave(this)
    this.outbox.close()
    this.subscriptions.end()
  }

  private ping(nowMs: number): void {
    this.pingedAt = nowMs
    if (this.missed >= MAX_MISSED) this.cut()
    else this.options.socket.ping()
    this.missed++
  }

  private hear(): void {
    this.missed = 0
  }

  /** Answered by `ws`, past the outbox: so they count as frames, or the answers to whoever reads none would pile up. */
  private takePing(): void {
    this.hear()
    if (!this.rate.take()) this.end(CLOSE.protocolError, 'too many frames')
  }

  private take(data: unknown, isBinary: boolean): void {
    if (this.isEnded) return
    this.hear()
    const frame = readFrame(data, isBinary)
    if (frame === undefined) this.end(CLOSE.protocolError, 'no frame of chat.v1')
    else if (!this.rate.take()) this.end(CLOSE.protocolError, 'too many frames')
    else if ((frame.t === 'hello') === this.isWelcome) this.end(CLOSE.protocolError, 'hello comes first, and once')
    else this.answer(frame)
  }

  private answer(frame: ClientFrame): void {
    switch (frame.t) {
      case 'hello':
        this.welcome()
        return
      case 'subscribe':
        this.attempt(frame.id, () => this.subscriptions.add(frame))
        return
      case 'unsubscribe':
        this.acknowledge(frame.id, () => this.subscriptions.get(frame.sessionId)?.end())
        return
      case 'ack':
        this.subscriptions.get(frame.sessionId)?.ack(frame.seq)
        return
      case 'resync':
        this.acknowledge(frame.id, () => this.resync(frame.sessionId, frame.nodeId))
        return
      case 'cancel':
        this.acknowledge(frame.id, () => this.cancel(frame.generationId))
        return
      case 'subscribe_list':
        this.acknowledge(frame.id, () => this.followList())
        return
      case 'unsubscribe_list':
        this.acknowledge(frame.id, () => this.leaveList())
        return
      case 'pause':
        this.subscriptions.isPaused = true
        return
      case 'resume':
        this.subscriptions.resume()
        return
      case 'ping':
        this.send({ t: 'pong', n: frame.n })
        return
      default:
        frame satisfies never
    }
  }

  private welcome(): void {
    const { heartbeatMs, maxFrameBytes, ackWindow } = this.options.limits
    this.isWelcome = true
    clearTimeout(this.helloTimer)
    this.send({ t: 'welcome', connectionId: this.id, protocol: 1, heartbeatMs, maxFrameBytes, ackWindow })
  }

  private followList(): void {
    this.stopList ??= this.options.services.list.listen((ids) =>
      this.send({ t: 'sessions.updated', ts: new Date().toISOString(), ids: [...ids] }),
    )
  }

  private leaveList(): void {
    this.stopList?.()
    this.stopList = undefined
  }

  private resync(sessionId: string, nodeId: string): void {
    const subscription = this.subscriptions.get(sessionId)
    if (subscription === undefined) throw new TreelineError('bad_request', `Subscribe to ${sessionId} first.`)
    if (subscription.sendText(nodeId)) return
    const message = `${nodeId} is not on its way here. Read what it says with GET …/node/${nodeId}/content.`
    throw new TreelineError('generation_finished', message)
  }

  private cancel(generationId: string): void {
    const { actor } = this
    if (!mayDo(actor, 'write')) {
      throw new TreelineError('forbidden', `${actor.name} has the scope ${actor.scope}; to cancel needs write.`)
    }
    if (this.options.services.generations.cancel(generationId)) return
    throw new TreelineError('generation_not_found', `There is no generation ${generationId} on its way here.`)
  }

  private acknowledge(id: number, work: () => void): void {
    this.attempt(id, () => {
      work()
      this.send({ t: 'ok', id })
    })
  }

  private attempt(id: number, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.refuse(id, error)
    }
  }

  private refuse(id: number, error: unknown): void {
    const problem = toProblem(error, `${this.id}.${id}`)
    if (problem.status >= 500) {
      const { requestId } = problem
      this.options.services.log({ level: 'error', message: 'frame failed', requestId, error: String(error) })
    }
    this.send({ t: 'error', id, problem })
  }

  private send(frame: ServerFrame): void {
    this.outbox.send(new TextFrame(JSON.stringify(frame)).wire)
  }

  private tellClosed(code: number): void {
    const { services } = this.options
    const seconds = Math.round((performance.now() - this.openedAt) / 100) / 10
    const { id: connectionId, actor } = this
    services.metrics.count('treeline_sockets_closed', { code })
    services.log({ level: 'info', message: 'socket closed', connectionId, actor: actor.name, code, seconds })
  }
}
