import type { FlatEntry } from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'
import { expect, test } from 'vitest'
import type { WriteOptions } from '../format.ts'
import { makeRichSession } from '../testing/rich-session.ts'
import { findIncompleteToolCalls, getAllBranches } from './facade/index.ts'
import { readGeneric } from './read.ts'
import { genericWriter } from './write.ts'

async function write(session: Session, options: WriteOptions = {}) {
  const pieces: string[] = []
  const notes = await genericWriter.write(session, (piece) => void pieces.push(piece), options)
  const records = pieces
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line): FlatEntry => JSON.parse(line))
  return { records, said: notes.map(({ message }) => message) }
}

async function sample(): Promise<{ session: Session; close: () => Promise<void> }> {
  const store = await openMemoryStore()
  const session = await store.create({ cwd: '/p' })
  const say = (id: string, message: object) => session.append({ type: 'message', id, message })
  await say('u1', {
    role: 'user',
    content: [
      { type: 'text', text: 'Look' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
    timestamp: 1,
  })
  const content = [
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'I read two files.' },
    { type: 'toolCall', id: 'x', name: 'read', arguments: { path: 'a' } },
    { type: 'toolCall', id: 'y', name: 'read', arguments: {} },
  ]
  await say('a1', { role: 'assistant', content, provider: 'p', model: 'm', stopReason: 'toolUse', timestamp: 2 })
  await say('r1', {
    role: 'toolResult',
    toolCallId: 'x',
    toolName: 'read',
    content: [{ type: 'text', text: 'A' }],
    isError: false,
    timestamp: 3,
  })
  await say('r2', {
    role: 'toolResult',
    toolCallId: 'y',
    toolName: 'read',
    content: [{ type: 'text', text: 'B' }],
    isError: true,
    timestamp: 4,
  })
  await session.append({ type: 'model_change', id: 'mc', provider: 'p', modelId: 'n' })
  await say('u2', { role: 'user', content: 'Thanks', timestamp: 5 })
  return { session, close: () => store.close() }
}

test('P9 X65 an answer with text and calls is a chain that readers of the format find complete', async () => {
  const { session, close } = await sample()
  const { records, said } = await write(session)
  expect(records.map(({ id, parentId, type, content }) => [id, parentId, type, content])).toEqual([
    ['u1', null, 'user', 'Look'],
    ['a1-1', 'u1', 'assistant', 'I read two files.'],
    ['a1-2', 'a1-1', 'tool_call', 'read {"path":"a"}'],
    ['a1', 'a1-2', 'tool_call', 'read'],
    ['r1', 'a1', 'tool_result', 'A'],
    ['r2', 'r1', 'tool_result', 'B'],
    ['u2', 'r2', 'user', 'Thanks'],
  ])
  expect(records.map(({ timestamp }) => timestamp)).toEqual([1, 2, 2, 2, 3, 4, 5])
  expect(records[1]!.metadata).toEqual({ provider: 'p', model: 'm' })
  expect(records[5]!.metadata).toEqual({ toolCallId: 'y', name: 'read', isError: true })
  expect(findIncompleteToolCalls(records)).toEqual([])
  expect(said).toEqual([
    'An image is left out.',
    'What the model thought is left out.',
    'The folder it took place in is left out.',
    'A change of model, mode or the like is left out.',
  ])
  await close()
})

test("X22 the last line is the leaf's, also when other branches were written later or something hangs under it", async () => {
  const { session, close } = await sample()
  await session.branch('a1')
  const { records, said } = await write(session)
  expect(records.at(-1)!.id).toBe('a1')
  expect(getAllBranches(records)).toHaveLength(1)
  expect(said.some((message) => message.includes('Entry a1 is written last'))).toBe(true)
  const trunk = await write(session, { branches: 'trunk', leafId: 'r1' })
  expect(trunk.records.map(({ id }) => id)).toEqual(['u1', 'a1-1', 'a1-2', 'a1', 'r1'])
  await expect(write(session, { leafId: 'nope' })).rejects.toMatchObject({ code: 'node_not_found' })
  await session.resetLeaf()
  expect((await write(session)).said[0]).toContain('The conversation starts over.')
  await close()
})

test('what flat records cannot say is told: mutes, labels, ratings, the stash, summaries, names', async () => {
  const { session, close } = await sample()
  await session.append({ type: 'compaction', id: 'k', summary: 'All of it', firstKeptEntryId: 'u2', tokensBefore: 9 })
  await session.append(
    { type: 'message', id: 'b', message: { role: 'user', content: 'beside', timestamp: 6 } },
    { parentId: 'u1' },
  )
  await session.branch('k')
  await session.rename('A talk')
  await session.edit({
    operations: [
      { op: 'mute', nodeIds: ['u2'] },
      { op: 'label', nodeId: 'u2', label: 'here' },
      { op: 'meta', nodeId: 'u2', patch: { rating: 4 } },
      { op: 'prune', nodeId: 'b', include: 'self' },
    ],
  })
  const { records, said } = await write(session)
  expect(records.find(({ id }) => id === 'b')).toMatchObject({ parentId: null })
  expect(records.at(-1)).toMatchObject({
    id: 'k',
    type: 'user',
    content: 'All of it',
    metadata: { kind: 'compaction' },
  })
  for (const what of ['muted', 'label', 'rating', 'stash', 'compaction', 'name of the session']) {
    expect(said.join('\n')).toContain(what)
  }
  await close()
})

test('edits are carried out: what was grafted hangs where it is now, siblings stand in their order, the deleted is gone', async () => {
  const { session, close } = await sample()
  await session.append(
    { type: 'message', id: 'v', message: { role: 'user', content: 'v', timestamp: 7 } },
    { parentId: 'r2' },
  )
  await session.edit({
    operations: [
      { op: 'reorder', parentId: 'r2', childrenIds: ['v', 'u2'] },
      { op: 'graft', sourceId: 'u2', targetId: 'u1', mode: 'copy' },
      { op: 'delete', nodeIds: ['r1'], how: 'splice' },
    ],
  })
  const { records } = await write(session)
  expect(records.find(({ id }) => id === 'r2')!.parentId).toBe('a1')
  expect(records.map(({ id }) => id)).not.toContain('r1')
  expect(
    records
      .filter(({ content }) => content === 'Thanks')
      .map(({ parentId }) => parentId)
      .sort(),
  ).toEqual(['r2', 'u1'])
  expect(records.at(-1)!.id).toBe(session.leafId)
  await close()
})

test('a secret is replaced when that is asked for', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create({ cwd: '/p' })
  await session.append({
    type: 'message',
    message: { role: 'user', content: 'Bearer abcdefgh12345678abcdefgh', timestamp: 1 },
  })
  expect((await write(session, { redact: true })).records[0]!.content).toContain('[redacted]')
})

test('a session with one of everything is records that hang together, and is read without a fault', async () => {
  await using store = await openMemoryStore()
  await using session = await makeRichSession(store)
  const { records, said } = await write(session)
  expect(records.length).toBeGreaterThan(5)
  expect(said.length).toBeGreaterThan(0)
  const bytes = new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const { entries, notes, leafId } = readGeneric({ path: 'x.jsonl', bytes })
  expect(notes).toEqual([])
  expect(entries).toHaveLength(records.length)
  expect(leafId).toBe(records.at(-1)!.id)
})
