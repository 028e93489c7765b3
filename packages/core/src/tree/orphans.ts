import { Flag, ROOT } from './columns.ts'
import type { TreeProblem } from './problem.ts'
import type { Tree } from './tree.ts'

/** Entries whose parent is not in the log, as far as it has been read. */
export function* findOrphans(tree: Tree): Generator<TreeProblem> {
  const { columns, ids, heads } = tree
  for (let row = 0; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    const parent = columns.rawParent[ref]!
    if (columns.rowOf[ref] !== row || parent === ROOT || columns.has(parent, Flag.known)) continue
    yield { type: 'orphan', id: ids.textOf(ref), parentId: ids.textOf(parent), line: heads.line[row]! }
  }
}
