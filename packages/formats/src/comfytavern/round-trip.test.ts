import { Flag } from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFrom } from '../create-from.ts'
import type { Translation, WriteOptions } from '../format.ts'
import { takeSample } from '../sample.ts'
import { makeRichSession } from '../testing/rich-session.ts'
import { runs } from '../testing/runs.ts'
import { detectComfytavern } from './detect.ts'
import { readComfytavern } from './read.ts'
import { comfytavernWriter } from './write.ts'

const encoder = new TextEncoder()
const read = (document: unknown): Translation =>
  readComfytavern({ path: 'chats/talk.json', bytes: encoder.encode(JSON.stringify(document)) })

async function write(session: Session, options: WriteOptions = {}) {
  const pieces: string[] = []
  const notes = await comfytavernWriter.write(session, (piece) => void pieces.push(piece), options)
  return { document: JSON.parse(pieces.join('')), said: notes.map(({ message }) => message) }
}

async function through<T>(translation: Translation, act: (session: Session) => Promise<T>): Promise<T> {
  await using store = await openMemoryStore()
  const problems: string[] = []
  await using session = await createFrom(store, translation, { onLeftOut: ({ message }) => problems.push(message) })
  expect(problems).toEqual([])
  return await act(session)
}
/** As text, so that the order of keys counts too. */
async function expectBack(document: unknown): Promise<void> {
  const { document: back } = await through(read(document), write)
  expect(JSON.stringify(back, null, 1)).toBe(JSON.stringify(document, null, 1))
}

const at = (second: number) => `2025-06-01T10:00:0${second}.000Z`
const node = (id: string, parentId: string | null, children: readonly string[], more: object = {}) => ({
  id,
  parentId,
  children,
  role: 'user',
  content: `of ${id}`,
  status: 'complete',
  isEnabled: true,
  createdAt: at(1),
  updatedAt: at(1),
  ...more,
})
const built = {
  sessionId: 'chat-1',
  title: 'A talk',
  createdAt: at(0),
  updatedAt: at(9),
  version: 7,
  rootNodeIds: ['s'],
  activeLeafId: 'a2',
  metadata: { model: 'm', tags: ['x'] },
  assets: [{ id: 'f', path: 'assets/chats/chat-1/f.png' }],
  nodes: {
    s: node('s', null, ['u'], { role: 'system' }),
    u: node('u', 's', ['a2', 'a1'], { attachments: [{ fileId: 'f' }] }),
    a1: node('a1', 'u', [], { role: 'assistant', isEnabled: false, metadata: { rating: 4, mine: { deep: [1] } } }),
    a2: node('a2', 'u', [], {
      role: 'assistant',
      metadata: { model: 'gpt', cost: 0.02, latency: 1200, tokenCount: { context: 100, output: 20 }, rating: 5 },
    }),
    e: node('e', 'u', [], { role: 'assistant', status: 'error', error: 'rate limit', content: '' }),
    g: node('g', 'u', [], { role: 'assistant', status: 'generating', content: 'half a' }),
  },
}
const seedNode = (id: string, parentId: string | null, childrenIds: readonly string[], more: object = {}) => ({
  id,
  parentId,
  childrenIds,
  content: `of ${id}`,
  role: 'user',
  status: 'complete',
  isEnabled: true,
  timestamp: at(2),
  ...more,
})
const seed = {
  sessionId: 'not / a safe id',
  nodes: {
    r: seedNode('r', null, ['a', 'b']),
    a: seedNode('a', 'r', [], { role: 'assistant', metadata: { model: 'm', isTruncated: true } }),
    b: seedNode('b', 'r', [], { role: 'system', metadata: { summarizedFrom: ['r', 'a'] } }),
  },
  rootNodeId: 'r',
  activeLeafId: 'a',
  title: 'Seed',
  createdAt: at(0),
  updatedAt: at(3),
}

test('T16 T19 a document as it was built is a session: every branch, mutes, ratings, order, leaf, title', async () => {
  const translation = read(built)
  expect(translation).toMatchObject({ sessionId: 'chat-1', title: 'A talk', createdAt: at(0), leafId: 'a2' })
  await through(translation, async (session) => {
    const { tree } = session
    const names = (id: string | null) =>
      tree.columns.children(id === null ? 0 : tree.ids.find(id)).map((ref) => tree.ids.textOf(ref))
    expect(names(null)).toEqual(['s'])
    expect(names('u')).toEqual(['a2', 'a1', 'e', 'g'])
    expect(tree.columns.has(tree.ids.find('a1'), Flag.muted)).toBe(true)
    expect(tree.edits.meta.get(tree.ids.find('a2'))?.get('rating')).toBe(5)
    expect([session.id, session.name, session.leafId]).toEqual(['chat-1', 'A talk', 'a2'])
    const answer = await session.readEntry('a2')
    expect(answer!.message).toMatchObject({
      model: 'gpt',
      latency: { totalMs: 1200 },
      usage: { input: 100, output: 20, cost: { total: 0.02 } },
      stopReason: 'stop',
    })
  })
})

test('X47 only what is complete and enabled is in the line', async () => {
  await through(read(built), async (session) => {
    const reasonOf = async (leafId: string) =>
      (await session.line({ leafId })).nodes.find(({ nodeId }) => nodeId === leafId)
    expect(await reasonOf('a2')).toMatchObject({ in: true })
    expect(await reasonOf('a1')).toMatchObject({ in: false, reason: 'muted' })
    expect(await reasonOf('e')).toMatchObject({ in: false, reason: 'failed' })
    expect(await reasonOf('g')).toMatchObject({ in: false, reason: 'failed' })
  })
})

test.each([
  ['as built', built],
  ['as designed', seed],
  ['empty', { sessionId: 'x', nodes: {}, rootNodeIds: [], activeLeafId: null, title: '', version: 0 }],
  ['without most fields', { nodes: { a: { parentId: null, role: 'user' } } }],
])('T17 T18 a document %s comes back as it was, keys in their order', async (_name, document) => {
  await expectBack(document)
})

test('X52 the bugs of ComfyTavern are survived and told: prune, graft, delete, rings, unknown parents', async () => {
  const broken = {
    ...built,
    activeLeafId: 'gone',
    rootNodeIds: ['s', 's', 'missing'],
    nodes: {
      s: node('s', null, []),
      pruned: node('pruned', 's', []),
      twice: node('twice', 's', ['child', 'child', 'pruned']),
      child: node('child', 'twice', []),
      orphan: node('orphan', 'deleted', []),
      a: node('a', 'b', ['b']),
      b: node('b', 'a', ['a']),
      renamed: node('other', 's', []),
      nothing: null,
      under: node('under', 'nothing', []),
      odd: { ...node('odd', '', []), role: 'narrator', content: { parts: [] }, isEnabled: 'no', createdAt: 'never' },
    },
  }
  const translation = read(broken)
  const parents = Object.fromEntries(translation.entries.map(({ id, parentId }) => [id, parentId]))
  expect(parents).toMatchObject({ pruned: 's', child: 'twice', orphan: 'deleted', a: null, b: 'a', under: 'nothing' })
  expect(translation.leafId).toBeNull()
  const said = translation.notes.map(({ message }) => message).join('\n')
  for (const what of [
    'Node a is below itself',
    'parent of node orphan is missing',
    'listed twice',
    'missing from the list of children',
    'active leaf "gone" is missing',
    'nothing is no node',
    'calls itself otherwise',
    'role that is not known',
    'is no text',
  ]) {
    expect(said).toContain(what)
  }
  await expectBack(broken)
})

test('ids that are names of other things, or none, survive as data', async () => {
  const document = JSON.parse(`{"sessionId":"s","rootNodeIds":["__proto__",""],"activeLeafId":"constructor","nodes":{
    "__proto__":{"id":"__proto__","parentId":null,"children":["constructor"],"role":"user","content":"x","__proto__":{"a":1}},
    "constructor":{"id":"constructor","parentId":"__proto__","children":[],"role":"user","content":"y"},
    "":{"id":"","parentId":null,"children":["\\ud800"],"role":"user","content":"z"},
    "\\ud800":{"id":"\\ud800","parentId":"","children":[],"role":"user","content":"half","partialJson":"p"}}}`)
  const { entries, leafId } = read(document)
  expect(entries.map(({ parentId }) => parentId).slice(0, 2)).toEqual([null, '__proto__'])
  expect(entries[3]!.parentId).toBe(entries[2]!.id)
  expect(leafId).toBe('constructor')
  await expectBack(document)
})

test('what is nested deeper than a log allows comes back too; what is nested without end is left out', async () => {
  const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  await expectBack({ ...built, metadata: nested(100), nodes: { s: node('s', null, [], { metadata: nested(120) }) } })
  const endless = `{"nodes":{"s":{"parentId":null,"role":"user","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}}}`
  const translation = readComfytavern({ path: 'x.json', bytes: encoder.encode(endless) })
  expect(translation.entries).toEqual([])
  expect(translation.notes[0]!.message).toContain('nested deeper')
})

test('what is done here afterwards is in the document, and the rest of it as it was', async () => {
  await through(read(built), async (session) => {
    await session.append({ type: 'message', id: 'new', message: { role: 'user', content: 'more', timestamp: 1 } })
    await session.rename('Renamed')
    await session.edit({
      operations: [
        { op: 'unmute', nodeIds: ['a1'] },
        { op: 'mute', nodeIds: ['u'] },
        { op: 'meta', nodeId: 'a1', patch: { rating: 2 } },
        { op: 'meta', nodeId: 's', patch: { rating: 1 } },
        { op: 'graft', sourceId: 'a1', targetId: 's', mode: 'move' },
        { op: 'prune', nodeId: 'g', include: 'self' },
      ],
    })
    const { document, said } = await write(session)
    expect(document).toMatchObject({ title: 'Renamed', activeLeafId: 'new', version: 7, assets: built.assets })
    expect(document.rootNodeIds).toEqual(['s', 'g'])
    expect(document.nodes.s).toMatchObject({ children: ['u', 'a1'], metadata: { rating: 1 } })
    expect(document.nodes.u).toEqual({ ...built.nodes.u, isEnabled: false, children: ['a2', 'e'] })
    expect(document.nodes.a1).toEqual({
      ...built.nodes.a1,
      parentId: 's',
      isEnabled: true,
      metadata: { rating: 2, mine: { deep: [1] } },
    })
    expect(document.nodes.a2).toEqual({ ...built.nodes.a2, children: ['new'] })
    expect(document.nodes.g).toMatchObject({ parentId: null, metadata: { stash: { fromParentId: 'u' } } })
    expect(document.nodes.new).toMatchObject({ parentId: 'a2', role: 'user', content: 'more', isEnabled: true })
    expect(said.join('\n')).toContain('stash')
    expect(Object.keys(document.nodes)).toEqual(['s', 'u', 'a1', 'a2', 'e', 'g', 'new'])
  })
})

test('a fork of a document as designed is written as built, with what only its nodes knew', async () => {
  const nodes = { r: seedNode('r', null, [], { mood: 'good', metadata: { custom: 1 } }) }
  await using store = await openMemoryStore()
  await using source = await createFrom(store, read({ ...seed, activeLeafId: 'r', nodes }))
  await using fork = await store.fork(source, { how: 'path' })
  const { document } = await write(fork)
  expect(document.rootNodeIds).toEqual(['r'])
  expect(document.nodes.r).toEqual({
    ...node('r', null, [], { createdAt: at(2), updatedAt: at(2) }),
    metadata: { custom: 1 },
    mood: 'good',
  })
})

test('T16 a session of ours is a document with every branch, tool calls as text, and what is lost is told', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create({ cwd: '/p', title: 'Ours' })
  const say = (id: string, message: object) => session.append({ type: 'message', id, message })
  await say('u', {
    role: 'user',
    content: [
      { type: 'text', text: 'Look' },
      { type: 'image', data: 'AA==', mimeType: 'x' },
    ],
  })
  const call = { type: 'toolCall', id: 'x', name: 'read', arguments: { path: 'a' } }
  await say('a', {
    role: 'assistant',
    content: [{ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'Reading.' }, call],
    stopReason: 'toolUse',
  })
  await say('r', {
    role: 'toolResult',
    toolCallId: 'x',
    toolName: 'read',
    content: [{ type: 'text', text: 'A' }],
    isError: false,
  })
  await say('f', { role: 'assistant', content: [], stopReason: 'error', errorMessage: 'down' })
  await session.append({ type: 'compaction', id: 'k', summary: 'Short', firstKeptEntryId: 'r', tokensBefore: 9 })
  await session.setLabel('u', 'start')
  await session.branch('a')
  const { document, said } = await write(session)
  expect(document).toMatchObject({
    sessionId: session.id,
    title: 'Ours',
    version: 1,
    rootNodeIds: ['u'],
    activeLeafId: 'a',
  })
  expect(document.nodes.u).toMatchObject({ content: 'Look', children: ['a'], metadata: { label: 'start' } })
  expect(document.nodes.a).toMatchObject({
    role: 'assistant',
    content: 'Reading.\nread({"path":"a"})',
    status: 'complete',
  })
  expect(document.nodes.r).toMatchObject({ role: 'user', content: 'A', metadata: { tool: 'read', toolCallId: 'x' } })
  expect(document.nodes.f).toMatchObject({ status: 'error', error: 'down', content: '' })
  expect(document.nodes.k).toMatchObject({ role: 'system', content: 'Short', metadata: { kind: 'compaction' } })
  for (const what of ['image', 'tool call', 'thought', 'toolResult', 'compaction'])
    expect(said.join('\n')).toContain(what)
  const trunk = await write(session, { branches: 'trunk' })
  expect(Object.keys(trunk.document.nodes)).toEqual(['u', 'a'])
  expect(trunk.document.nodes.a.children).toEqual([])
  const again = read(document)
  expect(again.notes).toEqual([])
  await expectBack(document)
})

test('a session with one of everything is a sound document', async () => {
  await using store = await openMemoryStore()
  await using session = await makeRichSession(store)
  const { document } = await write(session)
  expect(read(document).notes).toEqual([])
  expect(document.activeLeafId).toBe(session.leafId)
  const muted = Object.values(document.nodes).filter((one) => (one as { isEnabled: boolean }).isEnabled === false)
  expect(muted.length).toBeGreaterThan(0)
  await expectBack(document)
})

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)))
const key = fc.oneof(
  fc.nat(8).map((n) => `n${n}`),
  fc.constantFrom('', '7', '__proto__', 'toString'),
)
const keys = fc.array(key, { maxLength: 4 })
const shuffled = (record: object) =>
  fc
    .shuffledSubarray(Object.keys(record), { minLength: Object.keys(record).length })
    .map((order) => Object.fromEntries(order.map((name) => [name, (record as Record<string, unknown>)[name]])))
const anyNode = fc
  .record(
    {
      id: key,
      parentId: fc.oneof(key, fc.constant(null)),
      children: fc.oneof({ weight: 4, arbitrary: keys }, json),
      childrenIds: keys,
      role: fc.constantFrom('user', 'assistant', 'system', 'tool', 5),
      content: fc.oneof({ weight: 4, arbitrary: fc.string({ unit: 'binary' }) }, json),
      status: fc.constantFrom('complete', 'generating', 'error', 'odd'),
      isEnabled: fc.constantFrom(true, false, false, null, 0),
      createdAt: fc.oneof(fc.constant(at(4)), json),
      timestamp: fc.oneof(fc.constant(at(5)), json),
      metadata: fc.oneof(
        fc.record({ rating: fc.integer({ min: 0, max: 6 }), cost: fc.nat(), model: fc.string() }, { requiredKeys: [] }),
        json,
      ),
      error: json,
    },
    { requiredKeys: [] },
  )
  .chain(shuffled)
const anyDocument = fc
  .record(
    {
      sessionId: fc.oneof(fc.constant('chat'), json),
      nodes: fc
        .array(fc.tuple(key, fc.oneof({ weight: 9, arbitrary: anyNode }, json)), { maxLength: 9 })
        .map((pairs) => Object.fromEntries(pairs)),
      rootNodeIds: fc.oneof(keys, json),
      rootNodeId: fc.oneof(key, json),
      activeLeafId: fc.oneof(key, json),
      title: fc.oneof(fc.string(), json),
      createdAt: fc.oneof(fc.constant(at(0)), json),
      updatedAt: json,
      version: json,
      metadata: json,
    },
    { requiredKeys: [] },
  )
  .chain(shuffled)
  .map((document) => JSON.parse(JSON.stringify(document)))

test('T19 any document at all comes back as it was', async () => {
  await fc.assert(fc.asyncProperty(anyDocument, expectBack), { numRuns: runs(200) })
})

test('any bytes are survived', () => {
  const text = fc.string({
    unit: fc.constantFrom('{', '}', '[', ']', '"nodes":', '"a"', ':', ',', 'null', '1'),
    maxLength: 30,
  })
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 100 }),
        text.map((t) => encoder.encode(t)),
      ),
      (bytes) => {
        expect(readComfytavern({ path: '', bytes }).createdAt).toMatch(/Z$/)
        detectComfytavern(takeSample(bytes, bytes.length))
      },
    ),
    { numRuns: runs(300) },
  )
})

test('detection goes by content, also of a document that is larger than the sample', () => {
  const sureness = (document: unknown, indent = 0) => {
    const bytes = encoder.encode(JSON.stringify(document, null, indent))
    return detectComfytavern(takeSample(bytes, bytes.length))
  }
  expect(sureness(built)).toBe(1)
  expect(sureness(seed, 2)).toBe(1)
  expect(
    sureness({ ...built, nodes: { ...built.nodes, big: node('big', 's', [], { content: 'x'.repeat(1e5) }) } }, 2),
  ).toBe(0.8)
  expect(sureness({ nodes: { a: { name: 'of a graph' } }, edges: [] })).toBe(0)
  expect(sureness([])).toBe(0)
  expect(sureness({ type: 'session', id: 'x' })).toBe(0)
})
