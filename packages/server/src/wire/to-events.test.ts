import type { EditRequestOp, EntryDraft } from '@treeline/core'
import { type DurableEvent, durableEventSchema } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { expect, test } from 'vitest'
import { readEvents } from './read-events.ts'
import { Follower } from './testing/follower.ts'
import { type Observed, observe } from './testing/observe.ts'
import { assistant, generation, openSample, user } from './testing/sample-session.ts'
import type { LogLine } from './to-events.ts'

/** The events of the last `count` lines, checked. */
async function eventsOf(session: Session, count = 1, told?: Pick<LogLine, 'leaf' | 'cause'>): Promise<DurableEvent[]> {
  const { tree } = session
  const events: DurableEvent[] = []
  for (let row = tree.rowCount - count; row < tree.rowCount; row++) {
    const id = tree.ids.textOf(tree.refAtRow(row))
    const of = await readEvents(session, { row, id }, told)
    expect(of.length).toBeGreaterThan(0)
    for (const event of of) {
      expect(durableEventSchema.safeParse(event)).toMatchObject({ success: true })
      expect(event).toMatchObject({ seq: tree.heads.line[row], version: tree.heads.line[row], sessionId: session.id })
    }
    events.push(...of)
  }
  return events
}

async function edit(session: Session, ...operations: readonly EditRequestOp[]): Promise<DurableEvent[]> {
  await session.edit({ operations })
  return eventsOf(session)
}

test('a message is a new node, an answer one that is announced and then ends', async () => {
  await using sample = await openSample('u1')
  const { session } = sample
  const leaf = { before: null, after: 'u1' }
  const cause = { requestId: 'r1' }
  expect(await eventsOf(session, 1, { leaf, cause })).toMatchObject([
    { type: 'node.created', cause, node: { id: 'u1', content: 'says u1', parentId: null } },
    { type: 'active_leaf.updated', activeLeafId: 'u1', previous: null, reason: 'send' },
  ])
  await session.append(generation('a1'))
  const placeholder = {
    id: 'a1',
    parentId: 'u1',
    status: 'generating',
    content: '',
    metadata: { generationId: 'g-a1' },
  }
  expect(await eventsOf(session)).toMatchObject([{ type: 'node.created', node: placeholder }])
  await session.append(assistant('done', { id: 'a1' }))
  expect(await eventsOf(session, 2)).toMatchObject([
    { type: 'node.created', node: placeholder },
    { type: 'node.completed', node: { id: 'a1', status: 'complete', content: 'done' } },
  ])
})

test.each<[string, EntryDraft, object]>([
  [
    'failed',
    assistant('', { id: 'a1', stopReason: 'error', errorMessage: 'Too long.', errorCode: 'context_overflow' }),
    { code: 'context_overflow', detail: 'Too long.', retryable: false },
  ],
  [
    'cancelled before it said anything',
    assistant('', { id: 'a1', stopReason: 'aborted' }),
    { code: 'cancelled', retryable: true },
  ],
  [
    'interrupted',
    assistant('so', { id: 'a1', stopReason: 'error', isInterrupted: true }),
    { code: 'interrupted', detail: 'interrupted', retryable: true },
  ],
])('an answer that was %s says why', async (_name, draft, problem) => {
  await using sample = await openSample('u1')
  const { session } = sample
  await session.append(generation('a1'))
  await session.append(draft)
  expect(await eventsOf(session)).toMatchObject([{ type: 'node.failed', node: { id: 'a1', status: 'error' }, problem }])
})

test('a node is told as its line brought it, whatever was done to it since', async () => {
  await using sample = await openSample('u1', 'a1', 'u2')
  const { session } = sample
  const { tree } = session
  await session.edit({
    operations: [
      { op: 'mute', nodeIds: ['a1'] },
      { op: 'label', nodeId: 'a1', label: 'x' },
      { op: 'graft', sourceId: 'a1', targetId: null },
    ],
  })
  const [event] = await readEvents(session, { row: 1, id: tree.ids.textOf(tree.refAtRow(1)) })
  expect(event).toMatchObject({
    seq: 3,
    node: { id: 'a1', parentId: 'u1', childrenIds: [], isEnabled: true, version: 3 },
  })
  expect((event as { node: { metadata: object } }).node.metadata).toEqual({ finishReason: 'stop' })
})

test('each operation has its event', async () => {
  await using sample = await openSample('u1', 'a1', 'u2', 'a2')
  const { session } = sample
  await session.append(user('other', 'u3'), { parentId: 'a1' })
  expect(await edit(session, { op: 'mute', nodeIds: ['u1', 'a1'] }, { op: 'unmute', nodeIds: ['a1'] })).toMatchObject([
    {
      type: 'nodes.state.updated',
      patches: [
        { id: 'u1', isEnabled: false },
        { id: 'a1', isEnabled: true },
      ],
    },
  ])
  expect(await edit(session, { op: 'reorder', parentId: 'a1', childrenIds: ['u3', 'u2'] })).toMatchObject([
    { type: 'tree.reordered', parentId: 'a1', childrenIds: ['u3', 'u2'] },
  ])
  expect(await edit(session, { op: 'prune', nodeId: 'a1' })).toMatchObject([
    {
      type: 'tree.pruned',
      nodeId: 'a1',
      fragments: [
        { fragmentId: 'u3', fromParentId: 'a1', fromIndex: 0, nodeCount: 1 },
        { fragmentId: 'u2', fromParentId: 'a1', fromIndex: 1, nodeCount: 2, preview: 'says u2' },
      ],
    },
  ])
  expect(await edit(session, { op: 'graft', sourceId: 'u2', targetId: 'u1' })).toMatchObject([
    {
      type: 'tree.grafted',
      sourceId: 'u2',
      targetId: 'u1',
      mode: 'move',
      nodes: [{ id: 'u2', parentId: 'u1' }, { id: 'u1' }],
    },
  ])
  const idMap = { u2: 'c2', a2: 'c3' }
  expect(await edit(session, { op: 'graft', sourceId: 'u2', targetId: null, mode: 'copy', idMap })).toMatchObject([
    {
      type: 'tree.grafted',
      mode: 'copy',
      idMap,
      nodes: [
        { id: 'c2', content: 'says u2' },
        { id: 'c3', parentId: 'c2' },
      ],
    },
    { type: 'tree.reordered', parentId: null, childrenIds: ['u1', 'c2'] },
  ])
  expect(await edit(session, { op: 'delete', nodeIds: ['u2'], how: 'splice' })).toMatchObject([
    { type: 'nodes.deleted', ids: ['u2'], how: 'splice' },
    { type: 'tree.reordered', parentId: 'u1', childrenIds: ['a1', 'a2'] },
  ])
  expect(await edit(session, { op: 'restore', nodeIds: ['u2'] })).toMatchObject([
    { type: 'nodes.restored', nodes: [{ id: 'u1' }, { id: 'u2', childrenIds: ['a2'] }, { id: 'a2' }] },
  ])
  expect(await edit(session, { op: 'meta', nodeId: 'u2', patch: { rating: 3 } })).toMatchObject([
    { type: 'node.metadata.updated', id: 'u2', metadata: { rating: 3 } },
  ])
  expect(await edit(session, { op: 'label', nodeId: 'u2', label: 'x' })).toMatchObject([
    { type: 'node.metadata.updated', id: 'u2', metadata: { rating: 3, labels: ['x'] } },
  ])
})

test('names, tags, modes and settings are changes of the session', async () => {
  await using sample = await openSample('u1')
  const { session } = sample
  expect(await edit(session, { op: 'name', name: 'New' })).toMatchObject([
    { type: 'session.updated', patch: { title: 'New' } },
  ])
  await session.undo()
  expect(await eventsOf(session)).toMatchObject([{ type: 'session.updated', patch: { title: 'Sample' } }])
  const patch = { tags: ['a'], mode: 'linear' }
  expect(await edit(session, { op: 'session', patch }, { op: 'name', name: null })).toMatchObject([
    { type: 'session.updated', patch: { ...patch, title: '' } },
  ])
  const config = { model: 'p/m', pastedTextMap: { x: 'long' } }
  const [event] = await edit(session, { op: 'config', patch: config })
  expect(event).toMatchObject({ type: 'session.updated', patch: { config: { model: 'p/m' } } })
  expect(JSON.stringify(event)).not.toContain('long')
})

test('what was allowed to a tool is told, under an id that can stand in a path', async () => {
  await using sample = await openSample('u1', 'a1')
  const { session } = sample
  const ask = { toolCallId: 'call|1/x', nodeId: 'a1', name: 'bash', input: { command: 'ls' }, shown: 'ls' }
  const approvalId = expect.stringMatching(/^call-1-x\.[0-9a-f]{16}$/)
  await session.append({ type: 'custom', customType: 'treeline/approval', data: ask })
  const data = { toolCallId: 'call|1/x', nodeId: 'a1', name: 'bash', decision: 'deny', reason: 'no' }
  await session.append({ type: 'custom', customType: 'treeline/approval', data })
  expect(await eventsOf(session, 2)).toMatchObject([
    { type: 'approval.requested', approvalId, nodeId: 'a1', tool: 'bash', input: ask.input, shown: 'ls' },
    { type: 'approval.resolved', approvalId, decision: 'deny', reason: 'no' },
  ])
})

test.each<[string, EntryDraft]>([
  ['a change of the model', { type: 'model_change', provider: 'p', modelId: 'm' }],
  ['a line of an extension', { type: 'custom', customType: 'other', data: 1 }],
  ['a tool that is about to run', { type: 'custom', customType: 'treeline/attempt', data: {} }],
  ['an unknown line', { type: 'from_the_future' }],
  [
    'an edit that cannot be carried out',
    { type: 'custom', customType: 'treeline/edit', data: { ops: [{ op: 'mute', nodeIds: ['zz'] }] } },
  ],
  ['an announcement of nothing', { type: 'custom', customType: 'treeline/generation', data: {} }],
  ['an approval of nothing', { type: 'custom', customType: 'treeline/approval', data: { decision: 'once' } }],
  ['a label on what is not there', { type: 'label', targetId: 'later', label: 'x' }],
])('%s keeps its number in the sequence', async (_name, draft) => {
  await using sample = await openSample('u1')
  const { id } = await sample.session.append({ ...draft, id: 'e1' })
  expect(await eventsOf(sample.session)).toMatchObject([{ type: 'entry.appended', entryId: id, entryType: draft.type }])
})

test('an edit that moves nothing but the leaf says why it moved', async () => {
  await using sample = await openSample('u1', 'a1', 'u2')
  const { session } = sample
  const moved = async (...operations: readonly EditRequestOp[]) => {
    const before = session.leafId
    await session.edit({ operations })
    return (await eventsOf(session, 1, { leaf: { before, after: session.leafId } })).at(-1)
  }
  expect(await moved({ op: 'leaf', leafId: 'u1' })).toMatchObject({
    activeLeafId: 'u1',
    previous: 'u2',
    reason: 'user',
  })
  await session.branch('u2')
  expect(await moved({ op: 'prune', nodeId: 'a1' })).toMatchObject({
    activeLeafId: 'a1',
    previous: 'u2',
    reason: 'prune',
  })
  expect(await moved({ op: 'delete', nodeIds: ['a1'] })).toMatchObject({ activeLeafId: 'u1', reason: 'delete' })
})

const scenario: readonly (readonly EditRequestOp[])[] = [
  [
    { op: 'mute', nodeIds: ['u1'] },
    { op: 'label', nodeId: 'a1', label: 'x' },
  ],
  [{ op: 'reorder', parentId: 'a1', childrenIds: ['u3', 'u2'] }],
  [{ op: 'prune', nodeId: 'a1' }],
  [
    { op: 'graft', sourceId: 'u3', targetId: 'a1' },
    { op: 'graft', sourceId: 'u2', targetId: 'u3', index: 0 },
  ],
  [{ op: 'graft', sourceId: 'u2', targetId: 'a1', insertBetween: true }],
  [{ op: 'graft', sourceId: 'u1', targetId: null, mode: 'copy', index: 0 }],
  [{ op: 'delete', nodeIds: ['a1'], how: 'splice' }],
  [
    { op: 'graft', sourceId: 'a2', targetId: 'u1', index: 0 },
    { op: 'prune', nodeId: 'u1' },
  ],
  [{ op: 'delete', nodeIds: ['u1'] }],
]

test('a client that applies every event as it comes has the tree, through edits and all of them undone', async () => {
  await using sample = await openSample()
  const { session } = sample
  const client = new Follower()
  const catchUp = async () => {
    for (const event of await eventsOf(session)) client.apply(event)
    expect(told(client)).toEqual(seen(await observe(session)))
  }
  await play(session, catchUp)
})

test('a client that comes late and applies every event has the tree too', async () => {
  await using sample = await openSample()
  const { session } = sample
  await play(session, async () => {})
  const client = new Follower()
  for (const event of await eventsOf(session, session.tree.rowCount)) client.apply(event)
  expect(told(client)).toEqual(seen(await observe(session)))
})

async function play(session: Session, step: () => Promise<void>): Promise<void> {
  const drafts: readonly [EntryDraft, string | null][] = [
    [user('one', 'u1'), null],
    [generation('a1'), 'u1'],
    [assistant('answer', { id: 'a1' }), 'u1'],
    [user('two', 'u2'), 'a1'],
    [assistant('second', { id: 'a2' }), 'u2'],
    [user('three', 'u3'), 'a1'],
  ]
  for (const [draft, parentId] of drafts) {
    await session.append(draft, { parentId })
    await step()
  }
  for (const operations of scenario) {
    await session.edit({ operations })
    await step()
  }
  for (const _ of scenario) {
    await session.undo()
    await step()
  }
  for (const _ of scenario.slice(0, 7)) {
    await session.redo()
    await step()
  }
}

function told(client: Follower): unknown {
  return seen({ nodes: Object.fromEntries(client.living().map((node) => [node.id, node])), roots: client.roots })
}

function seen({ nodes, roots }: Pick<Observed, 'nodes' | 'roots'>): unknown {
  const shown = Object.values(nodes).map(({ id, parentId, childrenIds, isEnabled, status, content }) => [
    id,
    { parentId, childrenIds, isEnabled, status, content },
  ])
  return { nodes: Object.fromEntries(shown), roots: [...roots] }
}

test('an edit is known by name, and what it took back, also to who asks long after', async () => {
  await using sample = await openSample('u1')
  const { session } = sample
  const done = await session.edit({ operations: [{ op: 'mute', nodeIds: ['u1'] }], by: 'ann' })
  expect((await eventsOf(session))[0]?.cause).toEqual({ opId: done.entry!.id, actor: 'ann' })
  const undone = await session.undo({ by: 'ann' })
  const cause = { requestId: 'r1', actor: 'bob' }
  const [told] = await eventsOf(session, 1, { cause })
  expect(told?.cause).toEqual({ ...cause, opId: undone.entry!.id, undoes: done.entry!.id })
})
