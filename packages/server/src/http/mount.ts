import { randomUUID } from 'node:crypto'
import { TreelineError } from '@treeline/core'
import { type Route, routes } from '@treeline/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Actor } from '../guard/actor.ts'
import { askedOf } from '../guard/asked.ts'
import { type GuardOptions, guard } from '../guard/guard.ts'
import { handlers } from '../handlers/index.ts'
import type { Services } from '../services.ts'
import { type Asking, etagOf, type Handler, type Reply } from './handler.ts'
import { RETRY_AFTER_MS, shapeError, toProblem } from './problem.ts'
import { clientLeft, isJsonType, readBytes, readJson } from './read-body.ts'

/** Puts every route of the table on the server: let in, checked, answered, and told of in the log. */
export function mountRoutes(app: FastifyInstance, services: Services, guarding: () => GuardOptions): void {
  // Bodies are read after the guard has spoken, and by ourselves.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setErrorHandler((error, request, reply) => {
    // Fastify refuses some requests before anybody has asked the guard.
    try {
      guard(askedOf(request.raw, false), 'read', guarding())
      throw readable(error)
    } catch (refusal) {
      sendProblem(services, request, reply, refusal)
    }
  })
  app.setNotFoundHandler((request, reply) => {
    const startedAt = performance.now()
    try {
      guard(askedOf(request.raw, false), 'read', guarding())
      throw new TreelineError('bad_request', `There is no ${request.method} of that path.`)
    } catch (error) {
      sendProblem(services, request, reply, error, 404)
    }
    tell(services, 'none', request, reply, performance.now() - startedAt)
  })
  for (const [name, route] of Object.entries<Route>(routes)) {
    const handler = (handlers as unknown as Readonly<Record<string, Handler<Route>>>)[name]!
    app.route({
      method: route.method,
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const startedAt = performance.now()
        try {
          const actor = guard(askedOf(request.raw, false), route.scope as Actor['scope'], guarding())
          const asking = await read(route, request, reply, actor, services)
          const before = openEpoch(services, asking)
          const answer = await handler(services, asking)
          send(reply, answer, epochOfAnswer(before, openEpoch(services, asking)))
        } catch (error) {
          sendProblem(services, request, reply, isGone(reply, error) ? clientLeft() : error)
        }
        tell(services, name, request, reply, performance.now() - startedAt)
        return reply
      },
    })
  }
}

async function read(
  route: Route,
  { raw, params, query, id }: FastifyRequest,
  { raw: response }: FastifyReply,
  actor: Actor,
  { limits }: Services,
): Promise<Asking<Route>> {
  let signal: AbortSignal | undefined
  const { params: paramsSchema, query: querySchema, body: bodySchema } = route
  // Nothing is changed for a request of which the rest may turn out to be none.
  if (route.method === 'DELETE') await readBytes(raw, limits.bodyBytes)
  // A file is held in memory whether it comes in a form or as JSON.
  const maxBytes = route.takesBytes ? limits.formBytes : limits.bodyBytes
  return {
    params: check('path', paramsSchema, params) as never,
    query: check('query', querySchema, query) as never,
    body: (takesOther(route, raw)
      ? undefined
      : check('body', bodySchema, bodySchema && (await readJson(raw, maxBytes)))) as never,
    actor,
    cause: { requestId: id, actor: actor.name },
    known: raw.headers['if-none-match'],
    raw,
    // Most are answered before anybody could be gone.
    get signal() {
      signal ??= goneSignal(response)
      return signal
    },
  }
}

/** Of the response: a connection serves many requests, one behind the other. */
function goneSignal(response: FastifyReply['raw']): AbortSignal {
  const gone = new AbortController()
  if (response.destroyed) gone.abort()
  else response.once('close', () => gone.abort())
  return gone.signal
}

/** A body that its handler reads itself, because it is no JSON. */
function takesOther({ takesBytes, body }: Route, { headers }: FastifyRequest['raw']): boolean {
  return takesBytes === true && (body === undefined || !isJsonType(headers['content-type']))
}

function check(where: string, schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return {}
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw shapeError(where, parsed.error)
}

/** Of the session that is asked about, if it is open. */
function openEpoch({ hub }: Services, { params }: Asking<Route>): string | undefined {
  const { sessionId = '' } = params as { readonly sessionId?: string }
  return hub.peek(sessionId)?.session.epoch
}

/** None when the log was rewritten meanwhile: the answer may say what was in it before. */
function epochOfAnswer(before: string | undefined, after: string | undefined): string | undefined {
  return before === undefined || before === after ? after : undefined
}

function send(
  reply: FastifyReply,
  { status, body, type, version, headers }: Reply<Route>,
  epoch: string | undefined,
): void {
  reply.status(status as number)
  if (version !== undefined) reply.header('etag', etagOf(version, epoch))
  if (headers !== undefined) reply.headers(headers)
  if (body === undefined) reply.send()
  else if (type !== undefined) reply.type(type).send(body)
  else reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

export function sendProblem(
  { log }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  notFound?: number,
): void {
  const problem = toProblem(error, request.id)
  const status = problem.code === 'bad_request' ? (notFound ?? problem.status) : problem.status
  if (status >= 500) log({ level: 'error', message: 'request failed', requestId: request.id, error: String(error) })
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="treeline"')
  if (status === 429) reply.header('retry-after', String(Math.ceil(RETRY_AFTER_MS / 1000)))
  // What was not read of a body must not be taken for the next request.
  if (!request.raw.complete) reply.header('connection', 'close')
  reply
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify({ ...problem, status }))
}

/** Whether it was stopped because nobody waits for it any more, which is no fault of ours. */
function isGone({ raw }: FastifyReply, error: unknown): boolean {
  return raw.destroyed && error instanceof Error && error.name === 'AbortError'
}

/** What Fastify itself refuses. */
function readable(error: unknown): unknown {
  const status = (error as { statusCode?: unknown }).statusCode
  if (error instanceof TreelineError || typeof status !== 'number' || status >= 500) return error
  return new TreelineError('bad_request', 'The request cannot be read.')
}

/** Neither what was said nor what was looked for gets into the log. */
export function tell(
  { log, metrics }: Services,
  route: string,
  request: FastifyRequest,
  reply: FastifyReply,
  ms: number,
): void {
  const { method, id: requestId } = request
  const status = reply.statusCode
  metrics.count('treeline_http_requests', { route, status })
  metrics.observe('treeline_http_seconds', ms / 1000, { route })
  log({ level: 'info', message: 'request', requestId, method, route, status, ms: Math.round(ms * 10) / 10 })
}

export function newRequestId(): string {
  return randomUUID()
}
