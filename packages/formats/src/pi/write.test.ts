import type { Entry } from '@treeline/core'
import { openFileStore, openMemoryStore, type Session } from '@treeline/store'
import { expect, test } from 'vitest'
import { type Written, writeLines } from '../testing/collect.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { piWriter } from './write.ts'

interface Talk {
  readonly session: Session
  say(role: 'user' | 'assistant', id: string, parentId?: string | null): Promise<string>
  add(
    id: string,
    fields: { readonly type: string } & Record<string, unknown>,
    parentId?: string | null,
  ): Promise<string>
}

const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 }

function talkIn(session: Session): Talk {
  const add: Talk['add'] = async (id, fields, parentId) => {
    await session.append({ ...fields, id }, parentId === undefined ? {} : { parentId })
    return id
  }
  const say: Talk['say'] = (role, id, parentId) => {
    const content = role === 'user' ? `said ${id}` : [{ type: 'text', text: `said ${id}` }]
    const fields = role === 'user' ? {} : { provider: 'p', model: 'm', api: 'a', usage: USAGE, stopReason: 'stop' }
    return add(id, { type: 'message', message: { role, content, timestamp: 1, ...fields } }, parentId)
  }
  return { session, say, add }
}

async function makeTalk() {
  const store = await openMemoryStore()
  const session = await store.create({ cwd: '/p' })
  return { ...talkIn(session), [Symbol.asyncDispose]: () => store.close() }
}

function shape({ entries }: Written): string[] {
  return entries.map(({ type, id, parentId }) => `${type === 'message' ? '' : `${type} `}${id}<${parentId}`)
}

/** What Pi shows: the ids from the root to the last line. */
function pathOf({ entries }: Pick<Written, 'entries'>): string[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const path: string[] = []
  for (let at: Entry | undefined = entries.at(-1); at !== undefined; at = byId.get(at.parentId ?? '')) path.push(at.id)
  return path.reverse()
}

/** Messages of the path that ends with the last line, in the words of `say`. */
async function linesOf(session: Session): Promise<string[]> {
  const { nodes } = await session.line()
  return nodes.filter((node) => node.in).map(({ nodeId }) => nodeId)
}

test('a session nobody edited is written line by line, without what only Treeline reads', async () => {
  await using talk = await makeTalk()
  await talk.say('user', 'a')
  await talk.say('assistant', 'b')
  await talk.session.setConfig({ model: 'p/m' })
  await talk.say('user', 'c')
  const written = await writeLines(piWriter, talk.session)
  expect(shape(written)).toEqual(['a<null', 'b<a', 'c<b'])
  expect(written.header).toEqual({
    type: 'session',
    version: 3,
    id: talk.session.id,
    timestamp: expect.any(String),
    cwd: '/p',
  })
  expect(written.text).not.toContain('treeline/')
  expect(written.text).not.toContain('"crc"')
  expect(written.notes).toEqual([
    { kind: 'left_out', message: expect.stringContaining('settings are not in the copy') },
  ])
})

test('muted nodes are left out of paths, and their children hang under what is above', async () => {
  await using talk = await makeTalk()
  for (const [i, id] of ['a', 'b', 'c', 'd'].entries()) await talk.say(i % 2 === 0 ? 'user' : 'assistant', id)
  await talk.say('user', 'e', 'b')
  await talk.session.edit({ operations: [{ op: 'mute', nodeIds: ['b', 'c'] }] })
  const written = await writeLines(piWriter, talk.session)
  expect(shape(written)).toEqual(['a<null', 'd<a', 'e<a'])
  expect(pathOf(written)).toEqual(await linesOf(talk.session))
  expect(written.notes.map(({ message }) => message)).toEqual([
    '2 muted nodes are not in the copy: other tools cannot mute.',
  ])
})

test('the results of a muted call go with it: providers refuse them alone', async () => {
  await using talk = await makeTalk()
  await talk.say('user', 'a')
  const call = { type: 'toolCall', id: 'call1', name: 'read', arguments: {} }
  const answer = {
    role: 'assistant',
    content: [call],
    provider: 'p',
    model: 'm',
    api: 'a',
    usage: USAGE,
    stopReason: 'toolUse',
    timestamp: 1,
  }
  await talk.add('b', { type: 'message', message: answer })
  const result = {
    role: 'toolResult',
    toolCallId: 'call1',
    toolName: 'read',
    content: [],
    isError: false,
    timestamp: 1,
  }
  await talk.add('c', { type: 'message', message: result })
  await talk.say('assistant', 'd')
  await talk.session.edit({ operations: [{ op: 'mute', nodeIds: ['b'] }] })
  const written = await writeLines(piWriter, talk.session)
  expect(shape(written)).toEqual(['a<null', 'd<a'])
  expect(written.notes.map(({ message }) => message).join()).toContain('1 tool result is not in the copy')
})

test('pruned and deleted nodes are not in the copy; what was spliced out leaves its children', async () => {
  await using talk = await makeTalk()
  for (const [i, id] of ['a', 'b', 'c', 'd', 'e'].entries()) await talk.say(i % 2 === 0 ? 'user' : 'assistant', id)
  await talk.say('user', 'f', 'b')
  await talk.session.edit({ operations: [{ op: 'delete', nodeIds: ['c'], how: 'splice' }] })
  await talk.session.edit({ operations: [{ op: 'prune', nodeId: 'e', include: 'self' }] })
  const written = await writeLines(piWriter, talk.session)
  expect(shape(written)).toEqual(['a<null', 'b<a', 'd<b', 'f<b'])
  expect(written.notes.map(({ message }) => message)).toEqual(['2 pruned or deleted nodes are not in the copy.'])
})

test('grafted nodes are where they are now, copies are entries of their own, parents come first', async () => {
  await using talk = await makeTalk()
  await talk.say('user', 'a')
  await talk.say('assistant', 'b')
  await talk.say('user', 'c')
  await talk.say('user', 'x', null)
  await talk.say('assistant', 'y')
  await talk.session.edit({ operations: [{ op: 'graft', sourceId: 'c', targetId: 'y' }] })
  await talk.session.edit({ operations: [{ op: 'graft', sourceId: 'b', targetId: 'x', mode: 'copy' }] })
  const written = await writeLines(piWriter, talk.session)
  const copy = written.entries.find(({ id }) => !['a', 'b', 'c', 'x', 'y'].includes(id) && id.length === 8)!
  expect(copy).toMatchObject({ type: 'message', parentId: 'x', message: { content: [{ text: 'said b' }] } })
  const places = new Map(written.entries.map(({ id, parentId }) => [id, parentId]))
  expect(places.get('c')).toBe('y')
  const seen = new Set<string | null>([null])
  for (const { id, parentId } of written.entries) {
    expect(seen).toContain(parentId)
    seen.add(id)
  }
})

test('model changes go along with a node that was grafted, and stay for those that were not', async () => {
  await using talk = await makeTalk()
  await talk.say('user', 'a')
  await talk.add('m', { type: 'model_change', provider: 'p', modelId: 'fast' })
  await talk.say('assistant', 'b')
  await talk.say('assistant', 'c', 'm')
  await talk.say('user', 'x', null)
  await talk.session.edit({
    operations: [
      { op: 'graft', sourceId: 'c', targetId: 'x' },
      { op: 'leaf', leafId: 'c' },
    ],
  })
  const written = await writeLines(piWriter, talk.session)
  const byId = new Map(written.entries.map((entry) => [entry.id, entry]))
  expect(byId.get('b')!.parentId).toBe('m')
  const moved = byId.get(byId.get('c')!.parentId!)!
  expect(moved).toMatchObject({ type: 'model_change', provider: 'p', modelId: 'fast', model: 'p/fast', parentId: 'x' })
  expect(moved.id).not.toBe('m')
  expect((await writeLines(piWriter, talk.session)).text).toBe(written.text)
})

test('a compaction keeps what is left of its stretch', async () => {
  await using talk = await makeTalk()
  for (const [i, id] of ['a', 'b', 'c', 'd'].entries()) await talk.say(i % 2 === 0 ? 'user' : 'assistant', id)
  await talk.add('k', { type: 'compaction', summary: 'S', firstKeptEntryId: 'c', tokensBefore: 1 })
  await talk.say('user', 'e')
  await talk.session.edit({ operations: [{ op: 'mute', nodeIds: ['c'] }] })
  const one = await writeLines(piWriter, talk.session)
  expect(one.entries.find(({ id }) => id === 'k')).toMatchObject({ firstKeptEntryId: 'd', parentId: 'd' })
  await talk.session.edit({ operations: [{ op: 'delete', nodeIds: ['d'], how: 'splice' }] })
  const none = await writeLines(piWriter, talk.session)
  expect(none.entries.find(({ id }) => id === 'k')).toMatchObject({ firstKeptEntryId: 'k', parentId: 'b' })
})

test('labels and the name are what they are here, whoever said so how', async () => {
  await using talk = await makeTalk()
  await talk.say('user', 'a')
  await talk.say('assistant', 'b')
  await talk.session.setLabel('a', 'start')
  await talk.session.edit({
    operations: [
      { op: 'label', nodeId: 'b', label: 'end' },
      { op: 'label', nodeId: 'a', label: null },
      { op: 'name', name: 'Plans' },
    ],
  })
  const { entries, header, text } = await writeLines(piWriter, talk.session)
  expect(header.title).toBe('Plans')
  expect(said(entries)).toEqual({ labels: { b: 'end' }, name: 'Plans' })
  expect(text).not.toContain('inverse')
  expect(entries.slice(2).every(({ parentId }) => parentId === 'b')).toBe(true)
})

/** As Pi reads it, in the order of lines. */
function said(entries: readonly Entry[]): object {
  const labels = new Map<string, unknown>()
  let name: unknown
  for (const entry of entries) {
    if (entry.type === 'session_info') name = entry.name
    if (entry.type !== 'label') continue
    if (entry.label) labels.set(entry.targetId as string, entry.label)
    else labels.delete(entry.targetId as string)
  }
  return { labels: Object.fromEntries(labels), name }
}

test('the last line is where the conversation goes on, also when the leaf was moved', async () => {
  await using talk = await makeTalk()
  for (const [i, id] of ['a', 'b', 'c'].entries()) await talk.say(i % 2 === 0 ? 'user' : 'assistant', id)
  await talk.session.setLabel('b', 'here')
  await talk.session.branch('b')
  const moved = await writeLines(piWriter, talk.session)
  expect(pathOf(moved).slice(0, -1)).toEqual(['a', 'b'])
  expect(said(moved.entries)).toMatchObject({ labels: { b: 'here' } })
  await talk.session.resetLeaf()
  const reset = await writeLines(piWriter, talk.session)
  expect(pathOf(reset)).toHaveLength(1)
  expect(reset.entries.at(-1)).toMatchObject({ type: 'label', parentId: null })
  const asked = await writeLines(piWriter, talk.session, { leafId: 'c' })
  expect(pathOf(asked).slice(0, 3)).toEqual(['a', 'b', 'c'])
  await expect(writeLines(piWriter, talk.session, { leafId: 'nope' })).rejects.toMatchObject({ code: 'node_not_found' })
})

test('the trunk alone is one path, with its labels and costs', async () => {
  await using talk = await makeTalk()
  await talk.say('user', 'a')
  await talk.say('assistant', 'b')
  await talk.add('u', { type: 'usage', kind: 'cache_warm', provider: 'p', model: 'm', usage: USAGE })
  await talk.say('user', 'c')
  await talk.say('user', 'd', 'b')
  await talk.session.setLabel('c', 'left')
  await talk.session.setLabel('b', 'kept')
  const { entries } = await writeLines(piWriter, talk.session, { branches: 'trunk' })
  expect(entries.filter(({ type }) => type !== 'label').map(({ id }) => id)).toEqual(['a', 'b', 'u', 'd'])
  expect(said(entries)).toMatchObject({ labels: { b: 'kept' } })
  expect(entries.at(-1)!.parentId).toBe('d')
})

test('images and long texts are in the copy itself', async () => {
  await using talk = await makeTalk()
  const data = Buffer.alloc(6000, 7).toString('base64')
  const long = 'long '.repeat(120_000)
  const content = [
    { type: 'text', text: long },
    { type: 'image', data, mimeType: 'image/png' },
  ]
  await talk.add('a', { type: 'message', message: { role: 'user', content, timestamp: 1 } })
  const { entries, text } = await writeLines(piWriter, talk.session)
  expect((entries[0] as unknown as { message: unknown }).message).toEqual({ role: 'user', content, timestamp: 1 })
  expect(text).not.toContain('treelineFull')
})

test('an answer without token counts gets zeros: xcsh opens no session without', async () => {
  await using talk = await makeTalk()
  await talk.say('user', 'a')
  await talk.add('b', { type: 'message', message: { role: 'assistant', content: [], timestamp: 1 } })
  const { entries } = await writeLines(piWriter, talk.session)
  expect(entries[1]).toMatchObject({ message: { usage: { totalTokens: 0, cost: { total: 0 } } } })
})

test('secrets are replaced when that is asked for', async () => {
  await using talk = await makeTalk()
  const content = 'key sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH'
  await talk.add('a', { type: 'message', message: { role: 'user', content, timestamp: 1 } })
  const { text } = await writeLines(piWriter, talk.session, { redact: true })
  expect(text).not.toContain('abcdefghijklmnopqrstuvwxyz0123456789')
  expect(text).toContain('best effort')
})

test('I3 a log without a header gets one', async () => {
  using temp = makeTempFolder()
  const message = { role: 'user', content: 'Hi', timestamp: 1 }
  const entry = { type: 'message', id: 'a', parentId: null, timestamp: '2026-01-01T00:00:00.000Z', message }
  await using store = await openFileStore({ home: temp.home })
  await using session = await store.openPath(temp.plant('x.jsonl', entry))
  const { header, entries } = await writeLines(piWriter, session)
  expect(header).toMatchObject({ type: 'session', version: 3, timestamp: entry.timestamp, cwd: '' })
  expect(header.id).toMatch(/^[0-9a-f-]{36}$/)
  expect(entries).toEqual([entry])
})

test('G1 rings are cut, hostile ids are data, an unreadable entry costs nobody its place', async () => {
  using temp = makeTempFolder()
  const at = '2026-01-01T00:00:00.000Z'
  const line = (id: string, parentId: string | null, text = id) => ({
    type: 'message',
    id,
    parentId,
    timestamp: at,
    message: { role: 'user', content: text, timestamp: 1 },
  })
  const path = temp.plant(
    'x.jsonl',
    { type: 'session', version: 3, id: 's', timestamp: at, cwd: '/p' },
    line('__proto__', null),
    line('../../etc/passwd', '__proto__'),
    line('r1', 'r2'),
    line('r2', 'r1'),
    '{"type":"message","id":"bad","parentId":"../../etc/passwd","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"x}\n',
    line('last', 'bad'),
  )
  await using store = await openFileStore({ home: temp.home })
  await using session = await store.openPath(path)
  const written = await writeLines(piWriter, session)
  expect(pathOf(written).at(-1)).toBe('last')
  expect(shape(written).filter((one) => one.includes('null'))).toContain('r1<null')
  expect(written.entries.map(({ id }) => id)).toEqual(['__proto__', '../../etc/passwd', 'r1', 'r2', 'last'])
  expect(written.notes.some(({ kind }) => kind === 'damage')).toBe(true)
})

test('G1 a long chain, many siblings and many edits take no time to speak of', async () => {
  await using talk = await makeTalk()
  const ids = Array.from({ length: 4000 }, (_, i) => `n${i}`)
  const message = { role: 'user', content: 'x', timestamp: 1 }
  await talk.session.appendAll(ids.map((id) => ({ type: 'message', id, message })))
  await Promise.all(
    ids.map((id) => talk.session.appendAll([{ type: 'message', id: `${id}s`, message }], { parentId: 'n0' })),
  )
  await talk.session.edit({ operations: [{ op: 'delete', nodeIds: ['n0'], how: 'splice' }] })
  await talk.session.edit({ operations: [{ op: 'mute', nodeIds: ids.filter((_, i) => i % 2 === 1) }] })
  const startedAt = performance.now()
  const { entries } = await writeLines(piWriter, talk.session)
  expect(entries).toHaveLength(1999 + 4000)
  expect(performance.now() - startedAt).toBeLessThan(3000)
})

test('a label on an entry whose id holds half a character stays as it was said', async () => {
  using temp = makeTempFolder()
  const at = { timestamp: '2026-01-01T00:00:00.000Z' }
  const [id, targetId] = ['\ud800', '\ud800']
  const path = temp.plant(
    'x.jsonl',
    { type: 'session', version: 3, id: 's', ...at, cwd: '/p' },
    { type: 'message', id, parentId: null, ...at, message: { role: 'user', content: 'Hi', timestamp: 1 } },
    { type: 'label', id: 'l', parentId: id, ...at, targetId, label: 'kept' },
  )
  await using store = await openFileStore({ home: temp.home })
  await using session = await store.openPath(path)
  const { entries } = await writeLines(piWriter, session)
  // It may be said again, to end the copy at its leaf, but nobody takes it away.
  expect([...new Set(entries.filter(({ type }) => type === 'label').map(({ label }) => label))]).toEqual(['kept'])
})
