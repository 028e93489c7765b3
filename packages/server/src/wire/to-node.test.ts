import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntryDraft } from '@treeline/core'
import { nodeSchema } from '@treeline/protocol'
import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { assistant, generation, nodeOf, openSample, user } from './testing/sample-session.ts'

const usage = {
  input: 10,
  output: 5,
  cacheRead: 100,
  cacheWrite: 7,
  cost: { input: 0.1, output: 0.2, cacheRead: 0, cacheWrite: 0, total: 0.3 },
}

test('a message is a node with its place, its times and its version', async () => {
  await using sample = await openSample('u1', 'a1')
  const { session } = sample
  await session.append(user('another', 'u2'), { parentId: 'u1' })
  const node = await nodeOf(session, 'u1')
  expect(nodeSchema.safeParse(node)).toMatchObject({ success: true })
  expect(node).toEqual({
    id: 'u1',
    parentId: null,
    childrenIds: ['a1', 'u2'],
    content: 'says u1',
    role: 'user',
    status: 'complete',
    isEnabled: true,
    timestamp: (await session.readEntry('u1'))!.timestamp,
    updatedAt: (await session.readEntry('u1'))!.timestamp,
    version: 2,
    contentLength: 7,
  })
})

test('what comes after a node changes it only where an edit does', async () => {
  await using sample = await openSample('u1', 'a1')
  const { session } = sample
  await session.edit({ operations: [{ op: 'mute', nodeIds: ['u1'] }] })
  expect(await nodeOf(session, 'u1')).toMatchObject({ isEnabled: false, version: session.seq })
  expect(await nodeOf(session, 'a1')).toMatchObject({ isEnabled: true, version: 3 })
})

const message = (said: object): EntryDraft => ({ type: 'message', id: 'n1', message: { timestamp: 1, ...said } })
const text = (words: string) => ({ type: 'text', text: words })
const bash = { role: 'bashExecution', command: 'ls', output: 'a.txt', cancelled: false, truncated: false }
const result = { role: 'toolResult', toolCallId: 'c1', toolName: 'read', content: [text('out')], isError: true }

test.each<[string, EntryDraft, object]>([
  ['a system message', message({ role: 'system', content: 'be kind' }), { role: 'system', content: 'be kind' }],
  ['a developer message', message({ role: 'developer', content: 'x' }), { role: 'system', content: 'x' }],
  ['a command', message(bash), { role: 'tool', content: '$ ls\na.txt', metadata: { kind: 'bash' } }],
  [
    'the result of a tool',
    message(result),
    {
      role: 'tool',
      content: 'out',
      status: 'complete',
      parts: [{ type: 'tool_result', toolCallId: 'c1', name: 'read', output: 'out', isError: true }],
    },
  ],
  [
    'a note of an extension',
    { type: 'custom_message', id: 'n1', customType: 'x', content: 'note', display: true },
    { role: 'system', content: 'note', metadata: { kind: 'custom_message' } },
  ],
  [
    'a merge',
    {
      type: 'custom_message',
      id: 'n1',
      customType: 'treeline/merge',
      content: 'both',
      display: true,
      details: { mergedFrom: ['a', 'b'], usage, latencyMs: 12 },
    },
    {
      role: 'system',
      content: 'both',
      metadata: {
        kind: 'merge',
        mergedFrom: ['a', 'b'],
        latency: { totalMs: 12 },
        cost: { amount: 0.3, currency: 'USD' },
      },
    },
  ],
  [
    'the summary of a branch',
    { type: 'branch_summary', id: 'n1', fromId: 'root', summary: 'tried', details: { summarizedFrom: ['a'] } },
    { role: 'system', content: 'tried', metadata: { kind: 'branch_summary', summarizedFrom: ['a'] } },
  ],
  [
    'a compaction',
    { type: 'compaction', id: 'n1', summary: 'short', tokensBefore: 9, usage },
    { role: 'system', content: 'short', metadata: { kind: 'compaction', tokenCount: { context: 117, output: 5 } } },
  ],
  [
    'an answer',
    assistant('hi', { id: 'n1', provider: 'p', model: 'm', usage, latency: { totalMs: 9, firstTokenMs: 3 } }),
    {
      role: 'assistant',
      content: 'hi',
      metadata: {
        model: 'p/m',
        finishReason: 'stop',
        latency: { totalMs: 9, firstTokenMs: 3 },
        tokenCount: { context: 117, output: 5, cacheRead: 100, cacheWrite: 7 },
        cost: { amount: 0.3, currency: 'USD' },
      },
    },
  ],
])('%s becomes a node', async (_name, draft, expected) => {
  await using sample = await openSample('u1')
  await sample.session.append(draft)
  const node = await nodeOf(sample.session, 'n1')
  expect(nodeSchema.safeParse(node)).toMatchObject({ success: true })
  expect(node).toMatchObject({ parentId: 'u1', contentLength: node.content.length, ...expected })
})

test.each<[string, EntryDraft, object]>([
  [
    'cancelled with text: complete and cut short',
    assistant('so far', { id: 'n1', stopReason: 'aborted' }),
    { status: 'complete', content: 'so far', metadata: { isTruncated: true, finishReason: 'cancelled' } },
  ],
  [
    'cancelled without text: an error',
    assistant('', { id: 'n1', stopReason: 'aborted' }),
    { status: 'error', content: '', metadata: { error: 'cancelled', finishReason: 'cancelled' } },
  ],
  [
    'interrupted: an error that keeps its text',
    assistant('so', { id: 'n1', stopReason: 'error', isInterrupted: true, errorMessage: 'Interrupted: …' }),
    {
      status: 'error',
      content: 'so',
      metadata: { error: 'interrupted', isTruncated: true, finishReason: 'interrupted' },
    },
  ],
  [
    'failed: an error that says why',
    assistant('', { id: 'n1', stopReason: 'error', errorMessage: 'No such model.', askedModel: 'p/x' }),
    { status: 'error', metadata: { error: 'No such model.', model: 'p/x', finishReason: 'error' } },
  ],
  [
    'ended by its limit: complete and cut short',
    assistant('long', { id: 'n1', stopReason: 'length' }),
    { status: 'complete', metadata: { isTruncated: true, finishReason: 'length' } },
  ],
])('an answer that was %s', async (_name, draft, expected) => {
  await using sample = await openSample('u1')
  await sample.session.append(draft)
  const node = await nodeOf(sample.session, 'n1')
  expect(nodeSchema.safeParse(node)).toMatchObject({ success: true })
  expect(node).toMatchObject(expected)
})

test('what is more than a text comes as parts, and the text of all of them as content', async () => {
  await using sample = await openSample('u1')
  const { session } = sample
  const call = { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'x' } }
  const content = [{ type: 'thinking', thinking: 'hm' }, text('one '), text('two 👍🏽'), call]
  await session.append(assistant('', { id: 'n1', content, stopReason: 'toolUse' }))
  const png = 'A'.repeat(2_000)
  const image = { type: 'image', data: png, mimeType: 'image/png' }
  await session.append(user([text('see'), image, { ...image, data: 'AAAA' }], 'u2'))
  const answer = await nodeOf(session, 'n1')
  expect(answer).toMatchObject({
    content: 'one two 👍🏽',
    contentLength: 12,
    metadata: { finishReason: 'tool_calls' },
    parts: [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'one ' },
      { type: 'text', text: 'two 👍🏽' },
      { type: 'tool_call', toolCallId: 'c1', name: 'read', input: { path: 'x' } },
    ],
  })
  const asked = await nodeOf(session, 'u2')
  expect(asked).toMatchObject({
    content: 'see',
    parts: [
      { type: 'text', text: 'see' },
      { type: 'image', blob: expect.stringMatching(/^blob:sha256:[0-9a-f]{64}$/), mimeType: 'image/png' },
      { type: 'image', blob: 'data:image/png;base64,AAAA', mimeType: 'image/png' },
    ],
  })
  for (const node of [answer, asked]) expect(nodeSchema.safeParse(node)).toMatchObject({ success: true })
})

test('an answer still being generated is an empty node, and stays the same node when its text comes', async () => {
  await using sample = await openSample('u1')
  const { session } = sample
  await session.append(generation('a1'))
  const placeholder = await nodeOf(session, 'a1')
  expect(nodeSchema.safeParse(placeholder)).toMatchObject({ success: true })
  expect(placeholder).toMatchObject({
    parentId: 'u1',
    role: 'assistant',
    status: 'generating',
    content: '',
    contentLength: 0,
    version: 3,
    metadata: { model: 'test/m', generationId: 'g-a1' },
  })
  await session.append(assistant('done', { id: 'a1' }))
  const answer = await nodeOf(session, 'a1')
  expect(answer).toMatchObject({ status: 'complete', content: 'done', version: 4, timestamp: placeholder.timestamp })
  expect(answer.metadata).toMatchObject({ generationId: 'g-a1', finishReason: 'stop' })
})

test('labels, ratings, pins, copies and edited texts are told, and where a fragment came from', async () => {
  await using sample = await openSample('u1', 'a1', 'u2', 'a2')
  const { session } = sample
  await session.append({ ...user('better', 'u3'), editedFrom: 'u2', ext: { app: { mine: 1 } } }, { parentId: 'a1' })
  await session.setLabel('u2', 'here')
  await session.edit({ operations: [{ op: 'meta', nodeId: 'u3', patch: { rating: 4, pinned: true } }] })
  const copy = { op: 'graft', sourceId: 'u2', targetId: null, mode: 'copy', idMap: { u2: 'c2', a2: 'c3' } } as const
  await session.edit({ operations: [copy] })
  const { entry } = await session.edit({ operations: [{ op: 'prune', nodeId: 'u2', include: 'self' }] })
  const nodes = await Promise.all(['u2', 'u3', 'c2', 'a2'].map((id) => nodeOf(session, id)))
  for (const node of nodes) expect(nodeSchema.safeParse(node)).toMatchObject({ success: true })
  const [cut, edited, copied, below] = nodes
  expect(cut).toMatchObject({
    parentId: null,
    metadata: { labels: ['here'] },
    detached: { fragmentId: 'u2', fromParentId: 'a1', fromIndex: 0, opId: entry!.id, at: entry!.timestamp },
  })
  expect(edited!.metadata).toEqual({
    editedFrom: 'u2',
    rating: 4,
    ext: { app: { mine: 1 }, treeline: { pinned: true } },
  })
  expect(copied).toMatchObject({ content: 'says u2', childrenIds: ['c3'], metadata: { copiedFrom: 'u2' } })
  expect(below!.detached).toBeUndefined()
})

test('a node whose bytes are damaged is an error and not a hole', async () => {
  const home = await mkdtemp(join(tmpdir(), 'treeline-wire-'))
  try {
    const { id, path } = await writeOne(home)
    const bytes = await readFile(path, 'utf8')
    // As long as before, and no JSON any more.
    await writeFile(path, bytes.replace('"hello"', '"he"lo"'))
    await using store = await openFileStore({ home })
    await using session = await store.open(id, { readOnly: true })
    const node = await nodeOf(session, 'u1')
    expect(nodeSchema.safeParse(node)).toMatchObject({ success: true })
    expect(node).toMatchObject({ role: 'user', content: '', status: 'error' })
    expect(node.metadata?.error).toContain('damaged')
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})

async function writeOne(home: string): Promise<{ readonly id: string; readonly path: string }> {
  await using store = await openFileStore({ home })
  const session = await store.create({ cwd: '/project' })
  await session.append(user('hello', 'u1'))
  expect(await nodeOf(session, 'u1')).toMatchObject({ content: 'hello', status: 'complete' })
  return { id: session.id, path: session.path }
}
