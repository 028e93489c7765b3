import type { Entry } from '@treeline/core'
import { problemSchema, type ReplyOf, type Route, type RouteName, type Routes, routes } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { expect } from 'vitest'
import type { z } from 'zod'
import type { TestServer } from '../../../testing/test-server.ts'
import { assistant, user } from '../../../wire/testing/sample-session.ts'

type Names = Extract<RouteName, keyof Routes>

interface Answer<Body> {
  readonly status: number
  readonly etag: string | null
  readonly body: Body
}

/** Asks by the table, and holds what comes back to it: no field more, none less. */
export async function read<const N extends Names>(
  server: TestServer,
  name: N,
  path: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string | number>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<ReplyOf<Routes[N]>>> {
  const { status, etag, body } = await ask(server, name, path, query, headers)
  expect({ status, body: status === 200 || status === 304 ? '' : body }).toMatchObject({ body: '' })
  const schema = (routes[name] as Route).replies[status]
  if (typeof schema === 'object') expect((schema as z.ZodType).parse(body)).toEqual(body)
  return { status, etag, body: body as ReplyOf<Routes[N]> }
}

/** What a request is refused with: `404 node_not_found`. */
export async function refusal(
  server: TestServer,
  name: Names,
  path: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string | number>> = {},
): Promise<string> {
  const { status, body } = await ask(server, name, path, query, {})
  return `${status} ${problemSchema.parse(body).code}`
}

async function ask(
  server: TestServer,
  name: Names,
  path: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string | number>>,
  headers: Readonly<Record<string, string>>,
): Promise<Answer<unknown>> {
  const filled = routes[name].path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(path[key]!))
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) params.set(key, String(value))
  const text = params.toString()
  const response = await server.fetch(text === '' ? filled : `${filled}?${text}`, { headers })
  const isJson = /json/.test(response.headers.get('content-type')?.replace('ndjson', '') ?? '')
  const body = isJson ? await response.json() : await response.text()
  return { status: response.status, etag: response.headers.get('etag'), body }
}

/** A session with a question and an answer by turns under the ids given, each under the one before; `id<parent` under another. */
export async function talk(server: TestServer, ...ids: readonly string[]): Promise<Session> {
  const session = await server.store.create({ cwd: server.home.paths.home })
  for (const [i, given] of ids.entries()) {
    const [id, parentId] = given.split('<') as [string, string | undefined]
    const draft = i % 2 === 0 ? user(`says ${id}`, id) : assistant(`says ${id}`, { id })
    await session.append(draft, parentId === undefined ? {} : { parentId })
  }
  return session
}

/** A chain of `n0`, `n1` … */
export async function chain(server: TestServer, length: number): Promise<string> {
  const entries = Array.from({ length }, (_, i): Entry => {
    const message = { role: i % 2 === 0 ? 'user' : 'assistant', content: `says ${i}`, timestamp: i }
    const timestamp = new Date(1_700_000_000_000 + i).toISOString()
    return { type: 'message', id: `n${i}`, parentId: i === 0 ? null : `n${i - 1}`, timestamp, message } as Entry
  })
  await using session = await server.store.create({ cwd: server.home.paths.home, entries })
  return session.id
}
