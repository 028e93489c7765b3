import type { DurableEvent } from '@treeline/protocol'
import { expect, test } from 'vitest'
import { listEdits } from './history.ts'
import { event, node } from './testing/model.ts'

test('edits are listed latest first, once each, and messages are not', () => {
  const cause = { requestId: 'r', opId: 'e1', actor: 'ann' }
  const items = listEdits([
    event({ type: 'node.created', node: node('a', null) }),
    { ...event({ type: 'tree.pruned', nodeId: 'a', fragments: [] }), cause },
    {
      ...event({ type: 'active_leaf.updated', activeLeafId: 'a', previous: 'b', reason: 'prune' }),
      cause,
    },
    {
      ...event({ type: 'nodes.state.updated', patches: [{ id: 'a', isEnabled: false }] }),
      cause: { ...cause, opId: 'e2' },
    },
  ])
  expect(items.map(({ opId, text, by }) => [opId, text, by])).toEqual([
    ['e2', 'Muted 1', 'ann'],
    ['e1', 'Cut off, into the stash', 'ann'],
  ])
})

test('what nobody did cannot be undone by name', () => {
  const [item] = listEdits([event({ type: 'nodes.deleted', ids: ['a', 'b'], how: 'subtree' })])
  expect(item).toMatchObject({ opId: undefined, text: 'Deleted 2', by: '' })
})

test('an undo says how it stands with the edit it goes back to, and so does the undo of that', () => {
  const mute = (opId: string, isEnabled: boolean, undoes?: string): DurableEvent => ({
    ...event({ type: 'node.state.updated', patch: { id: 'a', isEnabled } }),
    cause: { opId, ...(undoes !== undefined && { undoes }) },
  })
  const log = [mute('e1', false), mute('e2', true, 'e1'), mute('e3', false, 'e2'), mute('e4', true, 'e1')]
  const states = log.map((_, at) => listEdits(log.slice(0, at + 1)).map(({ opId, isUndone }) => [opId, isUndone]))
  expect(states).toEqual([[['e1', false]], [['e1', true]], [['e1', false]], [['e1', true]]])
  // What it goes back to may lie further back than somebody looked.
  expect(listEdits(log.slice(1))).toMatchObject([
    { opId: 'e4', text: 'Unmuted' },
    { opId: 'e2', text: 'Unmuted', isUndone: true },
  ])
})

test('what was made of others is an edit by the name that the next line gives it, and can be undone', () => {
  const merge = { ...node('m', 'a'), metadata: { kind: 'merge' as const } }
  const summary = { ...node('s', 'm'), metadata: { summarizedFrom: ['a'] } }
  const at = (seq: number, event: DurableEvent, cause?: DurableEvent['cause']) =>
    ({ ...event, seq, ...(cause && { cause }) }) as DurableEvent
  const log = [
    at(2, event({ type: 'node.created', node: merge })),
    at(3, event({ type: 'entry.appended', entryId: 'e1', entryType: 'custom' }), { opId: 'e1', actor: 'ann' }),
    at(4, event({ type: 'node.created', node: summary })),
    at(5, event({ type: 'nodes.state.updated', patches: [{ id: 'a', isEnabled: false }] }), { opId: 'e2' }),
    at(5, event({ type: 'active_leaf.updated', activeLeafId: 's', previous: 'm', reason: 'user' })),
    at(6, event({ type: 'nodes.deleted', ids: ['m'], how: 'subtree' }), { opId: 'e3', undoes: 'e1' }),
  ]
  expect(listEdits(log).map(({ opId, text, nodeId, isUndone }) => [opId, text, nodeId, isUndone])).toEqual([
    ['e2', 'Summed up', 's', false],
    ['e1', 'Merged into a new branch', 'm', true],
  ])
})

test('an undo with several effects takes back once', () => {
  const cause = { opId: 'e2', undoes: 'e1' }
  const items = listEdits([
    { ...event({ type: 'tree.pruned', nodeId: 'a', fragments: [] }), cause: { opId: 'e1' } },
    { ...event({ type: 'tree.grafted', sourceId: 'b', targetId: 'a', mode: 'move', nodes: [] } as never), cause },
    { ...event({ type: 'active_leaf.updated', activeLeafId: 'b', previous: 'a', reason: 'user' }), cause },
  ])
  expect(items).toMatchObject([{ opId: 'e1', isUndone: true }])
})
