import { expect, test } from 'vitest'
import { planAppend } from '../edit/append.ts'
import type { EditRequestOp } from '../edit/op.ts'
import { planEdit } from '../edit/plan.ts'
import { TestLog } from '../testing/make-tree.ts'
import { attachedLeaf } from '../tree/leaf.ts'
import { type DrawStyle, drawTree } from './ascii-tree.ts'
import { treeSource } from './tree-source.ts'

function say(log: TestLog, id: string, parentId: string | null, role: string): void {
  const draft = { type: 'message', id, message: { role, content: [{ type: 'text', text: `text of ${id}` }] } }
  log.append(...planAppend(log.tree, { parentId, draft }).lines)
}
function edit(log: TestLog, ...operations: EditRequestOp[]): void {
  log.append(planEdit(log.tree, attachedLeaf(log.tree), { operations }).entry!)
}
function draw(log: TestLog, style: DrawStyle = 'treeline'): string {
  return [
    ...drawTree(
      treeSource(log.tree, (ref) => log.bodyOf(ref)),
      style,
    ),
  ].join('\n')
}

function makeLog(): TestLog {
  const log = new TestLog()
  say(log, 'a', null, 'user')
  say(log, 'b', 'a', 'assistant')
  say(log, 'c', 'b', 'user')
  say(log, 'd', 'b', 'user')
  return log
}

test('P22 P26 the attached nodes are drawn in the order of the tree', () => {
  const log = makeLog()
  expect(draw(log, 'ids')).toBe(
    'root\n└── a: text of a\n    └── b: text of b\n        ├── c: text of c\n        └── d: text of d',
  )
  edit(log, { op: 'reorder', parentId: 'b', childrenIds: ['d', 'c'] }, { op: 'prune', nodeId: 'c', include: 'self' })
  expect(draw(log, 'typed')).toBe('└── [user] text of a\n    └── [assistant] text of b\n        └── [user] text of d')
})

test('trunk, leaf, muted nodes and labels are marked', () => {
  const log = makeLog()
  edit(log, { op: 'mute', nodeIds: ['a'] }, { op: 'leaf', leafId: 'c' }, { op: 'label', nodeId: 'd', label: 'plan B' })
  expect(draw(log)).toBe(
    `
● user       (muted) text of a
● assistant  text of b
├─○ user       (#plan B) text of d
● user       (leaf) text of c`.slice(1),
  )
})

test('copies show the text of what they copy, a generation shows that it runs', () => {
  const log = makeLog()
  edit(log, { op: 'graft', sourceId: 'c', targetId: 'd', mode: 'copy' })
  const data = { nodeId: 'n', parentId: 'd', model: 'm' }
  log.append(
    ...planAppend(log.tree, { parentId: 'd', draft: { type: 'custom', customType: 'treeline/generation', data } })
      .lines,
  )
  expect(draw(log)).toBe(
    `
● user       text of a
● assistant  text of b
├─○ user       text of c
● user       text of d
├─○ user       text of c
● assistant  (leaf, generating)`.slice(1),
  )
})

test('a writer may give its own leaf', () => {
  const log = makeLog()
  const source = treeSource(log.tree, (ref) => log.bodyOf(ref), log.tree.ids.find('c'))
  expect([...drawTree(source, 'treeline')].at(-1)).toBe('● user       (leaf) text of c')
})
