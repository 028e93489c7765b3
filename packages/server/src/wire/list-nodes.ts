import { Flag, Kind, type Tree } from '@treeline/core'
import { rowAtLine } from './node-time.ts'

export interface ListOptions {
  /** Those in the stash; they are part of a tree unless it is asked for without. */
  readonly fragments?: boolean
  readonly deleted?: boolean
}

/**
 * Every node in the order in which they came: an answer stands where it was announced, a copy where the edit that made it
 * does. Linear in the log, reads no body. `afterLine` begins behind it, for pages.
 */
export function* listNodes(tree: Tree, options: ListOptions = {}, afterLine = 0): Generator<number> {
  const { columns, edits, heads } = tree
  const left = leaveOut(tree, options)
  const copies = copiesByLine(tree)
  for (let row = rowAtLine(tree, afterLine + 1); row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    const kind = columns.kind[ref]!
    if (kind === Kind.edit) {
      for (const copy of copies.get(heads.line[row]!) ?? []) if (left[copy] === 0) yield copy
      copies.delete(heads.line[row]!)
      continue
    }
    const node = kind === Kind.generation ? tree.generationNode(ref) : ref
    if (node === undefined || !columns.has(node, Flag.node) || left[node] === 1 || edits.copies.has(node)) continue
    // Not again for the end of an answer that was announced, nor for a line whose id was there before.
    if (tree.orderOf(node) === row) yield node
  }
}

function copiesByLine({ edits }: Tree): Map<number, number[]> {
  const byLine = new Map<number, number[]>()
  for (const [ref, { line }] of edits.copies) {
    const made = byLine.get(line)
    if (made === undefined) byLine.set(line, [ref])
    else made.push(ref)
  }
  return byLine
}

/** 1 for each node that is not wanted. */
function leaveOut({ columns, edits, ids }: Tree, { fragments = true, deleted = false }: ListOptions): Uint8Array {
  const left = new Uint8Array(ids.count)
  const tops = [...(fragments ? [] : edits.fragments.keys()), ...(deleted ? [] : edits.deleted.keys())]
  for (const top of tops) for (const ref of columns.subtree(top)) left[ref] = 1
  return left
}
