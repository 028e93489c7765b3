import { crc32 } from 'node:zlib'
import { checkCrc, ROOT, type RunCrc } from '@treeline/core'
import type { LogView } from '../log/session-log.ts'
import type { CopiedRun } from '../log/unseen-lines.ts'
import { addCopy, orLeaveOut } from './copy-line.ts'
import type { ForkPlan } from './fork.ts'
import { type ForkedLines, takenAt } from './fork-runs.ts'
import type { LeftOut } from './left-out.ts'
import type { NewLines } from './new-lines.ts'
import type { RecordWindow, Stretch } from './record-window.ts'
import { relinkInPlace } from './relink.ts'

/** What lines are copied from and to, and by what. */
export interface Copying {
  readonly view: LogView
  readonly finders: ForkPlan['finders']
  readonly leftOut: LeftOut
  readonly runCrc: RunCrc | undefined
  readonly lines: NewLines
}

/** Rows `[first, end)` of a plain run, fetched at once. */
interface Part extends Stretch {
  readonly run: number
  readonly first: number
  readonly end: number
}

const LINE_END = 0x0a

/**
 * Copies lines by a window. Those of plain runs wait until it is full: they stand behind each other there, and one checksum
 * tells of all of them. Class: it owns those, and goes along the list of lines that hang elsewhere.
 */
export class RunCopy {
  private readonly copying: Copying
  private readonly wanted: ForkedLines
  private readonly window: RecordWindow
  private parts: Part[] = []
  private partRows = 0
  /** How many of `wanted.moved` are passed. */
  private passed = 0

  constructor(copying: Copying, wanted: ForkedLines, window: RecordWindow) {
    this.copying = copying
    this.wanted = wanted
    this.window = window
  }

  /** Takes the line of `row`, and of a plain run as many after it as there is room for. Returns the row after them. */
  take(run: number, row: number, end: number): number {
    const { window, partRows, copying } = this
    if (this.wanted.isPlain[run] !== 1) return this.takeSingle(run, row)
    const most = (copying.runCrc?.maxLines ?? Number.POSITIVE_INFINITY) - partRows
    if (most === 0) return row
    const stop = window.fetch(row, Math.min(end, row + most))
    if (stop === row) return row
    const { start, bytes, isWhole } = window.last
    this.parts.push({ run, first: row, end: stop, start, bytes, isWhole })
    this.partRows += stop - row
    return stop
  }

  private takeSingle(run: number, row: number): number {
    const { window, wanted } = this
    this.settle()
    if (!window.holds(row) && !window.fetchSingle(wanted, run)) return row
    this.copyOne(run, row, window.last)
    return row + 1
  }

  /** Adds the lines of plain runs that were taken since the last time. */
  settle(): void {
    const { parts } = this
    if (parts.length === 0) return
    this.parts = []
    this.partRows = 0
    if (this.areSound(parts) && this.addAll(parts)) return
    // Where one is not as it should be, each is looked at.
    for (const part of parts) this.addEach(part)
  }

  /** Whether they are nothing but these rows, none has lost its parent, and the checksums of all of them hold. */
  private areSound(parts: readonly Part[]): boolean {
    const { view, runCrc, leftOut } = this.copying
    const { heads } = view.tree
    const lines = allOf(parts)
    // One that is longer than a window is not in it.
    const isInWindow = lines !== undefined && lines.buffer === runCrc?.windows[0].buffer
    if (!isInWindow || leftOut.hasEntries) return false
    const lengths = parts.map(({ first, end }) => heads.length.subarray(first, end))
    return runCrc.expected(lines, lengths) === crc32(lines)
  }

  /** All at once, those that hang elsewhere put there where they are. False, and none is added, when one cannot be. */
  private addAll(parts: readonly Part[]): boolean {
    const { heads: from } = this.copying.view.tree
    const { passed } = this
    const runs: CopiedRun[] = []
    for (const part of parts) {
      const { first, end } = part
      const moved: { readonly row: number; readonly parentId: string }[] = []
      for (let row = this.nextMoved; row >= first && row < end; row = this.nextMoved) {
        const parentId = this.relink(part, row)
        if (parentId === undefined) {
          this.passed = passed
          return false
        }
        moved.push({ row, parentId })
        this.passed++
      }
      runs.push({ from, first, end, moved })
    }
    this.addLines(allOf(parts)!, runs)
    return true
  }

  private addEach(part: Part): void {
    for (let row = part.first; row < part.end; row++) {
      const isMoved = row === this.nextMoved
      if (isMoved) this.passed++
      const line = isMoved || this.copying.leftOut.hasEntries ? undefined : this.soundLine(part, row)
      if (line === undefined) this.copyOne(part.run, row, part)
      else this.addLines(line, [{ from: this.copying.view.tree.heads, first: row, end: row + 1, moved: [] }])
    }
  }

  /** The next of those that hang elsewhere; -1 behind the last. */
  private get nextMoved(): number {
    return this.wanted.moved[this.passed] ?? -1
  }

  /** Puts a sound line under its new parent where it is. Nothing when that cannot be. */
  private relink(part: Part, row: number): string | undefined {
    const { tree } = this.copying.view
    const { ref, id, parentId } = takenAt(tree, this.wanted, part.run, row)
    const stated = tree.columns.rawParent[ref]!
    if (typeof parentId !== 'string' || stated === ROOT) return undefined
    return relinkInPlace(this.recordAt(part, row), id, tree.ids.textOf(stated), parentId) ? parentId : undefined
  }

  private addLines(bytes: Uint8Array, runs: readonly CopiedRun[]): void {
    const { view, lines } = this.copying
    // Saved columns do not say what a line itself says, and notes are about lines the scan looked into.
    const isKnown = !view.hasNotes && runs.every(({ from, first }) => first >= from.savedRows)
    lines.addLines(bytes, isKnown ? runs : undefined)
  }

  private copyOne(run: number, row: number, stretch: Stretch): void {
    const { view, lines, ...copying } = this.copying
    const { tree } = view
    orLeaveOut(tree, copying.leftOut, takenAt(tree, this.wanted, run, row), (taken) => {
      addCopy(lines, { ...copying, tree, taken }, this.recordAt(stretch, row))
    })
  }

  /** The whole line of a row, if its checksum holds. */
  private soundLine(part: Part, row: number): Uint8Array | undefined {
    const { heads } = this.copying.view.tree
    const at = heads.offset[row]! - part.start
    const length = heads.lengthOf(row)
    const line = part.bytes.subarray(at, at + length + 1)
    return line[length] === LINE_END && checkCrc(line, 0, length, crc32) === 'ok' ? line : undefined
  }

  /** Shorter than it should be where the log has been cut. */
  private recordAt({ start, bytes }: Stretch, row: number): Uint8Array {
    const { heads } = this.copying.view.tree
    const at = heads.offset[row]! - start
    return bytes.subarray(at, at + heads.lengthOf(row))
  }
}

/** All of them, as they stand behind each other. Nothing where the log has been cut. */
function allOf(parts: readonly Part[]): Uint8Array | undefined {
  if (!parts.every(({ isWhole }) => isWhole)) return undefined
  const [first, last] = [parts[0]!.bytes, parts.at(-1)!.bytes]
  return new Uint8Array(first.buffer, first.byteOffset, last.byteOffset + last.length - first.byteOffset)
}
