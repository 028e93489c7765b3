import { packColumns } from '@treeline/protocol'
import { expect, test } from 'vitest'
import { NodeFlag, TreeModel } from '../state/tree-model.ts'
import { generatingElsewhere, newestLeaf, trunkRows } from './trunk-rows.ts'

interface Sample {
  readonly parent: readonly number[]
  readonly flags?: Readonly<Record<string, number>>
  readonly leaf: string | null
}

/** Nodes a, b, c… with the place of their parent. */
function makeTree({ parent, flags = {}, leaf }: Sample): TreeModel {
  const id = parent.map((_, i) => String.fromCharCode(97 + i))
  return new TreeModel({
    rootNodeIds: id.filter((_, i) => parent[i] === -1),
    activeLeafId: leaf,
    fragments: [],
    columns: packColumns({
      id,
      // One that is gone stands where a fragment does, with its flag.
      parent: parent.map((above) => Math.max(above, -2)),
      role: parent.map((_, i) => 1 + (i % 2)),
      flags: id.map((one) => flags[one] ?? 0),
      time: parent.map((_, i) => i),
      reordered: {},
    }),
  })
}

const tree = { mode: 'tree', opened: new Set<string>() } as const
const shown = (rows: ReturnType<typeof trunkRows>) =>
  rows.map((row) => (row.kind === 'message' ? row.key + (row.isMuted ? '!' : '') : `${row.ids.length} hidden`))

const muted = { b: NodeFlag.disabled, c: NodeFlag.disabled, e: NodeFlag.disabled }
const chain = { parent: [-1, 0, 1, 2, 3], leaf: 'e' }

test('T10 only what counts is shown, and a mark where something does not', () => {
  expect(shown(trunkRows(makeTree({ ...chain, flags: muted }), tree))).toEqual(['a', '2 hidden', 'd', '1 hidden'])
})

test('X51 a mark opens to what it stands for, whichever of them was asked for', () => {
  const rows = trunkRows(makeTree({ ...chain, flags: muted }), { mode: 'tree', opened: new Set(['c']) })
  expect(shown(rows)).toEqual(['a', '2 hidden', 'b!', 'c!', 'd', '1 hidden'])
})

test('the trunk is the path to the active leaf, which may have children', () => {
  const forked = makeTree({ parent: [-1, 0, 1, 0, 3], leaf: 'd' })
  expect(shown(trunkRows(forked, tree))).toEqual(['a', 'd'])
  expect(trunkRows(makeTree({ parent: [-1, 0], leaf: null }), tree)).toEqual([])
})

test('T36 a linear chat shows all of the path to what was said last, muted or not', () => {
  const forked = makeTree({ parent: [-1, 0, 0, 2, 1], leaf: 'a', flags: { b: NodeFlag.disabled } })
  expect(shown(trunkRows(forked, { ...tree, mode: 'linear' }))).toEqual(['a', 'b', 'e'])
  const below = makeTree({ parent: [-1, 0, 0, 2, 1], leaf: 'c' })
  expect(shown(trunkRows(below, { ...tree, mode: 'linear' }))).toEqual(['a', 'b', 'e'])
})

test('what is in the stash or deleted is not what was said last', () => {
  const flags = { d: NodeFlag.detached, e: NodeFlag.deleted }
  const forked = makeTree({ parent: [-1, 0, 1, -2, -3], leaf: null, flags })
  expect(forked.ids[newestLeaf(forked)]).toBe('c')
})

test('answers under way on other branches are known', () => {
  const flags = { c: NodeFlag.generating, e: NodeFlag.generating }
  expect(generatingElsewhere(makeTree({ parent: [-1, 0, 1, 0, 3], leaf: 'e', flags }))).toEqual(['c'])
})
