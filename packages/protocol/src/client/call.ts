import { isErrorCode, TreelineError } from '@treeline/core'
import { type Problem, problemSchema } from '../problem.ts'
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route } from '../routes/route.ts'
import { backOffMs } from './back-off.ts'

/** What a server answered when it refused. */
export class RefusedError extends TreelineError {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(isErrorCode(problem.code) ? problem.code : 'internal', problem.detail ?? problem.title)
    this.problem = problem
  }
}

export interface ClientOptions {
  readonly baseUrl: string
  /** Programs send it; a browser has its cookie. */
  readonly token?: string
  readonly fetch?: typeof globalThis.fetch
  /** How often a request that is safe to repeat is tried again when the server cannot be reached. */
  readonly retries?: number
}

type Given<R extends Route> = (R['params'] extends object ? { readonly params: ParamsOf<R> } : unknown) &
  (R['query'] extends object
    ? { readonly query?: Partial<Record<keyof QueryOf<R>, string | number | boolean>> }
    : unknown) &
  (R['body'] extends object ? { readonly body: BodyOf<R> } : unknown) & { readonly signal?: AbortSignal }

export type Call = <R extends Route>(route: R, given: Given<R>) => Promise<ReplyOf<R>>

/**
 * Asks a server by the table of routes, and gets what the table says.
 *
 * @example
 * const call = createCaller({ baseUrl, token })
 * const tree = await call(routes.getTree, { params: { sessionId }, query: { view: 'trunk' } })
 */
export function createCaller({ baseUrl, token, fetch = globalThis.fetch, retries = 3 }: ClientOptions): Call {
  return async (route, given) => {
    const { params = {}, query = {}, body, signal } = given as AnyGiven
    const url = new URL(fillPath(route.path, params), baseUrl)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const request: RequestInit = {
      method: route.method,
      headers: {
        // Another page cannot send it without being asked first (K2).
        'x-treeline': '1',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    }
    const response = await ask(() => fetch(url, request), isRepeatable(route, body) ? retries : 0, signal)
    return readReply(response)
  }
}

interface AnyGiven {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly signal?: AbortSignal
}

function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

/** A retry with an id of the client's own returns what exists (D3). */
function isRepeatable({ method }: Route, body: AnyGiven['body']): boolean {
  if (method === 'GET' || method === 'PUT') return true
  if (body === undefined) return false
  // What is forked is a node that there is: asked for twice there are two forks.
  const isNode = 'nodeId' in body && !('scope' in body)
  return isNode || 'opId' in body || 'sessionId' in body
}

async function ask(send: () => Promise<Response>, retries: number, signal: AbortSignal | undefined): Promise<Response> {
  for (let tries = 0; ; tries++) {
    try {
      return await send()
    } catch (error) {
      if (tries >= retries || signal?.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, backOffMs(tries)))
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what it holds is the caller's table to say.
async function readReply(response: Response): Promise<any> {
  const { status } = response
  const type = response.headers.get('content-type') ?? ''
  if (response.ok || status === 304) {
    if (status === 204 || status === 304) return undefined
    return type.includes('json') ? response.json() : response.text()
  }
  const problem = type.includes('json') ? problemSchema.safeParse(await response.json()) : undefined
  if (problem?.success) throw new RefusedError(problem.data)
  throw new TreelineError('internal', `The server answered with ${status} and nothing that explains it.`)
}
