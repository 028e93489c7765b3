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

test('what happened before anybody could tell by whom cannot be undone by name', () => {
  const [item] = listEdits([event({ type: 'nodes.deleted', ids: ['a', 'b'], how: 'subtree' })])
  expect(item).toMatchObject({ opId: undefined, text: 'Deleted 2', by: '' })
})
