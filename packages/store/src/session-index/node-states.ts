import { crc32 } from 'node:zlib'
import { Flag, type Tree } from '@treeline/core'
import { NodeFlag } from './schema.ts'

/** Set in the state of a row that is the line of a node; of several lines with one id only one counts. */
const COUNTS = 128

/** By row: whether it counts, and the flags that the edits of the whole log give it. */
export type NodeStates = Uint8Array

export function readStates(tree: Tree): NodeStates {
  const { columns } = tree
  const parts = markParts(tree)
  const states = new Uint8Array(tree.rowCount)
  for (let row = 0; row < states.length; row++) {
    const ref = tree.refAtRow(row)
    const flags = columns.flags[ref]!
    if ((flags & Flag.node) === 0 || columns.rowOf[ref] !== row) continue
    states[row] = COUNTS | (parts?.[ref] ?? 0) | ((flags & Flag.muted) === 0 ? 0 : NodeFlag.muted)
  }
  return states
}

export function counts(states: NodeStates, row: number): boolean {
  return (states[row]! & COUNTS) !== 0
}

export function flagsOf(states: NodeStates, row: number): number {
  return states[row]! & ~COUNTS
}

/** Of the first rows: equal while nothing that came after changed them. */
export function checksum(states: NodeStates, rows: number): number {
  return crc32(states.subarray(0, rows))
}

/** By ref, what was cut off. Each part is walked from its top once: asking every node for its top would be quadratic. */
function markParts({ columns, edits, ids }: Tree): Uint8Array | undefined {
  if (edits.fragments.size === 0 && edits.deleted.size === 0) return undefined
  const parts = new Uint8Array(ids.count)
  for (const top of edits.fragments.keys()) mark(top, NodeFlag.pruned)
  for (const top of edits.deleted.keys()) mark(top, NodeFlag.pruned | NodeFlag.deleted)
  return parts

  function mark(top: number, flags: number): void {
    if (columns.isAttached(top)) return
    for (const ref of columns.subtree(top)) parts[ref]! |= flags
  }
}
