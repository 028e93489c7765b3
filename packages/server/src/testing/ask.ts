import type { ParamsOf, Problem, Route } from '@treeline/protocol'
import { problemSchema } from '@treeline/protocol'
import type { TestServer } from './test-server.ts'

export interface Given {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it.
  readonly body: any
  readonly problem: Problem | undefined
}

/** A request by the table, whatever comes back; what comes back is of the shape that the table promises. */
export async function ask<R extends Route>(server: TestServer, route: R, given: Given = {}): Promise<Answer> {
  const params: Partial<ParamsOf<R>> & Readonly<Record<string, string>> = (given.params ?? {}) as never
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = new URLSearchParams(given.query).toString()
  const response = await server.fetch(query === '' ? path : `${path}?${query}`, {
    method: route.method,
    ...(given.headers && { headers: given.headers }),
    ...(given.body !== undefined && { body: bodyOf(given.body) }),
  })
  const { status, headers } = response
  if (!response.ok && status !== 304) {
    return { status, headers, body: undefined, problem: problemSchema.parse(await response.json()) }
  }
  if (!Object.hasOwn(route.replies, status)) throw new Error(`${route.path} does not promise ${status}.`)
  const promised = route.replies[status]
  const text = await response.text()
  if (promised === undefined && text !== '') throw new Error(`${route.path} promises nothing with ${status}.`)
  const body = promised === undefined || typeof promised === 'string' ? text : promised.parse(JSON.parse(text))
  return { status, headers, body, problem: undefined }
}

function bodyOf(body: unknown): NonNullable<RequestInit['body']> {
  if (body instanceof FormData || body instanceof Uint8Array || body instanceof ReadableStream)
    return body as Uint8Array<ArrayBuffer>
  return typeof body === 'string' ? body : JSON.stringify(body)
}
