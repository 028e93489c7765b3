import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BoxKind } from './boxes.ts'
import { type Folding, Shown } from './folding.ts'
import { addNodes, createForest, type Forest, setLeaf } from './forest.ts'
import { reveal } from './reveal.ts'
import { contract } from './segments.ts'
import { agentParents, parentsArb } from './testing/trees.ts'
import { placesOf, shownAt, VIEW } from './testing/views.ts'
import { NodeFlag } from './to-places.ts'

const NAMES = Object.keys(BoxKind)
const runs = { numRuns: 300 * Number(process.env.TREELINE_RUNS_FACTOR ?? 1) }

/** `kind first-last xnodes <parent`, in the order of the boxes. */
function draw(forest: Forest, folding: Partial<Folding> = {}): string[] {
  const { kind, first, last, nodes, parent } = contract(forest, { ...VIEW, ...folding })
  return Array.from(kind, (own, box) => {
    const places = first[box] === last[box] ? first[box] : `${first[box]}-${last[box]}`
    return `${NAMES[own]} ${places} x${nodes[box]} <${parent[box]}`
  })
}

function chain(count: number, leaf = count - 1, flags: readonly number[] = []): Forest {
  const parents = Array.from({ length: count }, (_, i) => i - 1)
  return createForest(placesOf(parents, leaf, flags))
}

function isBelowBox(parents: readonly number[], boxOf: Int32Array, place: number): boolean {
  for (let at = place; at >= 0; at = parents[at]!) if (boxOf[at]! >= 0) return true
  return false
}

test('of a run there are its beginning, its end and one segment for what lies between', () => {
  expect(draw(chain(6))).toEqual(['node 0 x1 <-1', 'segment 1-4 x4 <0', 'node 5 x1 <1'])
  expect(draw(chain(4))).toEqual(['node 0 x1 <-1', 'node 1 x1 <0', 'node 2 x1 <1', 'node 3 x1 <2'])
  expect(draw(chain(1))).toEqual(['node 0 x1 <-1'])
  expect(draw(chain(0))).toEqual([])
})

test('a label, an error, a running answer and the active leaf stand by themselves, muted runs apart from others', () => {
  for (const flag of [NodeFlag.labelled, NodeFlag.error, NodeFlag.generating]) {
    const drawn = draw(chain(9, 8, [0, 0, 0, 0, flag]))
    expect(drawn.slice(1, 4)).toEqual(['segment 1-3 x3 <0', 'node 4 x1 <1', 'segment 5-7 x3 <2'])
  }
  expect(draw(chain(9, 4))).toEqual(draw(chain(9, 8, [0, 0, 0, 0, NodeFlag.labelled])))
  const muted = draw(chain(8, 7, [0, 0, 0, 0, 1, 1, 1]))
  expect(muted).toEqual(['node 0 x1 <-1', 'segment 1-3 x3 <0', 'segment 4-6 x3 <1', 'node 7 x1 <2'])
})

test('a segment that was opened shows its nodes, also after something branched off in its middle', () => {
  const shown = shownAt(Shown.opened, 1, 2, 3, 4)
  const forest = chain(6)
  expect(draw(forest, { shown })).toHaveLength(6)
  addNodes(forest, { parent: Int32Array.of(2), flags: Uint8Array.of(0) })
  expect(draw(forest, { shown })).toEqual([...[0, 1, 2, 3, 4, 5].map((i) => `node ${i} x1 <${i - 1}`), 'node 6 x1 <2'])
})

test('branches off the trunk are folded until they are opened, and show their own line then', () => {
  // 0 ─ 1 ─ 2 (trunk), 1 ─ 3 ─ 4, 3 ─ 5 ─ 6
  const forest = createForest(placesOf([-1, 0, 1, 1, 3, 3, 5], 2))
  expect(draw(forest)).toEqual(['node 0 x1 <-1', 'node 1 x1 <0', 'node 2 x1 <1', 'branch 3 x4 <1'])
  const opened = draw(forest, { shown: shownAt(Shown.opened, 3) })
  expect(opened.slice(3)).toEqual(['node 3 x1 <1', 'node 4 x1 <3', 'branch 5 x2 <3'])
})

test('the trunk stands first among siblings, or in its own place', () => {
  const forest = createForest(placesOf([-1, 0, 0, 0, 1, 2], 5))
  expect(draw(forest)).toEqual(['node 0 x1 <-1', 'node 2 x1 <0', 'node 5 x1 <1', 'branch 1 x2 <0', 'node 3 x1 <0'])
  const own = ['node 0 x1 <-1', 'branch 1 x2 <0', 'node 2 x1 <0', 'node 5 x1 <2', 'node 3 x1 <0']
  expect(draw(forest, { trunkFirst: false })).toEqual(own)
})

test('other roots and the stash are folded beside the tree', () => {
  const forest = createForest(placesOf([-1, 0, -1, 2, -2, 4, 4], 1))
  expect(draw(forest)).toEqual(['node 0 x1 <-1', 'node 1 x1 <0', 'branch 2 x2 <-1', 'branch 4 x3 <-2'])
})

test('a node with more branches than can be looked at shows some of them, and all when asked', () => {
  const forest = createForest(placesOf([-1, ...Array.from({ length: 10 }, () => 0), 9], 1))
  expect(draw(forest).slice(2)).toEqual(['node 2 x1 <0', 'node 3 x1 <0', 'node 4 x1 <0', 'more 5-10 x7 <0'])
  const { ends, boxOf } = contract(forest, VIEW)
  expect([ends[5], boxOf[7], boxOf[11]]).toEqual([6, 5, -1])
  expect(draw(forest, { shown: shownAt(Shown.all, 0) })).toHaveLength(11)
  expect(draw(forest, { shown: shownAt(Shown.opened, 9) }).slice(5)).toEqual([
    'node 9 x1 <0',
    'node 11 x1 <5',
    'more 5-10 x5 <0',
  ])
})

test('a closed node stands for all below it, and says what is going on there', () => {
  const forest = chain(6, 5, [0, 0, 0, 0, NodeFlag.generating])
  expect(draw(forest, { shown: shownAt(Shown.closed, 1) })).toEqual(['node 0 x1 <-1', 'node 1 x5 <0'])
  expect(contract(forest, { ...VIEW, shown: shownAt(Shown.closed, 1) }).flags[1]).toBe(NodeFlag.generating)
})

test('every node is in one box or below one, whatever is opened; boxes stand after their parents', () => {
  fc.assert(
    fc.property(parentsArb(60), fc.array(fc.nat(7)), fc.nat(), fc.boolean(), (parents, shown, leaf, trunkFirst) => {
      const forest = createForest(placesOf(parents, leaf % (parents.length + 1)))
      const folding = { ...VIEW, shown: Uint8Array.from(shown), trunkFirst }
      const { kind, nodes, parent, boxOf } = contract(forest, folding)
      expect(parent.every((above, box) => above < box)).toBe(true)
      expect(nodes.reduce((sum, own) => sum + own, 0)).toBe(parents.length)
      const inSight = new Int32Array(kind.length)
      for (const [place, box] of boxOf.entries()) {
        if (box >= 0) inSight[box]!++
        else expect(isBelowBox(parents, boxOf, place)).toBe(true)
      }
      for (const [box, own] of kind.entries()) {
        if (own === BoxKind.segment) expect(inSight[box]).toBe(nodes[box])
        else expect(inSight[box]).toBeGreaterThan(0)
      }
    }),
    runs,
  )
})

test('what is revealed stands in sight by itself, wherever it was', () => {
  fc.assert(
    fc.property(parentsArb(60), fc.array(fc.nat(7)), fc.nat(), fc.nat(), (parents, shown, leaf, at) => {
      fc.pre(parents.length > 0)
      const place = at % parents.length
      const forest = createForest(placesOf(parents, leaf % parents.length))
      const revealed = reveal(forest, Uint8Array.from(shown), place)
      const { kind, boxOf, first } = contract(forest, { ...VIEW, shown: revealed })
      expect([kind[boxOf[place]!], first[boxOf[place]!]]).toEqual([BoxKind.node, place])
    }),
    runs,
  )
})

test('a tree that grew node by node looks like one that was there from the start', () => {
  fc.assert(
    fc.property(parentsArb(60), fc.nat(), (parents, cut) => {
      const whole = createForest(placesOf(parents, parents.length - 1))
      const growing = createForest(placesOf(parents.slice(0, cut % (parents.length + 1)), -1))
      for (const parent of parents.slice(cut % (parents.length + 1))) {
        addNodes(growing, { parent: Int32Array.of(parent), flags: Uint8Array.of(0) })
      }
      setLeaf(growing, parents.length - 1)
      expect(draw(growing)).toEqual(draw(whole))
    }),
    runs,
  )
})

test('100,000 nodes are a few thousand boxes, and a line of 100,000 is three', () => {
  const count = 100_000
  const { kind } = contract(createForest(placesOf(agentParents(count), count - 1)), VIEW)
  expect(kind.length).toBeLessThan(count / 20)
  expect(draw(chain(count))).toEqual(['node 0 x1 <-1', 'segment 1-99998 x99998 <0', 'node 99999 x1 <1'])
})
