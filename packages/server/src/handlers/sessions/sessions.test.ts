import { routes } from '@treeline/protocol'
import { listTrash, readAudit } from '@treeline/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../testing/ask.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  // Slow enough that an answer is on its way for as long as anybody looks.
  server = await startTestServer({ agent: { env: { TREELINE_DEMO_DELAY_MS: '200' } } })
})
afterAll(() => server[Symbol.asyncDispose]())

const create = (body: object = {}) => ask(server, routes.createSession, { body })
const get = (sessionId: string, headers = {}) => ask(server, routes.getSession, { params: { sessionId }, headers })
const patch = (sessionId: string, body: object) => ask(server, routes.patchSession, { params: { sessionId }, body })
const remove = (sessionId: string, query = {}, headers = {}) =>
  ask(server, routes.deleteSession, { params: { sessionId }, query, headers })
const list = (query: Record<string, string> = {}) => ask(server, routes.listSessions, { query })
const idsOf = (items: readonly { readonly sessionId: string }[]) => items.map(({ sessionId }) => sessionId)

test('a session begins with all that is said of it, empty, and is there for everybody', async () => {
  const body = { title: ' Sorting ', mode: 'linear', tags: ['a', 'b', 'a'], settings: { model: 'demo/demo' } }
  const made = await create(body)
  expect(made.status).toBe(201)
  const { sessionId, version } = made.body
  expect(made.body).toMatchObject({ title: 'Sorting', mode: 'linear', nodes: {}, rootNodeIds: [], activeLeafId: null })
  expect(made.headers.get('etag')).toBe(`"v${version}"`)
  expect(made.headers.get('location')).toBe(`/api/chat/sessions/${sessionId}`)
  await using session = await server.store.open(sessionId)
  expect([session.name, session.config.model, session.seq]).toEqual(['Sorting', 'demo/demo', version])
  expect((await get(sessionId)).body).toMatchObject({ sessionId, title: 'Sorting', tags: ['a', 'b'], tool: 'treeline' })
})

test('D3 a client’s own id: asked for again it is the same session, anything else under it is refused', async () => {
  const body = { sessionId: 'my-own.1', title: 'Mine', tags: ['x'] }
  expect((await create(body)).status).toBe(201)
  const again = await create(body)
  expect([again.status, again.body.sessionId]).toEqual([201, 'my-own.1'])
  for (const other of [{ ...body, title: 'Yours' }, { ...body, tags: [] }, { sessionId: 'my-own.1' }]) {
    expect((await create(other)).problem).toMatchObject({ status: 409, code: 'id_in_use' })
  }
  const used = await server.say('Something')
  expect((await create({ sessionId: used })).problem?.code).toBe('id_in_use')
})

test('what is no session is refused, and none is made of it', async () => {
  for (const body of [
    { sessionId: '../up' },
    { sessionId: '' },
    { mode: 'star' },
    { tags: [''] },
    { title: 'x'.repeat(501) },
    { settings: { approvalMode: 'yolo' } },
    { cwd: '/etc' },
    'no JSON',
  ]) {
    expect((await ask(server, routes.createSession, { body })).status, JSON.stringify(body)).toBe(400)
  }
})

test('a summary says what is known, and 304 to whoever knows it', async () => {
  const sessionId = await server.say('How do I sort\n a list?', 'And then?')
  const { body, headers } = await get(sessionId)
  expect(body).toMatchObject({
    nodeCount: 2,
    branchCount: 1,
    preview: 'How do I sort a list?',
    generating: 0,
    version: 3,
  })
  const known = await get(sessionId, { 'if-none-match': headers.get('etag')! })
  expect([known.status, known.headers.get('etag')]).toEqual([304, headers.get('etag')])
  expect((await get('no-such')).problem).toMatchObject({ status: 404, code: 'session_not_found' })
})

test('a patch is one line and one event, and changes only what it names', async () => {
  const sessionId = await server.say('One')
  const before = (await get(sessionId)).body
  const events: unknown[] = []
  using lease = await server.server.services.hub.acquire(sessionId)
  const told = Promise.withResolvers<void>()
  lease.live.listen({
    onFrame: (frame) => {
      events.push(...frame.events)
      told.resolve()
    },
    onText() {},
    onReset() {},
    onGone() {},
  })
  const all = {
    title: 'New',
    tags: ['t'],
    mode: 'linear',
    starred: true,
    archived: true,
    settings: { systemPrompt: 'Hi' },
  }
  const changed = await patch(sessionId, all)
  expect(changed.body).toMatchObject({ title: 'New', tags: ['t'], mode: 'linear', starred: true, archived: true })
  expect(changed.body.version).toBe(before.version + 1)
  await told.promise
  expect(events).toMatchObject([
    {
      type: 'session.updated',
      cause: { actor: 'test' },
      patch: {
        title: 'New',
        tags: ['t'],
        mode: 'linear',
        starred: true,
        archived: true,
        config: { systemPrompt: 'Hi' },
      },
    },
  ])
  expect((await patch(sessionId, { title: 'New', starred: true })).body.version).toBe(before.version + 1)
  expect((await patch(sessionId, {})).body.version).toBe(before.version + 1)
  const back = await patch(sessionId, { title: '', archived: false, starred: false })
  expect(back.body).toMatchObject({ title: '', tags: ['t'], starred: false, archived: false, mode: 'linear' })
  expect((await patch(sessionId, { title: 'x', id: 'y' })).problem?.status).toBe(400)
  expect((await patch('no-such', { title: 'x' })).problem?.code).toBe('session_not_found')
})

test('lists: words, tags, orders and pages, from the index; archived ones when asked for, empty ones unless not wanted', async () => {
  const ids: string[] = []
  for (const title of ['walnut b', 'walnut c', 'walnut a']) {
    const sessionId = await server.say(`About ${title}`)
    await patch(sessionId, { title, tags: title === 'walnut c' ? ['tree nut'] : [] })
    ids.push(sessionId)
  }
  const [b, c, a] = ids as [string, string, string]
  const { body } = await list({ q: 'walnut' })
  expect(idsOf(body.items)).toEqual([a, c, b])
  expect(body.items[0]).toMatchObject({ title: 'walnut a', preview: 'About walnut a', nodeCount: 1, tool: 'treeline' })
  expect(idsOf((await list({ q: 'walnut', sort: 'updatedAt' })).body.items)).toEqual([b, c, a])
  expect(idsOf((await list({ q: 'walnut', sort: 'createdAt' })).body.items)).toEqual([b, c, a])
  expect(idsOf((await list({ q: 'walnut', sort: '-createdAt' })).body.items)).toEqual([a, c, b])
  expect(idsOf((await list({ q: 'walnut', sort: 'title' })).body.items)).toEqual([a, b, c])
  expect(idsOf((await list({ tag: 'tree nut' })).body.items)).toEqual([c])
  expect((await list({ tag: 'tree' })).body.items).toEqual([])
  const first = (await list({ q: 'walnut', limit: '2' })).body
  expect(idsOf(first.items)).toEqual([a, c])
  const second = (await list({ q: 'walnut', limit: '2', cursor: first.nextCursor })).body
  expect([idsOf(second.items), second.nextCursor]).toEqual([[b], null])
  await patch(c, { starred: true })
  expect(idsOf((await list({ q: 'walnut', starred: 'true' })).body.items)).toEqual([c])
  await patch(b, { archived: true })
  expect(idsOf((await list({ q: 'walnut' })).body.items)).not.toContain(b)
  expect(idsOf((await list({ q: 'walnut', archived: 'true' })).body.items)).toContain(b)
  const { sessionId } = (await create({ title: 'walnut, nothing asked' })).body
  expect(idsOf((await list({ q: 'walnut' })).body.items)).toContain(sessionId)
  expect(idsOf((await list({ q: 'walnut', empty: 'false' })).body.items)).not.toContain(sessionId)
  for (const query of [{ limit: '0' }, { sort: 'size' }, { cursor: 'x' }, { path: '/' }]) {
    expect((await list(query)).status, JSON.stringify(query)).toBe(400)
  }
})

test('the list shows what was just changed, and a mode as it is', async () => {
  const sessionId = await server.say('pistachio')
  await patch(sessionId, { mode: 'linear' })
  const version = (await patch(sessionId, { title: 'Renamed now' })).body.version
  const [item] = (await list({ q: 'pistachio' })).body.items
  expect(item).toMatchObject({ sessionId, title: 'Renamed now', mode: 'linear', version })
})

test('R1 a deleted session is in the trash and can be brought back; a starred one stays', async () => {
  const sessionId = await server.say('Away')
  await patch(sessionId, { starred: true })
  expect((await remove(sessionId)).problem).toMatchObject({ status: 403, code: 'forbidden' })
  await patch(sessionId, { starred: false })
  using lease = await server.server.services.hub.acquire(sessionId)
  const gone = Promise.withResolvers<boolean>()
  lease.live.listen({ onFrame() {}, onText() {}, onReset() {}, onGone: gone.resolve })
  expect((await remove(sessionId)).status).toBe(204)
  expect(await gone.promise).toBe(true)
  expect((await get(sessionId)).status).toBe(404)
  expect((await remove(sessionId)).problem?.code).toBe('session_not_found')
  expect((await listTrash(server.home)).map((item) => item.sessionId)).toContain(sessionId)
})

test('R1 to purge needs the scope admin, takes it out of the trash too, and is audited', async () => {
  const token = await server.credentials.createToken({ name: 'writer', scope: 'write' })
  const asWriter = { authorization: `Bearer ${token}` }
  const [sessionId, other] = [await server.say('For good'), await server.say('From the trash')]
  expect((await remove(sessionId, { purge: 'true' }, asWriter)).problem).toMatchObject({ status: 403 })
  expect((await get(sessionId)).status).toBe(200)
  expect((await remove(sessionId, { purge: 'true' })).status).toBe(204)
  expect((await remove(other, {}, asWriter)).status).toBe(204)
  expect((await remove(other, { purge: 'true' })).status).toBe(204)
  expect((await remove(other, { purge: 'true' })).problem?.code).toBe('session_not_found')
  expect((await listTrash(server.home)).map((item) => item.sessionId)).not.toContain(other)
  const purged = (await readAudit(server.home)).filter(({ action }) => action === 'purge')
  expect(purged.flatMap(({ sessionIds }) => sessionIds)).toEqual([other, sessionId])
  const [trashed] = (await readAudit(server.home)).filter(({ action }) => action === 'trash')
  expect(trashed?.reason).toContain('writer')
})

test('settings are merged, `null` takes one away, and yolo cannot be set', async () => {
  const sessionId = await server.say('Config')
  const put = (body: unknown) => ask(server, routes.putConfig, { params: { sessionId }, body })
  const changed = await put({ approvalMode: 'autoEdit', model: 'demo/demo' })
  expect(changed.body).toMatchObject({ approvalMode: 'autoEdit', approvalTools: [], model: 'demo/demo' })
  const less = await put({ model: null })
  expect(less.body).toMatchObject({ approvalMode: 'autoEdit' })
  expect(less.body.model).toBeUndefined()
  expect((await put({ approvalMode: 'yolo' })).problem).toMatchObject({ status: 403, code: 'forbidden' })
  const allow = await put({ approvalTools: ['bash'] })
  expect(allow.problem).toMatchObject({ status: 403, code: 'forbidden' })
  for (const wrong of [{ approvalMode: ['yolo'] }, { colour: 'red' }, { approvalTools: 'bash' }]) {
    expect((await put(wrong)).problem?.status, JSON.stringify(wrong)).toBe(422)
  }
  expect((await put([])).problem?.status).toBe(400)
  const got = await ask(server, routes.getConfig, { params: { sessionId } })
  expect(got.body).toEqual(less.body)
  expect(got.headers.get('etag')).toBe(less.headers.get('etag'))
  // To allow less is always allowed.
  expect((await put({ approvalMode: 'default', approvalTools: [] })).body).toMatchObject({ approvalMode: 'default' })
})

test('what is being generated is counted, and cancelled before its session goes', async () => {
  const sessionId = await server.say('Tell me a long story')
  await using session = await server.store.open(sessionId)
  const nodeId = session.leafId!
  await session.close()
  const begun = await ask(server, routes.generate, { params: { sessionId, nodeId }, body: {} })
  expect(begun.status).toBe(202)
  expect((await get(sessionId)).body.generating).toBe(1)
  const [listed] = (await list({ q: 'long story' })).body.items
  expect(listed).toMatchObject({ sessionId, generating: 1 })
  expect((await remove(sessionId)).status).toBe(204)
  expect(server.server.services.generations.count).toBe(0)
})

test('a session that a terminal has open stays, and those who follow it are not told that it is gone', async () => {
  const sessionId = await server.say('Held')
  await using _terminal = await server.store.open(sessionId)
  using lease = await server.server.services.hub.acquire(sessionId)
  const over = Promise.withResolvers<boolean>()
  lease.live.listen({ onFrame() {}, onText() {}, onReset() {}, onGone: over.resolve })
  expect((await remove(sessionId)).problem).toMatchObject({ status: 409, code: 'session_locked' })
  expect(await over.promise).toBe(false)
  expect((await patch(sessionId, { title: 'Still here' })).body.title).toBe('Still here')
})

test.each([
  ['yolo does not come', { approvalMode: 'yolo' }, { approvalMode: 'default' }],
  ['a tool that runs unasked does not come', { approvalTools: ['bash'] }, { approvalTools: null }],
])('%s back by an undo either', async (_, free, careful) => {
  const sessionId = await server.say('Undo')
  {
    await using terminal = await server.store.open(sessionId)
    await terminal.setConfig(free)
    await terminal.edit({ id: 'careful1', operations: [{ op: 'config', patch: careful }] })
  }
  const undone = await ask(server, routes.undo, { params: { sessionId }, body: { opId: 'careful1' } })
  expect(undone.problem).toMatchObject({ status: 403, code: 'forbidden' })
  await using session = await server.store.open(sessionId)
  expect(session.config).toMatchObject({ approvalMode: 'default', approvalTools: [] })
})
