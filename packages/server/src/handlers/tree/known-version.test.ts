import { routes } from '@treeline/protocol'
import { applyScrub, planScrub } from '@treeline/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../testing/ask.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { talk } from './testing/read.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const READS = [
  [routes.getTree, {}],
  [routes.getNode, {}],
  [routes.getNodes, { ids: 'a,b' }],
  [routes.getChildren, {}],
  [routes.getBranches, {}],
  [routes.getTreeText, {}],
  [routes.compare, { left: 'a', right: 'b' }],
  [routes.getStash, {}],
  [routes.getSession, {}],
] as const

test.each(READS)('who knows the version is not sent it again: $path', async (route, query) => {
  await using session = await talk(server, 'a', 'b')
  const params = { sessionId: session.id, nodeId: 'a' }
  const given = await ask(server, route, { params, query })
  const etag = `"v3.${session.epoch}"`
  expect([given.status, given.headers.get('etag')]).toEqual([200, etag])
  const headers = { 'if-none-match': `"v2", W/${etag}` }
  const known = await ask(server, route, { params, query, headers })
  expect([known.status, known.headers.get('etag')]).toEqual([304, etag])
  await session.setLabel('b', 'new')
  await server.server.services.hub.use(session.id, ({ session: open }) => open.refresh())
  expect((await ask(server, route, { params, query, headers })).status).toBe(200)
})

test.each(['while it is served', 'before it is served again'])(
  'what a scrub took out of a log %s is sent anew, though the version is the same',
  async (when) => {
    const sessionId = await server.say('the word is swordfish')
    const params = { sessionId }
    const etag = (await ask(server, routes.getTree, { params })).headers.get('etag')!
    const headers = { 'if-none-match': etag }
    expect(etag).toMatch(/^"v2\./)
    expect((await ask(server, routes.getTree, { params, headers })).status).toBe(304)
    const { hub } = server.server.services
    // As good as a restart: nothing is known of the session any more.
    if (when !== 'while it is served') await hub.evict(sessionId)
    const plan = await planScrub(server.home, 'swordfish')
    await applyScrub(server.home, plan, { confirm: true })
    if (when === 'while it is served') await hub.use(sessionId, ({ session }) => session.refresh())
    const { status, headers: told, body } = await ask(server, routes.getTree, { params, headers })
    expect(status).toBe(200)
    expect(told.get('etag')).toMatch(/^"v2\./)
    expect(told.get('etag')).not.toBe(etag)
    expect(JSON.stringify(body)).not.toContain('swordfish')
  },
)

test('an answer that was being made when its log was scrubbed has a tag that is nobody’s', async () => {
  const sessionId = await server.say('the word is swordfish')
  const params = { sessionId }
  await server.server.services.hub.use(sessionId, async ({ session }) => {
    const readEntries = session.readEntries.bind(session)
    session.readEntries = async (ids) => {
      session.readEntries = readEntries
      const read = await readEntries(ids)
      await applyScrub(server.home, await planScrub(server.home, 'swordfish'), { confirm: true })
      await session.refresh()
      return read
    }
  })
  // As it was then: what is read for it is not read again.
  const { headers, body } = await ask(server, routes.getTree, { params, query: { atSeq: '2' } })
  expect(JSON.stringify(body)).toContain('swordfish')
  expect(headers.get('etag')).toBe('"v2"')
})

test('a tag that names no log is nobody’s', async () => {
  await using session = await talk(server, 'a')
  const params = { sessionId: session.id }
  expect((await ask(server, routes.getTree, { params, headers: { 'if-none-match': '"v2"' } })).status).toBe(200)
})
