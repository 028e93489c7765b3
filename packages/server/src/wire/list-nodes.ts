import { Flag, Kind, type Tree } from '@treeline/core'
import { createdLine, rowAtLine } from './node-time.ts'

export interface ListOptions {
  /** Those in the stash; they are part of a tree unless it is asked for without. */
  readonly fragments?: boolean
  readonly deleted?: boolean
}

/** Where a node stands: the line that first told of it, and how many nodes of that line stand before it. */
export interface Place {
  readonly line: number
  readonly index: number
}

/**
 * Every node in the order in which they came: an answer stands where it was announced, a copy where the edit that made it
 * does. Linear in the log, reads no body. For pages it begins behind a place, which stays the same whatever is left out.
 */
export function* listNodes(tree: Tree, options: ListOptions = {}, after?: Place): Generator<number> {
  const { columns, edits, heads } = tree
  const left = leaveOut(tree, options)
  const copies = copiesByLine(tree)
  /** So many nodes of the line that `after` names stand before what is wanted. */
  let passed = after === undefined ? 0 : after.index + 1
  for (let row = after === undefined ? 0 : rowAtLine(tree, after.line); row < tree.rowCount; row++) {
    if (passed > 0 && heads.line[row]! > after!.line) passed = 0
    const ref = tree.refAtRow(row)
    const kind = columns.kind[ref]!
    if (kind === Kind.edit) {
      for (const copy of copies.get(heads.line[row]!) ?? []) if (passed-- <= 0 && left[copy] === 0) yield copy
      copies.delete(heads.line[row]!)
      continue
    }
    const node = kind === Kind.generation ? tree.generationNode(ref) : ref
    if (node === undefined || !columns.has(node, Flag.node) || edits.copies.has(node)) continue
    // Not again for the end of an answer that was announced, nor for a line whose id was there before.
    if (tree.orderOf(node) === row && passed-- <= 0 && left[node] === 0) yield node
  }
}

/** `undefined` for one that is not listed. */
export function placeOfNode(tree: Tree, ref: number): Place | undefined {
  const line = createdLine(tree, ref)
  let index = 0
  for (const at of listNodes(tree, EVERYTHING, { line, index: -1 })) {
    if (at === ref) return { line, index }
    if (createdLine(tree, at) !== line) return undefined
    index++
  }
  return undefined
}

/** The node of a place; `undefined` when there is none, or none any more. */
export function nodeAtPlace(tree: Tree, { line, index }: Place): number | undefined {
  const [ref] = listNodes(tree, EVERYTHING, { line, index: index - 1 })
  return ref !== undefined && createdLine(tree, ref) === line ? ref : undefined
}

const EVERYTHING: ListOptions = { fragments: true, deleted: true }

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
