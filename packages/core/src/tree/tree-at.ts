import { type Head, Heads } from '../codec/heads.ts'
import type { Entry } from '../entry/entry.ts'
import { type Kind, type Role, treeReadsBody } from '../entry/kind.ts'
import type { Steps } from '../steps.ts'
import { ROOT } from './columns.ts'
import { Tree } from './tree.ts'

/** Bodies asked for at a time. */
const BATCH = 256

/**
 * The tree as it was after a line, made anew from the heads of the tree as it is now. Positions asked for are rows, and
 * only of what the tree reads itself: edits, labels, names, announcements. Of an id that came again later, the line that
 * counts now says what it hung under.
 */
export function* treeAt(tree: Tree, line: number): Steps<Tree> {
  const { heads } = tree
  let rows = 0
  while (rows < tree.rowCount && heads.line[rows]! <= line) rows++
  const wanted: number[] = []
  for (let row = 0; row < rows; row++) {
    if (treeReadsBody(heads.kind[row]! as Kind) && !heads.bodies.has(row)) wanted.push(row)
  }
  const bodies = new Map<number, Entry>()
  for (let start = 0; start < wanted.length; start += BATCH) {
    const batch = wanted.slice(start, start + BATCH)
    const read = yield batch
    for (const [i, row] of batch.entries()) if (read[i] !== undefined) bodies.set(row, read[i])
  }
  const past = new Heads(Math.max(1024, rows))
  for (let row = 0; row < rows; row++) past.push(headAt(tree, row, heads.bodies.get(row) ?? bodies.get(row)))
  return new Tree(past, tree.options)
}

function headAt(tree: Tree, row: number, body: Entry | undefined): Head {
  const { heads, ids, columns } = tree
  const ref = tree.refAtRow(row)
  const above = columns.rawParent[ref]!
  return {
    kind: heads.kind[row]! as Kind,
    role: heads.role[row]! as Role,
    id: heads.hasId[row] ? ids.textOf(ref) : undefined,
    parentId: above === ROOT ? null : ids.textOf(above),
    timeMs: heads.timeMs[row]!,
    offset: heads.offset[row]!,
    length: heads.lengthOf(row),
    line: heads.line[row]!,
    ...(body !== undefined && { body }),
  }
}
