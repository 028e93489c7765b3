import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planUndo } from '../edit/undo.ts'
import type { Entry } from '../entry/entry.ts'
import { TreelineError } from '../errors.ts'
import { arbitraryEntries } from '../testing/arbitrary-log.ts'
import { lineOf } from '../testing/line-of.ts'
import { describeTree, TestLog } from '../testing/make-tree.ts'
import { runs } from '../testing/runs.ts'
import { listBranches, listFragments } from './branches.ts'
import { Flag, ROOT } from './columns.ts'
import { attachedLeaf } from './leaf.ts'

const anyId = fc.nat(14).map((n) => `e${n}`)
const ids = fc.array(anyId, { minLength: 1, maxLength: 3 })
const anyOp = fc.oneof(
  fc.record({ op: fc.constantFrom('mute', 'unmute', 'restore', 'added'), nodeIds: ids }),
  fc.record({ op: fc.constant('prune'), nodeId: anyId, include: fc.constantFrom('self', 'descendants') }),
  fc.record({ op: fc.constant('graft'), sourceId: anyId, targetId: fc.option(anyId), insertBetween: fc.boolean() }),
  fc.tuple(anyId, anyId, anyId).map(([sourceId, targetId, id]) => ({
    op: 'graft',
    sourceId,
    targetId,
    mode: 'copy',
    idMap: { [sourceId]: `${id}c` },
  })),
  fc.record({ op: fc.constant('uncopy'), nodeId: anyId.map((id) => `${id}c`) }),
  fc.record({ op: fc.constant('delete'), nodeIds: ids, how: fc.constantFrom('subtree', 'splice') }),
  fc.record({ op: fc.constant('reorder'), parentId: fc.option(anyId), childrenIds: ids }),
  fc.record({ op: fc.constant('leaf'), leafId: fc.option(anyId) }),
  fc.record({ op: fc.constant('label'), nodeId: anyId, label: fc.option(fc.constant('x')) }),
  fc.anything(),
)
const anyEdit = fc.record({
  data: fc.oneof(
    fc.record({ ops: fc.array(anyOp, { maxLength: 3 }), inverse: fc.array(anyOp, { maxLength: 2 }) }),
    fc.record({ ops: fc.array(anyOp, { maxLength: 3 }), inverse: fc.constant([]), undoes: anyId }),
    fc.record({ nodeId: anyId, parentId: anyId }),
    fc.anything(),
  ),
  customType: fc.constantFrom('treeline/edit', 'treeline/edit', 'treeline/generation'),
  id: anyId,
  parentId: fc.option(anyId),
  at: fc.nat(30),
})

/** Lines of any order and origin, with edits and generations among them that name whatever they like. */
const hostileEntries = fc
  .tuple(arbitraryEntries({ wild: true, maxLength: 14 }), fc.array(anyEdit, { maxLength: 8 }))
  .map(([entries, edits]) => {
    const log = [...entries]
    for (const { at, ...fields } of edits) {
      const entry = { type: 'custom', timestamp: '2026-01-01T00:00:00.000Z', ...fields } as Entry
      log.splice(at % (log.length + 1), 0, entry)
    }
    return log
  })

test('G1 edits that name what comes later, never or twice leave every node in exactly one place', () => {
  fc.assert(
    fc.property(hostileEntries, (entries) => {
      const log = new TestLog(entries)
      const { tree } = log
      const { columns, edits } = tree
      const seen = new Set<number>()
      for (const top of [ROOT, ...edits.fragments.keys(), ...edits.deleted.keys()]) {
        for (const ref of columns.subtree(top)) {
          if (seen.has(ref)) throw new Error(`${tree.ids.textOf(ref)} stands in two places`)
          seen.add(ref)
        }
      }
      for (let ref = 1; ref < tree.ids.count; ref++) expect(seen.has(ref)).toBe(columns.has(ref, Flag.node))
      const leaf = attachedLeaf(tree)
      expect(columns.isAttached(columns.ownerOf(leaf))).toBe(true)
      listBranches(tree)
      listFragments(tree)
      lineOf(log)
      const before = describeTree(tree)
      for (const { id } of edits.records) {
        try {
          planUndo(tree, leaf, { editId: id })
        } catch (error) {
          if (!(error instanceof TreelineError)) throw error
        }
        expect(describeTree(tree)).toEqual(before)
      }
    }),
    { numRuns: runs(1500) },
  )
})

test('G3 such logs too are read alike line by line and in one batch', () => {
  fc.assert(
    fc.property(hostileEntries, (entries) => {
      const grown = new TestLog(entries)
      expect(describeTree(grown.rebuilt().tree)).toEqual(describeTree(grown.tree))
    }),
    { numRuns: runs(1000) },
  )
})
