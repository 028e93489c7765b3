import type { Agent } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import { LIMITS, type Limits } from '@treeline/protocol'
import type { SessionIndex, SessionStore } from '@treeline/store'
import { fastify } from 'fastify'
import { type Listening, planAddresses } from './door/addresses.ts'
import { createListener, listen } from './door/listen.ts'
import { mountDoor } from './door/mount-door.ts'
import { serveFiles } from './door/serve-files.ts'
import { cookieNameOf } from './guard/cookie.ts'
import type { Credentials } from './guard/credentials.ts'
import type { GuardOptions } from './guard/guard.ts'
import { ownAddresses } from './guard/own-addresses.ts'
import { mountRoutes, newRequestId } from './http/mount.ts'
import { refuseBytes, refusePath } from './http/unreadable.ts'
import type { Approvals } from './hub/approvals.ts'
import { closeQuestions } from './hub/close-questions.ts'
import { Generations } from './hub/generations.ts'
import { Hub } from './hub/hub.ts'
import { Jobs } from './hub/jobs.ts'
import { openAny } from './hub/open-any.ts'
import { SessionList } from './hub/session-list.ts'
import { Titles } from './hub/titles.ts'
import { createMetrics } from './metrics.ts'
import type { House, LogRecord, OtherTools, Services } from './services.ts'
import { acceptSockets } from './stream/accept-sockets.ts'
import type { StreamLimits } from './stream/stream-limits.ts'

export interface ServerOptions extends Listening {
  readonly store: SessionStore
  readonly index: SessionIndex
  readonly agent: Agent
  readonly approvals: Approvals
  readonly house: House
  readonly otherTools: OtherTools
  readonly credentials: Credentials
  /** 0 for any that is free. */
  readonly port?: number
  /** How many ports are tried, from `port` on, when others have them; 1 by default. */
  readonly portTries?: number
  /** The folder of the web app's files. */
  readonly webRoot?: string | undefined
  readonly limits?: Partial<Limits>
  /** Of WebSockets. */
  readonly stream?: Partial<StreamLimits>
  readonly log?: (record: LogRecord) => void
  /** How long closing waits for answers on their way. Those that take longer are cancelled, and their text is kept. */
  readonly drainMs?: number
}

const DRAIN_MS = 5_000
const LINGER_MS = 2_000

export interface RunningServer extends AsyncDisposable {
  readonly port: number
  /** Where it is reached, without a path. */
  readonly url: string
  /** A link that lets one browser in, once. */
  newLoginUrl(): string
  readonly services: Services
  /** Stops taking requests, drains what is under way, lets go of every session. */
  close(): Promise<void>
}

/** A session may have been set to yolo at a terminal; no request makes use of that. */
function refuseUnasked({ env: { maxApprovalMode = 'yolo' } }: Agent): void {
  if (maxApprovalMode !== 'yolo') return
  const message = 'The agent of a server asks before it runs tools. Create it with `maxApprovalMode: "autoEdit"`.'
  throw new TreelineError('forbidden', message)
}

/** The tree over HTTP and WebSocket. Knows sessions only by the store's contract. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { store, index, agent, approvals, house, otherTools, credentials, webRoot, log = () => {} } = options
  refuseUnasked(agent)
  const addresses = planAddresses(options)
  const closing = new AbortController()
  const metrics = createMetrics()
  const list = new SessionList({
    index,
    onProblem: (error) => log({ level: 'warn', message: 'list', error: String(error) }),
  })
  const hub = new Hub({
    open: (id) => openAny(id, store, otherTools),
    recover: async (session) => {
      const warn = ({ message }: Error): void =>
        log({ level: 'warn', message: 'recovery', sessionId: session.id, problem: message })
      const { problems } = await agent.recover(session)
      problems.forEach(warn)
      await closeQuestions(session, (error) => warn(error as Error))
    },
    onProblem: (sessionId, error) => log({ level: 'error', message: 'session', sessionId, error: String(error) }),
    onChange: (sessionId) => list.note(sessionId),
  })
  approvals.connect(hub)
  const titles = new Titles({ agent, hub, log })
  const generations = new Generations({ agent, hub, log, onAnswered: (live) => titles.think(live) })
  metrics.gauge('treeline_generations', () => generations.count)
  const jobs = new Jobs({ hub, log })
  metrics.gauge('treeline_jobs', () => jobs.count)
  // How many run at once is for the agent to say.
  const { perSession: generationsPerSession, total: generationsPerServer } = agent.env.settings.generation
  const limits = { ...LIMITS, generationsPerSession, generationsPerServer, ...options.limits }
  const services: Services = {
    store,
    index,
    agent,
    house,
    otherTools,
    credentials,
    hub,
    list,
    approvals,
    generations,
    jobs,
    limits,
    metrics,
    log,
    closing: closing.signal,
  }
  let guarding: GuardOptions = { credentials, hosts: new Set(), origins: new Set(), cookieName: '' }
  const app = fastify({
    serverFactory: (handler) => createListener(handler, options.tls),
    clientErrorHandler: refuseBytes,
    frameworkErrors: refusePath(services, () => guarding),
    genReqId: newRequestId,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
  })
  let url = ''
  const newLoginUrl = (): string => `${url}/login?code=${credentials.newCode()}`
  const files = webRoot === undefined ? undefined : serveFiles(webRoot)
  metrics.gauge('treeline_open_sessions', () => hub.openCount)
  mountRoutes(app, services, () => guarding)
  mountDoor(app, services, { guarding: () => guarding, url: () => url, newLoginUrl, files })
  const sockets = acceptSockets(app.server, services, () => guarding, options.stream)
  const port = await listen(app, { host: addresses.bind, port: options.port ?? 0, tries: options.portTries ?? 1 })
  const urls = addresses.urls(port)
  url = urls[0]!
  guarding = { credentials, cookieName: cookieNameOf(url), ...ownAddresses(urls) }
  const stop = async (): Promise<void> => {
    // From now on nobody new is let in; who is there already, and follows an answer, hears of its end.
    const closed = app.close()
    await Promise.all([generations.drain(options.drainMs ?? DRAIN_MS), jobs.close()])
    await titles.close()
    await hub.caughtUp()
    closing.abort()
    list[Symbol.dispose]()
    // Somebody who sends or reads very slowly must not hold up the end.
    const timer = setTimeout(() => app.server.closeAllConnections(), LINGER_MS)
    await Promise.all([closed, sockets.close()])
    clearTimeout(timer)
    await hub.close()
  }
  let stopped: Promise<void> | undefined
  const close = (): Promise<void> => {
    stopped ??= stop()
    return stopped
  }
  return { port, url, newLoginUrl, services, close, [Symbol.asyncDispose]: close }
}
