import { TreelineError } from '@treeline/core'
import { doorRoutes, type Scope } from '@treeline/protocol'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { serverDocument } from '../document/document.ts'
import { askedOf } from '../guard/asked.ts'
import { type GuardOptions, guard } from '../guard/guard.ts'
import { sendProblem, tell } from '../http/mount.ts'
import type { Services } from '../services.ts'
import { type Answer, sendAnswer } from './answer.ts'
import { type LoginOptions, openLogin, pressLogin } from './login.ts'
import { notLoggedIn, startPage } from './pages.ts'
import type { FileServer } from './serve-files.ts'
import { languageOf } from './words/language.ts'

export interface DoorOptions {
  readonly guarding: () => GuardOptions
  /** Where browsers find us. */
  readonly url: () => string
  readonly newLoginUrl: () => string
  /** The web app, where there is one. */
  readonly files?: FileServer | undefined
}

interface DoorRoute {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly scope: Scope
  /** `undefined`: there is nothing of that path. */
  readonly answer: (request: FastifyRequest) => Promise<Answer | undefined> | Answer | undefined
}

/** All that is served beside the table of routes: the way in, the web app, and what those ask who keep it running. */
export function mountDoor(app: FastifyInstance, services: Services, options: DoorOptions): void {
  const { credentials, metrics } = services
  const { guarding, url, newLoginUrl, files } = options
  const login = (): LoginOptions => ({ credentials, guarding: guarding(), url: url() })
  const routes: readonly DoorRoute[] = [
    { name: 'login', ...doorRoutes.openLogin, answer: ({ raw }) => openLogin(raw, login()) },
    { name: 'login', ...doorRoutes.pressLogin, answer: ({ raw }) => pressLogin(raw, login()) },
    { name: 'loginCode', ...doorRoutes.newLoginLink, answer: () => json(201, { url: newLoginUrl() }) },
    { name: 'healthz', ...doorRoutes.getHealth, answer: () => json(200, { status: 'ok' }) },
    {
      name: 'metrics',
      ...doorRoutes.getMetrics,
      answer: () => ({ status: 200, body: metrics.render(), headers: { 'content-type': METRICS_TYPE } }),
    },
    {
      name: 'openapi',
      ...doorRoutes.getOpenApi,
      answer: () => ({ status: 200, body: serverDocument().json, headers: { 'content-type': JSON_TYPE } }),
    },
    { name: 'docs', ...doorRoutes.getDocs, answer: () => ({ status: 200, page: serverDocument().page }) },
    { name: 'page', method: 'GET', path: '/*', scope: 'read', answer: (request) => findPage(request, files) },
  ]
  for (const route of routes) mountOne(app, services, route, guarding)
}

const JSON_TYPE = 'application/json; charset=utf-8'
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

function mountOne(app: FastifyInstance, services: Services, route: DoorRoute, guarding: () => GuardOptions): void {
  const { name, method, path, scope } = route
  app.route({
    method,
    url: path,
    handler: async (request, reply) => {
      const startedAt = performance.now()
      try {
        guard(askedOf(request.raw, false), scope, guarding())
        const answer = await route.answer(request)
        if (answer === undefined) throw new TreelineError('bad_request', `There is no ${method} of that path.`)
        sendAnswer(reply, answer)
      } catch (error) {
        if (isForPerson(request, error))
          sendAnswer(reply, { status: 401, page: notLoggedIn(languageOf(request.raw.headers['accept-language'])) })
        else sendProblem(services, request, reply, error, 404)
      }
      tell(services, name, request, reply, performance.now() - startedAt)
      return reply
    },
  })
}

function findPage(
  { raw }: FastifyRequest,
  files: FileServer | undefined,
): Promise<Answer | undefined> | Answer | undefined {
  const [path = ''] = (raw.url ?? '').split('?', 1)
  if (path.startsWith('/api/')) return undefined
  if (files === undefined)
    return path === '/' ? { status: 200, page: startPage(languageOf(raw.headers['accept-language'])) } : undefined
  return files(path, raw.headers['if-none-match'])
}

/** Who opens a page without being logged in is told what to do, in words for people. */
function isForPerson({ raw }: FastifyRequest, error: unknown): boolean {
  const isUnknown = error instanceof TreelineError && error.code === 'unauthorized'
  return isUnknown && raw.method === 'GET' && (raw.headers.accept ?? '').includes('text/html')
}

function json(status: number, value: unknown): Answer {
  return { status, body: JSON.stringify(value), headers: { 'content-type': JSON_TYPE } }
}
