import { createHash } from 'node:crypto'
import { LIMITS, routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../testing/ask.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ limits: { blobBytes: 1_000 } })
})
afterAll(() => server[Symbol.asyncDispose]())

const hashOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const put = (sha256: string, body: Uint8Array | ReadableStream) =>
  ask(server, routes.putBlob, { params: { sha256 }, body, headers: { 'content-type': 'image/svg+xml' } })
const getBlob = (sha256: string, headers = {}) => ask(server, routes.getBlob, { params: { sha256 }, headers })

test('a blob is kept under its hash, once, and comes back as a file that no page runs', async () => {
  const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  const sha256 = hashOf(bytes)
  const first = await put(sha256, bytes)
  expect([first.status, first.body]).toEqual([201, { blob: `blob:sha256:${sha256}`, sizeBytes: bytes.length }])
  expect((await put(sha256, bytes)).status).toBe(200)
  const { status, headers, body } = await getBlob(sha256)
  expect([status, body]).toEqual([200, bytes.toString()])
  expect(headers.get('content-type')).toBe('application/octet-stream')
  expect(headers.get('content-disposition')).toBe(`attachment; filename="${sha256}.bin"`)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toContain('sandbox')
  expect((await getBlob(sha256, { 'if-none-match': `"${sha256}"` })).status).toBe(304)
})

test('bytes that are not what the hash names are refused, and so are too many', async () => {
  const sha256 = hashOf('right')
  expect((await put(sha256, Buffer.from('wrong'))).problem).toMatchObject({ status: 422, code: 'validation_failed' })
  expect((await getBlob(sha256)).problem).toMatchObject({ status: 404, code: 'blob_not_found' })
  const large = Buffer.alloc(1_001)
  expect((await put(hashOf(large), large)).problem).toMatchObject({ status: 413, code: 'payload_too_large' })
  for (const wrong of ['abc', sha256.toUpperCase(), `..${sha256.slice(2)}`]) {
    expect((await getBlob(wrong)).status).toBe(400)
  }
  const empty = Buffer.alloc(0)
  expect((await put(hashOf(empty), empty)).status).toBe(201)
})

test('the limits that count here are told', async () => {
  const { body } = await ask(server, routes.getLimits)
  expect(body).toEqual({ ...LIMITS, blobBytes: 1_000 })
})

test('models that can be asked, with the one that is by default', async () => {
  const { body } = await ask(server, routes.getModels)
  const chosen = body.models.filter(({ isDefault }: { isDefault: boolean }) => isDefault)
  expect(chosen).toEqual([expect.objectContaining({ ref: 'demo/demo', isUsable: true })])
})

test('search finds what was said in any session, newest first, page by page', async () => {
  const ids = [
    await server.say('rutabaga one'),
    await server.say('rutabaga two', 'nothing'),
    await server.say('rutabaga 3'),
  ]
  const find = (query: Record<string, string>) => ask(server, routes.search, { query })
  const { body } = await find({ q: 'rutabaga' })
  expect(body.hits.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual(ids.toReversed())
  expect(body.hits[0]).toMatchObject({ role: 'user', snippet: 'rutabaga 3', matches: [[0, 8]] })
  const first = (await find({ q: 'rutabaga', limit: '2' })).body
  const second = (await find({ q: 'rutabaga', limit: '2', cursor: first.nextCursor })).body
  expect([first.hits.length, second.hits.length, second.nextCursor]).toEqual([2, 1, null])
  expect((await find({ q: 'rutabaga', role: 'assistant' })).body.hits).toEqual([])
  expect((await find({ q: 'rutabaga', role: 'user' })).body.hits).toHaveLength(3)
  for (const query of [{ q: '' }, { q: 'x', role: 'constructor' }, { q: 'x', limit: '999' }]) {
    expect((await find(query as never)).status, JSON.stringify(query)).toBe(400)
  }
  expect((await find({ q: 'x', cursor: 'nope' })).problem?.code).toBe('validation_failed')
})

test('a hit has the role that its node has, and is found by it', async () => {
  await using session = await server.store.create({ cwd: server.home.paths.home })
  await session.append({ type: 'message', message: { role: 'user', content: 'celeriac?', timestamp: 0 } })
  const result = { toolCallId: 't1', toolName: 'read', content: [{ type: 'text', text: 'celeriac' }], isError: false }
  await session.append({ type: 'message', message: { role: 'toolResult', ...result, timestamp: 0 } })
  await session.append({ type: 'branch_summary', fromId: 'root', summary: 'celeriac, in short' })
  const roles = async (query: Record<string, string>) => {
    const { hits } = (await ask(server, routes.search, { query: { q: 'celeriac', ...query } })).body
    return hits.map(({ role }: { readonly role: string }) => role)
  }
  expect(await roles({})).toEqual(['system', 'tool', 'user'])
  for (const role of ['system', 'tool', 'user']) expect(await roles({ role })).toEqual([role])
})

test('K1 tokens are made, listed without their secrets, used and revoked, by admins alone', async () => {
  const make = (body: unknown, headers = {}) => ask(server, routes.createToken, { body, headers })
  const { status, body, headers } = await make({ name: 'phone', scope: 'read' })
  expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
  const asPhone = { authorization: `Bearer ${body.token}` }
  expect((await ask(server, routes.getLimits, { headers: asPhone })).status).toBe(200)
  expect((await make({ name: 'more', scope: 'admin' }, asPhone)).status).toBe(403)
  expect((await ask(server, routes.listTokens, { headers: asPhone })).status).toBe(403)
  const cookie = await server.credentials.redeem(server.credentials.newCode())
  expect(cookie).toBeDefined()
  const listed = await ask(server, routes.listTokens)
  expect(listed.body.tokens).toMatchObject([
    { kind: 'token', name: 'test', scope: 'admin' },
    { kind: 'token', name: 'phone', scope: 'read' },
    { kind: 'cookie', name: 'browser', expiresAt: expect.any(String) },
  ])
  expect(JSON.stringify(listed.body)).not.toContain(body.token)
  expect((await make({ name: 'phone', scope: 'read' })).problem?.code).toBe('id_in_use')
  expect((await make({ name: 'browser', scope: 'read' })).problem?.status).toBe(422)
  expect((await make({ name: 'x', scope: 'root' })).problem?.status).toBe(400)
  const revoke = (name: string) => ask(server, routes.revokeToken, { params: { name } })
  expect((await revoke('phone')).status).toBe(204)
  expect((await revoke('phone')).problem).toMatchObject({ status: 404, code: 'token_not_found' })
  expect((await ask(server, routes.getLimits, { headers: asPhone })).status).toBe(401)
  const told = server.logged.filter(({ message }) => String(message).startsWith('token'))
  expect(told.map(({ message, by }) => [message, by])).toEqual([
    ['token made', 'test'],
    ['token revoked', 'test'],
  ])
  expect(JSON.stringify(server.logged)).not.toContain(body.token)
})
