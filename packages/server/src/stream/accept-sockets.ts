import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { TreelineError } from '@treeline/core'
import { CLOSE, SUBPROTOCOL } from '@treeline/protocol'
import { type ServerOptions as SocketOptions, type WebSocket, WebSocketServer } from 'ws'
import type { Actor } from '../guard/actor.ts'
import { askedOf } from '../guard/asked.ts'
import { type GuardOptions, guard } from '../guard/guard.ts'
import { newRequestId } from '../http/mount.ts'
import { toProblem } from '../http/problem.ts'
import type { Services } from '../services.ts'
import { Connection } from './connection.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'
import { SharedBacklog } from './shared-backlog.ts'
import { STREAM_LIMITS, type StreamLimits } from './stream-limits.ts'

export interface Sockets {
  /** Says that it is time to come back later, lets what is queued go out for a while, and closes all. */
  close(): Promise<void>
}

const PATH = '/api/chat/ws'
/** How often connections are looked after. */
const TICK_MS = 1_000

/** Lets WebSockets in at `/api/chat/ws`, behind the same guard as everything else (K1–K3). */
export function acceptSockets(
  server: Server,
  services: Services,
  guarding: () => GuardOptions,
  asked: Partial<StreamLimits> = {},
): Sockets {
  const limits = { ...STREAM_LIMITS, ...asked }
  const connections = new Set<Connection>()
  const backlog = new SharedBacklog(limits.sharedBytes)
  const options: SocketOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.maxFrameBytes,
    closeTimeout: limits.closingMs,
    handleProtocols: () => SUBPROTOCOL,
  }
  const upgrader = new WebSocketServer(options)
  upgrader.on('wsClientError', (error, socket) => refuse(socket, new TreelineError('bad_request', error.message)))
  let isClosing = false

  function refuse(socket: Duplex, error: unknown, status?: number): void {
    const problem = toProblem(error, newRequestId())
    const { requestId } = problem
    if (problem.status >= 500) {
      services.log({ level: 'error', message: 'upgrade failed', requestId, error: String(error) })
    }
    refuseUpgrade(socket, { ...problem, status: status ?? problem.status })
  }

  function add(socket: WebSocket, stream: Duplex, actor: Actor): void {
    const connection = new Connection({ socket, stream, actor, services, limits, backlog })
    connections.add(connection)
    connection.closed.then(() => connections.delete(connection))
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    if (isClosing) {
      socket.destroy()
      return
    }
    try {
      const actor = guard(askedOf(request, true), 'read', guarding())
      const [path] = (request.url ?? '').split('?')
      if (path !== PATH) {
        refuse(socket, new TreelineError('bad_request', `WebSockets are at ${PATH}.`), 404)
      } else if (!protocolsOf(request).includes(SUBPROTOCOL)) {
        refuse(socket, new TreelineError('bad_request', `Ask for the subprotocol ${SUBPROTOCOL}.`))
      } else if (connections.size >= limits.sockets) {
        services.metrics.count('treeline_sockets_refused')
        refuse(socket, new TreelineError('rate_limited', 'Too many connections are open. Come back later.'), 503)
      } else {
        // Nothing is awaited between the guard and the note of whose it is: a revocation meanwhile would be missed.
        upgrader.handleUpgrade(request, socket, head, (opened) => add(opened, socket, actor))
      }
    } catch (error) {
      refuse(socket, error)
    }
  }

  server.on('upgrade', onUpgrade)
  const stopRevocations = services.credentials.onRevoked((credentialId) => {
    for (const connection of [...connections]) {
      if (connection.actor.credentialId === credentialId) connection.end(CLOSE.unauthorized, 'revoked')
    }
  })
  const timer = setInterval(
    () => {
      const nowMs = performance.now()
      for (const connection of [...connections]) connection.tick(nowMs)
    },
    Math.min(TICK_MS, limits.heartbeatMs / 2, limits.unackedMs / 2),
  )
  timer.unref()
  services.metrics.gauge('treeline_sockets', () => connections.size)
  services.metrics.gauge('treeline_subscriptions', () =>
    [...connections].reduce((sum, { subscriptionCount }) => sum + subscriptionCount, 0),
  )

  return {
    async close() {
      isClosing = true
      clearInterval(timer)
      stopRevocations()
      const late = setTimeout(() => {
        for (const connection of [...connections]) connection.cut()
      }, limits.drainMs)
      await Promise.all([...connections].map((connection) => connection.restart()))
      clearTimeout(late)
    },
  }
}

function protocolsOf({ headers }: IncomingMessage): readonly string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
}
