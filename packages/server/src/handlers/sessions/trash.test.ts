import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes, type TrashedSession } from '@treeline/protocol'
import { listTrash, readAudit } from '@treeline/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../testing/ask.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const get = (sessionId: string) => ask(server, routes.getSession, { params: { sessionId } })
const remove = (sessionId: string) => ask(server, routes.deleteSession, { params: { sessionId } })
const trash = (query: Record<string, string> = {}) => ask(server, routes.listTrash, { query })
const restore = (sessionId: string, body: object = {}, headers = {}) =>
  ask(server, routes.restoreSession, { params: { sessionId }, body, headers })
const itemOf = async (sessionId: string): Promise<TrashedSession> =>
  (await trash()).body.items.find((item: TrashedSession) => item.sessionId === sessionId)

test('R1 what is in the trash is listed by its name and comes back whole, and who asked for it is audited', async () => {
  const sessionId = await server.say('Where do eels go?', 'Nobody knew for long.')
  await ask(server, routes.patchSession, { params: { sessionId }, body: { title: 'Eels', tags: ['sea'] } })
  const before = (await get(sessionId)).body
  await remove(sessionId)
  const item = await itemOf(sessionId)
  expect(item).toMatchObject({ title: 'Eels', preview: 'Where do eels go?' })
  expect(item.sizeBytes).toBeGreaterThan(100)
  expect(Date.now() - Date.parse(item.trashedAt!)).toBeLessThan(60_000)

  const token = await server.credentials.createToken({ name: 'rescuer', scope: 'write' })
  const back = await restore(sessionId, {}, { authorization: `Bearer ${token}` })
  expect([back.status, back.body]).toEqual([200, before])
  expect(back.headers.get('etag')).toMatch(new RegExp(`^"v${before.version}\\.`))
  expect((await get(sessionId)).body).toEqual(before)
  expect(await itemOf(sessionId)).toBeUndefined()
  const { body } = await ask(server, routes.listSessions, { query: { q: 'Eels' } })
  expect(body.items.map((one: { sessionId: string }) => one.sessionId)).toEqual([sessionId])
  const audited = (await readAudit(server.home)).filter(({ action }) => action === 'restore')
  expect(audited.at(-1)).toMatchObject({ sessionIds: [sessionId], reason: expect.stringContaining('rescuer') })
})

test('D3 to bring back what is back already is no error; what never was, or is gone for good, is not found', async () => {
  const sessionId = await server.say('Twice')
  await remove(sessionId)
  const both = await Promise.all([restore(sessionId), restore(sessionId)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect((await restore(sessionId)).status).toBe(200)
  expect((await restore('no-such')).problem).toMatchObject({ status: 404, code: 'session_not_found' })
  await ask(server, routes.deleteSession, { params: { sessionId }, query: { purge: 'true' } })
  expect((await restore(sessionId)).problem?.code).toBe('session_not_found')
})

test('those who follow the list are told', async () => {
  const sessionId = await server.say('Told')
  await remove(sessionId)
  const told = Promise.withResolvers<readonly string[]>()
  const stop = server.server.services.list.listen((ids) => ids.includes(sessionId) && told.resolve(ids))
  await restore(sessionId)
  expect(await told.promise).toContain(sessionId)
  stop()
})

test('I4 what took its place stays: it is refused, and both are kept', async () => {
  const sessionId = 'same-id'
  const make = (title: string) => ask(server, routes.createSession, { body: { sessionId, title } })
  await make('First')
  await remove(sessionId)
  await make('Second')
  expect((await restore(sessionId)).problem).toMatchObject({ status: 409, code: 'id_in_use' })
  expect((await get(sessionId)).body.title).toBe('Second')
  await remove(sessionId)
  const first = (await trash()).body.items.find(({ title }: TrashedSession) => title === 'First')
  // Of two the later one, unless the other is named.
  expect((await restore(sessionId, { trashId: first.trashId })).body.title).toBe('First')
  await remove(sessionId)
  expect((await restore(sessionId)).body.title).toBe('First')
})

test('a page of the trash goes on where the one before ended, also when that is restored meanwhile', async () => {
  const ids: string[] = []
  for (const text of ['p1', 'p2', 'p3']) {
    ids.unshift(await server.say(text))
    await remove(ids[0]!)
  }
  const first = (await trash({ limit: '2' })).body
  expect(first.items.map(({ sessionId }: TrashedSession) => sessionId)).toEqual(ids.slice(0, 2))
  await restore(ids[1]!)
  const second = (await trash({ limit: '1', cursor: first.nextCursor })).body
  expect(second.items.map(({ sessionId }: TrashedSession) => sessionId)).toEqual(ids.slice(2))
  expect((await trash({ limit: '0' })).status).toBe(400)
})

test('K3 an item whose item.json lies is what its log says, and nothing of it becomes a path', async () => {
  const sessionId = await server.say('Honest')
  await remove(sessionId)
  const { paths } = server.home
  const { trashId } = (await listTrash(server.home)).find((item) => item.sessionId === sessionId)!
  const meta = join(paths.trashItem(trashId), 'item.json')
  writeFileSync(meta, JSON.stringify({ ...JSON.parse(readFileSync(meta, 'utf8')), sessionId: 'another' }))
  mkdirSync(join(paths.trash, 'not-an-item'), { recursive: true })
  expect(await itemOf('another')).toBeUndefined()
  expect((await restore('another')).problem?.code).toBe('session_not_found')
  expect((await restore('another', { trashId })).problem?.code).toBe('session_not_found')
  expect((await restore(sessionId, { trashId: '../../sessions' })).status).toBe(400)
  expect((await restore(sessionId, { path: '/etc' })).status).toBe(400)
  expect((await restore(sessionId, { trashId })).body.preview).toBe('Honest')
})
