import { copyRows, type HeadScanner, type Heads, scanLog } from '@treeline/core'

/**
 * Rows `[first, end)` of another log, taken as they are but for the parents of some, whose ids are as long as before. All
 * rows of that log are kept in memory until somebody asks for these.
 */
export interface CopiedRun {
  readonly from: Heads
  readonly first: number
  readonly end: number
  readonly moved: readonly { readonly row: number; readonly parentId: string }[]
}

/** Lines of a log and where they are. */
interface Unseen {
  readonly offset: number
  readonly line: number
  /** Runs behind each other, or the lines themselves. */
  readonly lines: readonly CopiedRun[] | Uint8Array
}

/** Lines that a log has and whose rows nobody has asked for yet: a fork may never be looked at. Class: it owns the list. */
export class UnseenLines {
  rowCount = 0
  private parts: Unseen[] = []

  add(part: Unseen, count: number): void {
    this.parts.push(part)
    this.rowCount += count
  }

  /** Adds their rows to `heads`. Returns what was found where lines had to be scanned for that. */
  lookAt(heads: Heads): readonly HeadScanner[] {
    const { parts } = this
    heads.makeRoom(this.rowCount)
    this.parts = []
    this.rowCount = 0
    const found: HeadScanner[] = []
    for (const { offset, line, lines } of parts) {
      if (lines instanceof Uint8Array) {
        found.push(scanLog(lines, { heads, startOffset: offset, startLine: line, expectsHeader: false }))
        continue
      }
      const firstRow = heads.count
      let start = offset
      for (const run of lines) start = copyRun(run, heads, start, line + heads.count - firstRow)
    }
    return found
  }
}

/** Returns where the run ends that begins at `offset`. */
function copyRun({ from, first, end, moved }: CopiedRun, to: Heads, offset: number, line: number): number {
  const row = to.count
  copyRows(from, first, end, to, offset, line)
  for (const { row: at, parentId } of moved) to.replaceParentId(row + at - first, parentId)
  const last = to.count - 1
  return to.offset[last]! + to.lengthOf(last) + 1
}
