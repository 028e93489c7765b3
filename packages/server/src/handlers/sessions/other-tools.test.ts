import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usualSources } from '@treeline/formats'
import { routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../testing/ask.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let folder: string
let piFile: string

const entry = (type: string, rest: object) => JSON.stringify({ type, timestamp: '2026-01-02T03:04:05.000Z', ...rest })
const PI = [
  entry('session', { version: 3, id: 'pi-session-1', cwd: '/p' }),
  entry('message', {
    id: 'aa000001',
    parentId: null,
    message: { role: 'user', content: 'Peel an orange', timestamp: 1 },
  }),
  entry('message', {
    id: 'aa000002',
    parentId: 'aa000001',
    message: { role: 'user', content: 'And eat it', timestamp: 2 },
  }),
]
const NEOVATE = [
  {
    type: 'message',
    sessionId: 'neo-session-1',
    uuid: 'u1',
    parentUuid: null,
    role: 'user',
    content: 'Peel a lemon',
    timestamp: '2026-01-02T03:04:05.000Z',
  },
  {
    type: 'message',
    sessionId: 'neo-session-1',
    uuid: 'u2',
    parentUuid: 'u1',
    role: 'assistant',
    content: [{ type: 'text', text: 'Done' }],
    timestamp: '2026-01-02T03:04:06.000Z',
    model: 'm',
    usage: { input_tokens: 1, output_tokens: 1 },
    text: 'Done',
  },
].map((line) => JSON.stringify(line))

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-others-')))
  const pi = join(folder, '.pi/agent/sessions/--p--')
  const neovate = join(folder, '.neovate/projects/p')
  for (const made of [pi, neovate]) mkdirSync(made, { recursive: true })
  piFile = join(pi, '2026-01-02T03-04-05-000Z_pi-session-1.jsonl')
  writeFileSync(piFile, `${PI.join('\n')}\n`)
  writeFileSync(join(neovate, 'neo-session-1.jsonl'), `${NEOVATE.join('\n')}\n`)
  server = await startTestServer({ sources: usualSources({ home: join(folder, 'none'), env: { HOME: folder } }) })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const EACH = [
  ['pi', 'pi-session-1', 'Peel an orange', 'aa000001'],
  ['neovate', 'neo-session-1', 'Peel a lemon', 'u1'],
] as const

test('sessions of other tools are listed with the tool’s name, and searched', async () => {
  const { body } = await ask(server, routes.listSessions, { query: { q: 'peel' } })
  const tools = body.items.map(({ tool, sessionId }: { tool: string; sessionId: string }) => [tool, sessionId])
  expect(tools.sort()).toEqual(EACH.map(([tool, id]) => [tool, id]).sort())
  const { body: found } = await ask(server, routes.search, { query: { q: 'peel' } })
  const hits = found.hits.map(({ sessionId, nodeId }: { sessionId: string; nodeId: string }) => [sessionId, nodeId])
  expect(hits.sort()).toEqual(EACH.map(([, id, , nodeId]) => [id, nodeId]).sort())
})

test.each(EACH)(
  'a session of %s is read where it is, and takes no change',
  async (tool, sessionId, preview, nodeId) => {
    await ask(server, routes.listSessions)
    const params = { sessionId }
    const { body, status } = await ask(server, routes.getSession, { params })
    expect(status).toBe(200)
    expect(body).toMatchObject({ sessionId, tool, preview, nodeCount: 2 })
    const before = readFileSync(piFile)
    for (const refused of [
      await ask(server, routes.patchSession, { params, body: { title: 'Mine' } }),
      await ask(server, routes.putConfig, { params, body: { model: 'demo/demo' } }),
      await ask(server, routes.putNodeState, { params: { sessionId, nodeId }, body: { isEnabled: false } }),
    ]) {
      expect(refused.problem).toMatchObject({ status: 403, code: 'forbidden' })
      expect(refused.problem?.detail).toContain('fork it')
    }
    const removed = await ask(server, routes.deleteSession, { params })
    expect(removed.problem).toMatchObject({ status: 403, code: 'forbidden' })
    expect(readFileSync(piFile)).toEqual(before)
    const out = await ask(server, routes.exportSession, { params, query: { format: 'markdown' } })
    expect(out.body).toContain(preview)
  },
)

test.each(EACH)('a fork of a session of %s is ours and goes on', async (_tool, sessionId, preview) => {
  await ask(server, routes.listSessions)
  const { body, status } = await ask(server, routes.forkSession, {
    params: { sessionId },
    body: { nodeId: null, scope: 'path', title: 'My own' },
  })
  expect(status).toBe(201)
  const params = { sessionId: body.sessionId }
  const patched = await ask(server, routes.patchSession, { params, body: { tags: ['x'] } })
  expect(patched.body).toMatchObject({ title: 'My own', tool: 'treeline', nodeCount: 2, preview, tags: ['x'] })
  await using fork = await server.store.open(body.sessionId)
  expect(fork.header.parentSession).toBe(sessionId)
})

test('what another tool adds is seen by those who look', async () => {
  await ask(server, routes.listSessions)
  const params = { sessionId: 'pi-session-1' }
  const { body: before } = await ask(server, routes.getSession, { params })
  const message = { role: 'user', content: 'More', timestamp: 3 }
  const added = entry('message', { id: 'aa000003', parentId: 'aa000002', message })
  writeFileSync(piFile, `${added}\n`, { flag: 'a' })
  const { body: after } = await ask(server, routes.getSession, { params })
  expect([after.nodeCount, after.version]).toEqual([before.nodeCount + 1, before.version + 1])
})

test('of two files with one id none is chosen', async () => {
  cpSync(piFile, `${piFile.slice(0, -'.jsonl'.length)}-copy.jsonl`)
  await server.server.services.index.refresh()
  await server.server.services.hub.evict('pi-session-1')
  const { problem } = await ask(server, routes.getSession, { params: { sessionId: 'pi-session-1' } })
  expect(problem).toMatchObject({ status: 409, code: 'id_in_use' })
})
