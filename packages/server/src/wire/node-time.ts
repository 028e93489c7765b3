import type { Tree } from '@treeline/core'

/** A line without a time that can be read is told as one from the beginning of time: clients need some. */
const UNKNOWN_MS = 0
/** Beyond it there are no dates. */
const MAX_MS = 8.64e15

function msAtRow({ heads }: Tree, row: number): number {
  const ms = heads.timeMs[row]
  return ms !== undefined && Math.abs(ms) <= MAX_MS ? Math.trunc(ms) : UNKNOWN_MS
}

/** RFC 3339 in UTC with milliseconds. */
export function timeAtRow(tree: Tree, row: number): string {
  return new Date(msAtRow(tree, row)).toISOString()
}

export function timeAtLine(tree: Tree, line: number): string {
  return timeAtRow(tree, rowAtLine(tree, line))
}

/** The line that first told of a node: of an answer its announcement, of a copy the edit that made it. */
export function createdLine(tree: Tree, ref: number): number {
  const row = tree.orderOf(ref)
  return row >= 0 ? tree.heads.line[row]! : tree.lineOf(ref)
}

export function createdMs(tree: Tree, ref: number): number {
  const row = tree.orderOf(ref)
  return msAtRow(tree, row >= 0 ? row : rowAtLine(tree, tree.lineOf(ref)))
}

/** The first row of a line, or of the first line after it that has one. */
export function rowAtLine({ heads }: Tree, line: number): number {
  const { line: lines, count } = heads
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (lines[middle]! < line) low = middle + 1
    else high = middle
  }
  return low
}
