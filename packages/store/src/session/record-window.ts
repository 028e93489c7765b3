import type { LogView } from '../log/session-log.ts'

/** Records closer than this are fetched in one read: a gap costs less than another call. */
const MAX_GAP_BYTES = 16 * 1024
const WINDOW_BYTES = 1024 * 1024

/**
 * Records of a log by row, those that are wanted after each other and stand near each other fetched together. What it
 * hands out is good until it moves on.
 */
export class RecordWindow {
  bytes = Buffer.allocUnsafeSlow(WINDOW_BYTES)
  /** Where in the log the window begins. */
  start = 0
  /** How many bytes of it are there. */
  length = 0
  private readonly view: LogView
  private readonly rows: Int32Array

  constructor(view: LogView, rows: Int32Array) {
    this.view = view
    this.rows = rows
  }

  /** Makes sure that the record of a place is here, and as many of those after it as follow closely. */
  moveTo(place: number): void {
    const { heads } = this.view.tree
    const row = this.rows[place]!
    const offset = heads.offset[row]!
    const end = offset + heads.lengthOf(row)
    if (offset < this.start || end > this.start + this.length) this.fetch(offset, this.endFrom(place))
  }

  /** Shorter than it should be where the log has been cut. */
  recordAt(place: number): Uint8Array {
    this.moveTo(place)
    const { heads } = this.view.tree
    const row = this.rows[place]!
    const at = heads.offset[row]! - this.start
    return this.bytes.subarray(at, Math.min(at + heads.lengthOf(row), this.length))
  }

  private fetch(start: number, end: number): void {
    if (end - start > this.bytes.length) this.bytes = Buffer.allocUnsafeSlow(end - start)
    this.start = start
    this.length = this.view.readBytes(this.bytes.subarray(0, end - start), start)
  }

  private endFrom(place: number): number {
    const { rows } = this
    const { heads } = this.view.tree
    const { offset } = heads
    const start = offset[rows[place]!]!
    let end = start + heads.lengthOf(rows[place]!)
    for (let next = place + 1; next < rows.length; next++) {
      const from = offset[rows[next]!]!
      const to = from + heads.lengthOf(rows[next]!)
      if (from < end || from - end > MAX_GAP_BYTES || to - start > WINDOW_BYTES) break
      end = to
    }
    return end
  }
}
