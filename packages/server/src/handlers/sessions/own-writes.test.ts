import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../testing/ask.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const list = (query: Record<string, string> = {}) => ask(server, routes.listSessions, { query })
const idsOf = (items: readonly { readonly sessionId: string }[]) => items.map(({ sessionId }) => sessionId)
const send = (sessionId: string, content: string, parentId: string | null) =>
  ask(server, routes.postMessage, { params: { sessionId }, body: { parentId, content, generate: false } })

/** More than the index looks at each time. */
const NEWER = 70

test('a session made a moment ago is in the list, though nothing was said in it', async () => {
  const { sessionId } = (await ask(server, routes.createSession, { body: {} })).body
  expect(idsOf((await list()).body.items)).toContain(sessionId)
  expect(idsOf((await list({ empty: 'false' })).body.items)).not.toContain(sessionId)
})

test('what is left empty in a query counts as not given', async () => {
  const sessionId = await server.say('quince')
  const { body } = await list({ limit: '50', cursor: '', q: 'quince', tag: '', sort: '-updatedAt' })
  expect(idsOf(body.items)).toEqual([sessionId])
})

test('a session left alone for long is the first of the list once it is gone on with, and its words are found', async () => {
  const old = await server.say('medlar')
  await Promise.all(Array.from({ length: NEWER }, (_, i) => server.say(`newer ${i}`)))
  // Folders that were changed just now would be looked at again in any case.
  const { sessions } = server.home.paths
  for (const name of ['.', ...readdirSync(sessions)]) utimesSync(join(sessions, name), 1_000, 1_000)
  await server.server.services.index.refresh()
  expect(idsOf((await list({ limit: '50' })).body.items)).not.toContain(old)
  expect((await send(old, 'persimmon', null)).status).toBe(201)
  // A busy machine may need a second look; by itself the index would look after half a minute.
  const first = async () => idsOf((await list({ limit: '50' })).body.items)[0]
  await expect.poll(first, { timeout: 5_000 }).toBe(old)
  const find = async () => idsOf((await ask(server, routes.search, { query: { q: 'mulberry' } })).body.hits)
  expect((await send(old, 'mulberry', null)).status).toBe(201)
  await expect.poll(find, { timeout: 5_000 }).toEqual([old])
})

test('I6 what a session of ours is like is told without the index, which may be long at work', async () => {
  await using alone = await startTestServer()
  await using session = await alone.store.create({ cwd: alone.home.paths.home })
  for (const content of [' ', 'damson']) {
    await session.append({ type: 'message', message: { role: 'user', content, timestamp: 0 } })
  }
  await alone.server.services.index.close()
  const params = { sessionId: session.id }
  expect((await ask(alone, routes.getSession, { params })).body).toMatchObject({ preview: 'damson', tool: 'treeline' })
  const patched = await ask(alone, routes.patchSession, { params, body: { title: 'Plum' } })
  expect(patched.body).toMatchObject({ title: 'Plum', nodeCount: 2 })
})
