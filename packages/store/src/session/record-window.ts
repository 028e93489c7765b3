import { openRunCrc, type RunCrc } from '@treeline/core'
import type { LogView } from '../log/session-log.ts'

/** Records closer than this are fetched in one read: a gap costs less than another call. */
const MAX_GAP_BYTES = 16 * 1024
const WINDOW_BYTES = 256 * 1024

/**
 * Records of a log by row, those that are wanted after each other and stand near each other fetched together. What it
 * holds is good until the next fetch, and until somebody else has a turn: its memory is that of `runCrc`, which all share.
 * It is small so that it stays in the processor's cache, and was touched before.
 */
export class RecordWindow {
  bytes: Uint8Array
  /** Where in the log the window begins. */
  start = 0
  /** How many bytes of it are there. */
  length = 0
  private readonly runCrc: RunCrc | undefined
  private readonly room: Uint8Array
  private readonly view: LogView
  private readonly rows: Int32Array

  constructor(view: LogView, rows: Int32Array) {
    this.view = view
    this.rows = rows
    this.runCrc = openRunCrc()
    this.room = this.runCrc?.window ?? Buffer.allocUnsafeSlow(WINDOW_BYTES)
    this.bytes = this.room
  }

  /** What checks many of the records at once; none when they are not where it can see them. */
  get checker(): RunCrc | undefined {
    return this.bytes === this.room ? this.runCrc : undefined
  }

  /** Fetches the record of a place, and as many of those after it as follow closely. Returns the place after the last. */
  fetch(place: number): number {
    const { rows, room } = this
    const { heads } = this.view.tree
    const { offset, length } = heads
    const start = offset[rows[place]!]!
    let end = start + heads.lengthOf(rows[place]!)
    let next = place + 1
    for (; next < rows.length; next++) {
      const row = rows[next]!
      const from = offset[row]!
      const to = from + length[row]!
      if (from < end || from - end > MAX_GAP_BYTES || to - start > room.length) break
      end = to
    }
    this.bytes = end - start > room.length ? Buffer.allocUnsafeSlow(end - start) : room
    this.start = start
    this.length = this.view.readBytes(this.bytes.subarray(0, end - start), start)
    return next
  }

  /** Shorter than it should be where the log has been cut. */
  recordAt(place: number): Uint8Array {
    const { heads } = this.view.tree
    const row = this.rows[place]!
    const at = heads.offset[row]! - this.start
    return this.bytes.subarray(at, Math.min(at + heads.lengthOf(row), this.length))
  }
}
