import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { loadWriter } from '@treeline/formats'
import { routes } from '@treeline/protocol'
import { openMemoryStore, type Session } from '@treeline/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../testing/ask.ts'
import { hasShared, SKIPPED, sharedLogs } from '../../testing/shared-logs.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ limits: { importBytes: 100_000, formBytes: 90_000 } })
})
afterAll(() => server[Symbol.asyncDispose]())

const send = (body: unknown, headers: Record<string, string> = {}, query = {}) =>
  ask(server, routes.importSession, { body, headers, query })
const bytes = { 'content-type': 'application/octet-stream' }
const exported = (sessionId: string, query: Record<string, string>) =>
  ask(server, routes.exportSession, { params: { sessionId }, query })

function form(file: string | Uint8Array, format?: string): { body: Uint8Array; headers: Record<string, string> } {
  const field = (name: string, more = '') =>
    `--b0undary\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const parts = [
    Buffer.from(field('file', '; filename="../../etc/passwd"\r\nContent-Type: text/html')),
    Buffer.from(file),
    Buffer.from(format === undefined ? '' : `\r\n${field('format')}${format}`),
    Buffer.from('\r\n--b0undary--\r\n'),
  ]
  return { body: Buffer.concat(parts), headers: { 'content-type': 'multipart/form-data; boundary=b0undary' } }
}

/** A log of Pi’s with two branches and a mute of ours, as text. */
async function sampleLog(): Promise<string> {
  await using store = await openMemoryStore()
  await using session = await store.create({
    id: `log-${Math.random().toString(36).slice(2)}`,
    title: 'Sample',
    cwd: '/p',
  })
  const say = (content: string, id: string, parentId?: string | null) =>
    session.append({ type: 'message', id, message: { role: 'user', content, timestamp: 0 } }, { parentId })
  await say('Root <script>alert(1)</script>', 'n1', null)
  await say('Kumquat', 'n2', 'n1')
  await say('Tangerine', 'n3', 'n2')
  await say('Pomelo', 'n4', 'n1')
  await session.edit({
    operations: [
      { op: 'mute', nodeIds: ['n2'] },
      { op: 'leaf', leafId: 'n3' },
    ],
  })
  return await written(session)
}

async function written(session: Session): Promise<string> {
  const parts: string[] = []
  const writer = await loadWriter('jsonl')
  await writer.write(session, (part) => void parts.push(part), {})
  return parts.join('')
}

test('a log comes in by each of the three ways, and again with nothing new', async () => {
  const log = await sampleLog()
  const first = await send(log, bytes)
  expect(first.status).toBe(201)
  const { sessionId, imported } = first.body
  expect(imported).toBeGreaterThanOrEqual(5)
  expect(first.headers.get('location')).toBe(`/api/chat/sessions/${sessionId}`)
  const { body, headers } = form(log, 'native')
  for (const again of [
    await send(body, headers),
    await send({ data: log }),
    await send({ format: 'auto', data: log }),
  ]) {
    expect(again.body).toMatchObject({ sessionId, imported: 0 })
    expect(again.body.skipped).toBeGreaterThanOrEqual(4)
  }
  await using session = await server.store.open(sessionId)
  expect([session.name, session.leafId]).toEqual(['Sample', 'n3'])
})

test('what a killed server left of an import goes with the next one', async () => {
  const { incoming } = server.home.paths
  const [old, fresh] = [join(incoming, 'file-old'), join(incoming, 'file-fresh')]
  for (const folder of [old, fresh]) mkdirSync(folder, { recursive: true })
  utimesSync(old, 0, 0)
  await send(await sampleLog(), bytes)
  expect(readdirSync(incoming)).toEqual(['file-fresh'])
  rmSync(fresh, { recursive: true })
})

test('export and import again: the same tree, with its mutes', async () => {
  const { sessionId } = (await send(await sampleLog(), bytes)).body
  const out = await exported(sessionId, { format: 'jsonl' })
  await using other = await startTestServer()
  const back = await ask(other, routes.importSession, { body: out.body, headers: bytes })
  const tree = async (on: TestServer, id: string) => {
    await using session = await on.store.open(id)
    const { tree } = session
    return (
      tree.ids.find('n2') > 0 &&
      [...tree.columns.subtree(0)].map((ref) => [tree.ids.textOf(ref), tree.columns.flags[ref]])
    )
  }
  expect(await tree(other, back.body.sessionId)).toEqual(await tree(server, sessionId))
})

test('every format of every scope is a file to keep, never a page', async () => {
  const { sessionId } = (await send(await sampleLog(), bytes)).body
  for (const format of ['json', 'jsonl', 'markdown', 'text', 'html']) {
    for (const scope of ['trunk', 'tree', 'node:n4']) {
      const { status, headers, body } = await exported(sessionId, { format, scope })
      expect(status).toBe(200)
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.(json|jsonl|md|txt|html)"$/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain('sandbox')
      expect(headers.get('etag')).toMatch(/^"v\d+\.[\w-]+"$/)
      expect(body, `${format} ${scope}`).toContain(scope === 'node:n4' ? 'Pomelo' : 'Tangerine')
      if (format !== 'html' && scope === 'trunk') expect(body, format).not.toContain('Pomelo')
      if (format === 'html' || format === 'markdown') expect(body).not.toContain('<script>alert(1)')
    }
  }
})

test('enabledOnly leaves out what is muted, and what hung under it stays', async () => {
  const { sessionId } = (await send(await sampleLog(), bytes)).body
  for (const [format, scope] of [
    ['json', 'trunk'],
    ['json', 'tree'],
    ['jsonl', 'trunk'],
    ['markdown', 'trunk'],
    ['text', 'trunk'],
    ['html', 'tree'],
  ] as const) {
    const { body, status } = await exported(sessionId, { format, scope, enabledOnly: 'true' })
    expect(status).toBe(200)
    expect(body, `${format} ${scope}`).toContain('Tangerine')
    expect(body, `${format} ${scope}`).not.toContain('Kumquat')
  }
  const nodes = JSON.parse((await exported(sessionId, { enabledOnly: '1', scope: 'trunk' })).body).nodes
  expect(nodes.map(({ id, parentId }: { id: string; parentId: string }) => [id, parentId])).toEqual([
    ['n1', null],
    ['n3', 'n1'],
  ])
  const refused = await exported(sessionId, { format: 'jsonl', scope: 'tree', enabledOnly: '1' })
  expect(refused.problem).toMatchObject({ status: 422, code: 'validation_failed' })
  await using session = await server.store.open(sessionId)
  expect(session.seq).toBe(Number(/\d+/.exec((await exported(sessionId, {})).headers.get('etag')!)![0]))
})

test('what cannot be exported is refused', async () => {
  const sessionId = await server.say('One')
  expect((await exported(sessionId, { scope: 'node:nope' })).problem?.code).toBe('node_not_found')
  expect((await exported('no-such', {})).problem?.code).toBe('session_not_found')
  for (const query of [{ format: 'exe' }, { scope: 'node:../x' }, { scope: 'all' }, { enabledOnly: 'maybe' }]) {
    expect((await exported(sessionId, query)).status, JSON.stringify(query)).toBe(400)
  }
})

test('what is no session, of no format or too large is refused with 4xx, and nothing is left of it', async () => {
  const refused = async (status: number, ...given: Parameters<typeof send>) => {
    const { problem } = await send(...given)
    expect(problem?.status, problem?.detail).toBe(status)
    expect(problem?.detail).not.toContain(server.home.paths.home)
  }
  await refused(400, '', bytes)
  await refused(422, 'not a session at all', bytes)
  await refused(422, '{"a":1}', bytes)
  await refused(422, { format: 'word', data: '{}' })
  await refused(422, 'x', bytes, { format: 'constructor' })
  await refused(400, { data: 1 })
  await refused(400, { data: 'x', path: '/etc/passwd' })
  await refused(415, 'x', { 'content-type': 'text/plain' })
  await refused(413, 'x'.repeat(100_001), bytes)
  await refused(413, form('x'.repeat(90_001)).body, form('').headers)
  await refused(400, form('x', 'auto').body, { 'content-type': 'multipart/form-data' })
  await refused(400, form('x').body.subarray(0, 90), form('').headers)
  expect(readdirSync(server.home.paths.incoming)).toEqual([])
})

test('a body without a length is stopped at the limit', async () => {
  const refusals = () => server.logged.filter(({ route, status }) => route === 'importSession' && status === 413).length
  const before = refusals()
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(20_000, 'x')) })
  const init = { method: 'POST', headers: bytes, body: endless, duplex: 'half' } as RequestInit
  // The answer may be overtaken by the end of the connection; that there was one the log tells.
  await server.fetch('/api/chat/sessions/import', init).catch(() => undefined)
  expect(refusals()).toBe(before + 1)
})

test('K3 a file cannot allow itself tools, nor choose where it is kept', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create({ id: 'sneaky', cwd: '/../../../etc' })
  await session.append({ type: 'message', id: 'n1', message: { role: 'user', content: 'Hi', timestamp: 0 } })
  await session.setConfig({ approvalMode: 'yolo', approvalTools: ['bash'], model: 'demo/demo' })
  const { body } = await send(await written(session), bytes)
  expect(body.warnings.join()).toContain('tools')
  await using taken = await server.store.open(body.sessionId)
  expect(taken.config).toMatchObject({ approvalMode: 'default', approvalTools: [], model: 'demo/demo' })
  expect(taken.path.startsWith(server.home.paths.sessions)).toBe(true)
})

test.skipIf(!hasShared)(
  `files that other tools made come in with every branch${hasShared ? '' : `: ${SKIPPED}`}`,
  async () => {
    const sample = [
      'pi/02-branched-summary-v3',
      'neovate/forked-twice',
      'omp18/sessions/all-entry-types',
      'xcsh/sessions/all-entry',
    ]
    let count = 0
    for (const [name, path] of sharedLogs(...sample)) {
      const { status, body } = await send(readFileSync(path), bytes)
      expect(status, name).toBe(201)
      expect(body.imported, name).toBeGreaterThan(0)
      const { body: summary } = await ask(server, routes.getSession, { params: { sessionId: body.sessionId } })
      expect(summary.nodeCount, name).toBeGreaterThan(0)
      count++
    }
    expect(count).toBeGreaterThan(3)
  },
)
