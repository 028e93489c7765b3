import type { Entry } from '../entry/entry.ts'
import { buildLine } from '../line/line.ts'
import { runSteps } from '../steps.ts'
import { listBranches, listFragments } from '../tree/branches.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { attachedLeaf } from '../tree/leaf.ts'
import { linePath, storedPath } from '../tree/path.ts'
import type { Tree } from '../tree/tree.ts'
import { describeTree } from './make-tree.ts'

/**
 * Everything a program could tell apart about a tree, with ids in place of refs: also what undo, planning and reading
 * bodies from `log` depend on.
 */
export function describeFully(tree: Tree, log: Uint8Array) {
  const { heads, ids, columns, edits } = tree
  const text = (ref: number) => (ref === ROOT ? null : ids.textOf(ref))
  const withIds = (value: string) => value.replace(/^(\w+):(\d+)/, (all, what, ref) => `${what}:${text(ref) ?? all}`)
  const known = Array.from({ length: ids.count }, (_, ref) => ref).filter((ref) => columns.has(ref, Flag.known))
  return {
    shown: describeTree(tree),
    problems: tree.problems(),
    leaf: text(tree.leaf),
    branches: listBranches(tree),
    fragments: listFragments(tree),
    rows: Array.from({ length: tree.rowCount }, (_, row) => ({
      id: text(tree.refAtRow(row)),
      hasId: heads.hasId[row],
      kind: heads.kind[row],
      role: heads.role[row],
      timeMs: heads.timeMs[row],
      offset: heads.offset[row],
      length: heads.lengthOf(row),
      line: heads.line[row],
    })),
    entries: Object.fromEntries(
      known.map((ref) => [
        text(ref),
        {
          flags: columns.flags[ref],
          kind: columns.kind[ref],
          role: columns.role[ref],
          stored: Array.from(storedPath(tree, ref).refs, text),
          owner: text(columns.ownerOf(ref)),
          seat: text(columns.seatOf(ref)),
          generation: text(tree.generationNode(ref) ?? ROOT),
          anchor: tree.anchorId(ref),
          bodyRow: tree.bodyRow(ref),
          order: tree.orderOf(ref),
          line: tree.lineOf(ref),
          version: tree.versionOf(ref),
        },
      ]),
    ),
    records: edits.records.map(({ undoneBy, touched, ...record }) => ({
      ...record,
      undoneBy: undoneBy?.id,
      touched: touched.map((touch) => ({ ...touch, value: withIds(touch.value) })),
      isFound: edits.recordById.get(record.id)?.line,
    })),
    stamps: [...edits.stamps].map(([value, line]) => [withIds(value), line]),
    uncopied: [...edits.uncopied].map(([top, nodes]) => [
      text(top),
      nodes.map(({ ref, parent, copy, flags, meta }) => ({
        ...{ ref: text(ref), parent: parent < 0 ? parent : text(parent), flags, meta },
        copy: { ...copy, original: text(copy.original), body: text(copy.body) },
      })),
    ]),
    line: readLine(tree, log),
  }
}

function readLine(tree: Tree, log: Uint8Array): unknown {
  const leaf = attachedLeaf(tree)
  const { refs } = linePath(tree, leaf)
  return runSteps(buildLine(tree, leaf, {}), (positions) =>
    positions.map((position) => {
      const row = tree.bodyRow(refs[position]!)
      if (row < 0) return undefined
      const start = tree.heads.offset[row]!
      const bytes = log.subarray(start, start + tree.heads.lengthOf(row))
      return JSON.parse(new TextDecoder().decode(bytes)) as Entry
    }),
  )
}
