import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planUndo } from '../edit/undo.ts'
import { TreelineError } from '../errors.ts'
import { hostileEntries } from '../testing/arbitrary-hostile.ts'
import { lineOf } from '../testing/line-of.ts'
import { describeTree, TestLog } from '../testing/make-tree.ts'
import { runs } from '../testing/runs.ts'
import { listBranches, listFragments } from './branches.ts'
import { Flag, ROOT } from './columns.ts'
import { attachedLeaf } from './leaf.ts'

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
