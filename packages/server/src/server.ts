import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Agent } from '@treeline/agent'
import { LIMITS, type Limits } from '@treeline/protocol'
import type { SessionIndex, SessionStore } from '@treeline/store'
import { fastify } from 'fastify'
import type { Credentials } from './guard/credentials.ts'
import type { GuardOptions } from './guard/guard.ts'
import { ownAddresses } from './guard/own-addresses.ts'
import { mountRoutes, newRequestId } from './http/mount.ts'
import type { Approvals } from './hub/approvals.ts'
import { Hub } from './hub/hub.ts'
import { createMetrics } from './metrics.ts'
import type { House, LogRecord, Services } from './services.ts'

export interface ServerOptions {
  readonly store: SessionStore
  readonly index: SessionIndex
  readonly agent: Agent
  readonly approvals: Approvals
  readonly house: House
  readonly credentials: Credentials
  readonly host?: string
  /** 0 for any that is free. */
  readonly port?: number
  readonly limits?: Partial<Limits>
  readonly log?: (record: LogRecord) => void
}

export interface RunningServer extends AsyncDisposable {
  readonly port: number
  /** Where it is reached, without a path. */
  readonly url: string
  readonly services: Services
  /** Stops taking requests, drains what is under way, lets go of every session. */
  close(): Promise<void>
}

/** The tree over HTTP and WebSocket. Knows sessions only by the store's contract. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { store, index, agent, approvals, house, credentials, host = '127.0.0.1', log = () => {} } = options
  const closing = new AbortController()
  const metrics = createMetrics()
  const hub = new Hub({
    open: (id) => store.open(id),
    recover: async (session) => {
      const { problems } = await agent.recover(session)
      for (const { message } of problems)
        log({ level: 'warn', message: 'recovery', sessionId: session.id, problem: message })
    },
    onProblem: (sessionId, error) => log({ level: 'error', message: 'session', sessionId, error: String(error) }),
  })
  const limits = { ...LIMITS, ...options.limits }
  const services: Services = {
    store,
    index,
    agent,
    house,
    credentials,
    hub,
    approvals,
    limits,
    metrics,
    log,
    closing: closing.signal,
  }
  let guarding: GuardOptions = { credentials, hosts: new Set(), origins: new Set() }
  const app = fastify({
    serverFactory: (handler) => createServer(handler) as HttpServer,
    genReqId: newRequestId,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
  })
  mountRoutes(app, services, () => guarding)
  await app.listen({ host, port: options.port ?? 0 })
  const { port } = app.server.address() as AddressInfo
  guarding = { credentials, ...ownAddresses([`http://127.0.0.1:${port}`, `http://localhost:${port}`]) }
  const close = async (): Promise<void> => {
    closing.abort()
    await app.close()
    await hub.close()
  }
  return { port, url: `http://127.0.0.1:${port}`, services, close, [Symbol.asyncDispose]: close }
}
