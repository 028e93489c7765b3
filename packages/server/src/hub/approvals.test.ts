import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTalkServer, type TalkServer } from '../handlers/generate/testing/talk-server.ts'
import { serverTools } from '../server-tools.ts'
import { watchSession } from '../testing/watch-session.ts'

let server: TalkServer
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-approvals-'))
  server = await startTalkServer()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

test('rule 13 K4 a tool runs when somebody has seen exactly what it will do and allowed it', async () => {
  const sid = await server.newSession()
  using watched = await watchSession(server.test.server, sid)
  const path = join(folder, 'a.txt')
  const { body } = await server.post(`${sid}/message`, { parentId: null, content: `Please write to ${path}` })
  const asked = await watched.until('approval.requested')
  expect(asked).toMatchObject({
    nodeId: body.generations[0]!.node.id,
    tool: 'write',
    input: { path, content: 'Hello' },
  })
  expect(asked.shown).toContain('Hello')
  const { approvalId } = asked
  const other = await server.newSession()
  for (const wrong of [`${other}/approvals/${approvalId}`, `${sid}/approvals/call_1`]) {
    const refused = await server.post(wrong, { decision: 'once' })
    expect(refused).toMatchObject({ status: 404, body: { code: 'approval_not_found' } })
  }
  expect((await server.post(`${sid}/approvals/${approvalId}`, { decision: 'yolo' })).status).toBe(400)
  const resolved = await server.post(`${sid}/approvals/${approvalId}`, { decision: 'once' })
  expect(resolved).toMatchObject({ status: 200, body: { approvalId, decision: 'once' } })
  expect(await watched.until('approval.resolved')).toMatchObject({ approvalId, decision: 'once' })
  await watched.until('node.completed', ({ node }) => node.content.startsWith('Yes'))
  expect(readFileSync(path, 'utf8')).toBe('Hello')
  expect((await server.post(`${sid}/approvals/${approvalId}`, { decision: 'once' })).status).toBe(404)
})

test('two answers side by side whose calls have the same id are asked about each for itself', async () => {
  const sid = await server.newSession()
  using watched = await watchSession(server.test.server, sid)
  const path = join(folder, 'b.txt')
  const content = `Please write to ${path}`
  const { body } = await server.post(`${sid}/message`, { parentId: null, content, generate: [{}, {}] })
  const [one, two] = await Promise.all(
    body.generations.map(({ node }) => watched.until('approval.requested', (event) => event.nodeId === node.id)),
  )
  expect(one!.approvalId).not.toBe(two!.approvalId)
  await server.post(`${sid}/approvals/${two!.approvalId}`, { decision: 'deny', reason: 'no' })
  const resolved = await watched.until('approval.resolved')
  expect(resolved).toMatchObject({ approvalId: two!.approvalId, decision: 'deny', reason: 'no' })
  expect(() => readFileSync(path)).toThrow()
  // The turn that is still waiting is cancelled by the generation that asks; its question is taken away.
  const { generationId } = body.generations[0]!
  expect((await server.post(`${sid}/generations/${generationId}/cancel`, {})).status).toBe(202)
  const taken = await watched.until('approval.resolved', ({ approvalId }) => approvalId === one!.approvalId)
  expect(taken.decision).toBe('deny')
})

test('K4 two calls of one answer that claim the same id are asked about one by one: what was said to one counts for it alone', async () => {
  const sid = await server.newSession()
  using watched = await watchSession(server.test.server, sid)
  const paths = [join(folder, 'c.txt'), join(folder, 'd.txt')]
  await server.post(`${sid}/message`, { parentId: null, content: `Please write to ${paths[0]} and to ${paths[1]}` })
  const first = await watched.until('approval.requested')
  const allow = () => server.post(`${sid}/approvals/${first.approvalId}`, { decision: 'once' })
  expect((await allow()).status).toBe(200)
  const second = await watched.until('approval.requested', ({ shown }) => shown.includes('d.txt'))
  expect(second.approvalId).not.toBe(first.approvalId)
  expect((await allow()).status).toBe(404)
  expect(() => readFileSync(paths[1]!)).toThrow()
  await server.post(`${sid}/approvals/${second.approvalId}`, { decision: 'deny' })
  await watched.until('approval.resolved', ({ decision }) => decision === 'deny')
  expect(readFileSync(paths[0]!, 'utf8')).toBe('Hello')
})

test('a terminal that lets everything run unasked lets nothing run for who asks over HTTP', async () => {
  const sid = await server.newSession()
  await using terminal = await server.test.store.open(sid)
  await terminal.setConfig({ approvalMode: 'yolo' })
  using watched = await watchSession(server.test.server, sid)
  const path = join(folder, 'e.txt')
  const { body } = await server.post(`${sid}/message`, { parentId: null, content: `Please write to ${path}` })
  const asked = await watched.until('approval.requested')
  expect(asked.nodeId).toBe(body.generations[0]!.node.id)
  // Also what it lets run only now.
  await terminal.setConfig({ approvalMode: 'default' })
  await terminal.setConfig({ approvalMode: 'yolo' })
  await server.post(`${sid}/approvals/${asked.approvalId}`, { decision: 'deny', reason: 'no' })
  await watched.until('node.completed', ({ node }) => node.content.startsWith('Yes'))
  expect(() => readFileSync(path)).toThrow()
})

test('without being started for it a server has no tool that writes or runs', () => {
  const names = (withTools: boolean) => serverTools({ bashTimeoutMs: 1_000 }, { withTools }).map(({ name }) => name)
  expect(names(true)).toEqual(expect.arrayContaining(['write', 'edit', 'bash']))
  expect(names(false)).toEqual(expect.arrayContaining(['read', 'ls', 'grep', 'find']))
  for (const name of ['write', 'edit', 'bash']) expect(names(false)).not.toContain(name)
})
