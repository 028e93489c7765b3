import { type Heads, LONG, type RunCrc } from '@treeline/core'
import type { LogView } from '../log/session-log.ts'
import type { ForkedLines } from './fork-runs.ts'
import { ReadAhead } from './read-ahead.ts'

/** Single records closer than this are fetched in one read: a gap costs less than another call. */
const MAX_GAP_BYTES = 16 * 1024
/** Where there is no WebAssembly. */
const WINDOW_BYTES = 256 * 1024
const NOTHING: Stretch = { start: 0, bytes: new Uint8Array(), isWhole: true }

/** Bytes of a log. */
export interface Stretch {
  /** Where in the log they begin. */
  readonly start: number
  readonly bytes: Uint8Array
  /** False where the log has been cut: then there are less than were asked for. */
  readonly isWhole: boolean
}

/**
 * Lines of a log by row, read into one room as long as there is some left, each behind the one before. It is small so that
 * it stays in the processor's cache. What was fetched is good until the second `swap` after it.
 */
export class RecordWindow {
  private readonly source: ReadAhead
  private readonly heads: Heads
  /** Of the rows as they are now: rows that come later are not wanted. */
  private readonly offsets: Float64Array
  private readonly lengths: Uint32Array
  private room: Uint8Array
  private otherRoom: Uint8Array
  /** How much of the room is taken. */
  private used = 0
  /** What was fetched last. */
  last: Stretch = NOTHING

  constructor(view: LogView, runCrc: RunCrc | undefined) {
    this.source = new ReadAhead(view)
    this.heads = view.tree.heads
    this.offsets = this.heads.offset
    this.lengths = this.heads.length
    const [room, otherRoom] = runCrc?.windows ?? [new Uint8Array(WINDOW_BYTES), new Uint8Array(WINDOW_BYTES)]
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
    this.last = NOTHING
  }

  /**
   * Fetches the lines of the rows `[first, end)`, as many as there is room for. Returns the row after them: `first` when
   * there is none before a `swap` or a `clear`.
   */
  fetch(first: number, end: number): number {
    const start = this.offsets[first]!
    const stop = this.rowsBefore(start + this.room.length - this.used, first, end)
    if (stop > first) this.read(start, this.endOf(stop - 1))
    else if (this.used > 0) return first
    else this.read(start, this.endOf(first))
    return Math.max(stop, first + 1)
  }

  /** The same for the single line of a run, with those of others that are wanted after it and follow closely. */
  fetchSingle({ rows, counts, isPlain }: ForkedLines, run: number): boolean {
    const { offsets } = this
    const start = offsets[rows[run]!]!
    const limit = start + this.room.length - this.used
    let end = this.endOf(rows[run]!)
    if (end > limit && this.used > 0) return false
    for (let next = run + 1; next < rows.length && counts[next] === 1 && isPlain[next] !== 1; next++) {
      const gap = offsets[rows[next]!]! - end
      const nextEnd = this.endOf(rows[next]!)
      if (gap < 0 || gap > MAX_GAP_BYTES || nextEnd > limit) break
      end = nextEnd
    }
    this.read(start, end)
    return true
  }

  /** Whether the record of a row was fetched last, as far as the log has it. */
  holds(row: number): boolean {
    const { start, bytes } = this.last
    return this.offsets[row]! >= start && this.endOf(row) - 1 <= start + bytes.length
  }

  private read(start: number, end: number): void {
    const { room, used } = this
    const wanted = end - start
    const bytes = wanted > room.length - used ? new Uint8Array(wanted) : room.subarray(used, used + wanted)
    const length = this.source.read(bytes, start)
    const isWhole = length === wanted
    this.last = { start, bytes: isWhole ? bytes : bytes.subarray(0, length), isWhole }
    this.used = Math.min(room.length, used + wanted)
  }

  /** Of a line. */
  private endOf(row: number): number {
    const length = this.lengths[row]!
    return this.offsets[row]! + (length === LONG ? this.heads.lengthOf(row) : length) + 1
  }

  /** The first of the rows `[first, end)` whose line ends behind a byte of the log. Lines are in order there. */
  private rowsBefore(limit: number, first: number, end: number): number {
    if (this.endOf(end - 1) <= limit) return end
    let [low, high] = [first, end]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.endOf(middle) <= limit) low = middle + 1
      else high = middle
    }
    return low
  }
}
