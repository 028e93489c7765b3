import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runSteps } from '../steps.ts'
import { applyPicks, arbitraryPick } from '../testing/arbitrary-edit.ts'
import { arbitraryEntries } from '../testing/arbitrary-log.ts'
import { describeTree, TestLog } from '../testing/make-tree.ts'
import { runs } from '../testing/runs.ts'
import { attachedLeaf } from './leaf.ts'
import { restoreTree, saveTree } from './snapshot.ts'
import type { Tree } from './tree.ts'
import { treeAt } from './tree-at.ts'

/** The tree without the bodies it has read: as one from saved columns. */
function reopened(tree: Tree): Tree {
  const { meta, sections } = saveTree(tree)
  const bytes = new Map(sections.map(({ name, bytes }) => [name, bytes.slice()]))
  return restoreTree(meta, (name, into, at = 0) => void into.set(bytes.get(name)!.subarray(at, at + into.length)))
}

const leafOf = (tree: Tree) => tree.ids.textOf(attachedLeaf(tree))

test('the tree after a line is the tree of the log that ends with it, whatever came later', () => {
  fc.assert(
    fc.property(
      arbitraryEntries(),
      fc.array(arbitraryPick(), { maxLength: 12 }),
      fc.nat(),
      fc.boolean(),
      (entries, picks, at, isReopened) => {
        const log = new TestLog(entries)
        applyPicks(log, picks, 'x')
        // A line whose id was there before says what the earlier one is now: that is told in `treeAt`.
        const ids = log.entries.map(({ id }) => id)
        fc.pre(new Set(ids).size === ids.length)
        const count = at % (log.entries.length + 1)
        const now = isReopened ? reopened(log.tree) : log.tree
        const asked: number[] = []
        const past = runSteps(treeAt(now, count + 1), (rows) => {
          asked.push(...rows)
          return rows.map((row) => log.entries[row])
        })
        const expected = new TestLog(log.entries.slice(0, count)).tree
        expect(describeTree(past)).toEqual(describeTree(expected))
        expect(leafOf(past)).toBe(leafOf(expected))
        expect(asked.every((row) => row < count && log.entries[row]!.type !== 'message')).toBe(true)
      },
    ),
    { numRuns: runs(200) },
  )
})
