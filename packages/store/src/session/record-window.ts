import { crc32 } from 'node:zlib'
import { checkCrc, type RunCrc } from '@treeline/core'
import type { LogView } from '../log/session-log.ts'
import type { ForkedLines } from './fork.ts'

/** Records closer than this are fetched in one read: a gap costs less than another call. */
const MAX_GAP_BYTES = 16 * 1024
/** Where there is no WebAssembly. */
const WINDOW_BYTES = 256 * 1024
const NOTHING = new Uint8Array()
const LINE_END = 0x0a

/**
 * Lines of a log by row, those that are wanted after each other and stand near each other fetched together. It is small
 * so that it stays in the processor's cache. What was fetched is good until the second `swap` after it.
 */
export class RecordWindow {
  private readonly view: LogView
  private readonly wanted: ForkedLines
  private readonly runCrc: RunCrc | undefined
  private room: Uint8Array
  private otherRoom: Uint8Array
  /** How much of the room is taken. */
  private used = 0
  /** What was fetched last. */
  private bytes: Uint8Array = NOTHING
  /** Where in the log that begins. */
  private start = 0

  constructor(view: LogView, wanted: ForkedLines, runCrc: RunCrc | undefined) {
    this.view = view
    this.wanted = wanted
    this.runCrc = runCrc
    const [room, otherRoom] = this.runCrc?.windows ?? [new Uint8Array(WINDOW_BYTES), new Uint8Array(WINDOW_BYTES)]
    this.room = room
    this.otherRoom = otherRoom
  }

  /** What was handed out is still being written: what is fetched from now on goes elsewhere. */
  swap(): void {
    const { room, otherRoom } = this
    this.room = otherRoom
    this.otherRoom = room
    this.clear()
  }

  /** Nothing of what was fetched is needed any more. */
  clear(): void {
    this.used = 0
    this.bytes = NOTHING
  }

  /** Whether the record of a row was fetched last, as far as the log has it. */
  holds(row: number): boolean {
    const { heads } = this.view.tree
    const at = heads.offset[row]! - this.start
    return at >= 0 && at + heads.lengthOf(row) <= this.bytes.length
  }

  /**
   * Fetches the record of a row in a run, and as many of those that are wanted after it as follow closely, beside what was
   * fetched before. False when there is no room for it before a `swap` or a `clear`.
   */
  fetch(run: number, row: number): boolean {
    const start = this.view.tree.heads.offset[row]!
    const room = this.room.length - this.used
    const end = this.endOf(row)
    if (end - start > room && this.used > 0) return false
    const wanted = Math.max(end, this.endNear(run, row, start + room)) - start
    const bytes = wanted > room ? new Uint8Array(wanted) : this.room.subarray(this.used, this.used + wanted)
    this.start = start
    this.bytes = bytes.subarray(0, this.view.readBytes(bytes, start))
    this.used = Math.min(this.room.length, this.used + wanted)
    return true
  }

  /** Where the last line ends that follows closely and ends before a limit. */
  private endNear(run: number, row: number, limit: number): number {
    const { rows, counts } = this.wanted
    const { offset } = this.view.tree.heads
    let end = 0
    for (let [at, from] = [run, row]; this.endOf(from) <= limit; from = rows[at]!) {
      const runEnd = rows[at]! + counts[at]!
      const stop = this.rowsBefore(limit, from, runEnd)
      end = this.endOf(stop - 1)
      at++
      if (stop < runEnd || at === rows.length) break
      const gap = offset[rows[at]!]! - end
      if (gap < 0 || gap > MAX_GAP_BYTES) break
    }
    return end
  }

  /** The first of the rows `[first, end)` whose line is not wholly here, line end included. */
  stopOf(first: number, end: number): number {
    const last = Math.min(end, first + (this.runCrc?.maxLines ?? 1))
    return this.rowsBefore(this.start + this.bytes.length, first, last)
  }

  /** Lines that are wholly here, and follow each other. */
  linesOf(first: number, end: number): Uint8Array {
    return this.bytes.subarray(this.view.tree.heads.offset[first]! - this.start, this.endOf(end - 1) - this.start)
  }

  /** Whether such lines are nothing but these rows, and the checksums of all of them hold: one over all tells. */
  areSound(first: number, end: number): boolean {
    if (first === end) return false
    const lines = this.linesOf(first, end)
    if (end - first === 1) return lines.at(-1) === LINE_END && checkCrc(lines, 0, lines.length - 1, crc32) === 'ok'
    return this.runCrc?.expected(lines, this.view.tree.heads.length.subarray(first, end)) === crc32(lines)
  }

  /** Shorter than it should be where the log has been cut. */
  recordAt(row: number): Uint8Array {
    const { heads } = this.view.tree
    const at = heads.offset[row]! - this.start
    return this.bytes.subarray(at, Math.max(at, at + heads.lengthOf(row)))
  }

  /** Of a line. */
  private endOf(row: number): number {
    const { heads } = this.view.tree
    return heads.offset[row]! + heads.lengthOf(row) + 1
  }

  /** The first of the rows `[first, end)` whose line ends behind a byte of the log. Lines are in order there. */
  private rowsBefore(limit: number, first: number, end: number): number {
    if (first < end && this.endOf(end - 1) <= limit) return end
    let [low, high] = [first, end]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.endOf(middle) <= limit) low = middle + 1
      else high = middle
    }
    return low
  }
}
