import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyPicks, arbitraryPick, attempt, commit, toOp } from '../testing/arbitrary-edit.ts'
import { arbitraryEntries } from '../testing/arbitrary-log.ts'
import { describeTree, TestLog } from '../testing/make-tree.ts'
import { runs } from '../testing/runs.ts'
import { ROOT } from '../tree/columns.ts'
import { attachedLeaf } from '../tree/leaf.ts'
import { planEdit } from './plan.ts'
import { planRedo, planUndo } from './undo.ts'

describe('edits on any tree', () => {
  test('G2 undo after any edit restores the same tree and leaf, redo brings the edit back', () => {
    fc.assert(
      fc.property(
        arbitraryEntries(),
        fc.array(fc.array(arbitraryPick(), { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
        (entries, edits) => {
          const log = new TestLog(entries)
          for (const group of edits) {
            const { tree } = log
            const leaf = attachedLeaf(tree)
            const before = describeTree(tree)
            const operations = group.map((pick) => toOp(tree, pick))
            const plan = attempt(() => planEdit(tree, leaf, { operations }))
            expect(describeTree(tree)).toEqual(before)
            if (plan?.entry === undefined) continue
            commit(log, plan)
            expect(tree.problems().filter((p) => p.type === 'edit_failed')).toEqual([])
            const after = describeTree(tree)
            const leafAfter = attachedLeaf(tree)
            expect(leafAfter === ROOT ? null : tree.ids.textOf(leafAfter)).toBe(plan.leafId)
            commit(log, planUndo(tree, leafAfter))
            expect(describeTree(tree)).toEqual(before)
            expect(attachedLeaf(tree)).toBe(leaf)
            commit(log, planRedo(tree, attachedLeaf(tree)))
            expect(describeTree(tree)).toEqual(after)
            expect(attachedLeaf(tree)).toBe(leafAfter)
          }
        },
      ),
      { numRuns: runs(300) },
    )
  })

  test('G2 undoing everything leads back to the start, redoing everything to the end', () => {
    fc.assert(
      fc.property(arbitraryEntries(), fc.array(arbitraryPick(), { maxLength: 12 }), (entries, edits) => {
        const log = new TestLog(entries)
        const start = describeTree(log.tree)
        let count = 0
        for (const pick of edits) {
          const operations = [toOp(log.tree, pick)]
          const plan = attempt(() => planEdit(log.tree, attachedLeaf(log.tree), { operations, by: 'me' }))
          if (plan?.entry === undefined) continue
          commit(log, plan)
          count++
        }
        const end = describeTree(log.tree)
        for (let i = 0; i < count; i++) commit(log, planUndo(log.tree, attachedLeaf(log.tree), { by: 'me' }))
        expect(describeTree(log.tree)).toEqual(start)
        for (let i = 0; i < count; i++) commit(log, planRedo(log.tree, attachedLeaf(log.tree), { by: 'me' }))
        expect(describeTree(log.tree)).toEqual(end)
      }),
      { numRuns: runs(200) },
    )
  })

  test('G3 reading the log in one batch gives the tree that grew line by line', () => {
    fc.assert(
      fc.property(arbitraryEntries({ wild: true }), fc.array(arbitraryPick(), { maxLength: 20 }), (entries, edits) => {
        const log = new TestLog(entries)
        applyPicks(log, edits)
        const batch = log.rebuilt()
        expect(describeTree(batch.tree)).toEqual(describeTree(log.tree))
        expect(batch.tree.ids.textOf(batch.tree.leaf)).toBe(log.tree.ids.textOf(log.tree.leaf))
        expect(batch.tree.problems()).toEqual(log.tree.problems())
      }),
      { numRuns: runs(300) },
    )
  })
})
