import type { LogView } from '../log/session-log.ts'

/** What is no longer, and begins no farther behind the last, is read ahead once several of the kind have come. */
const SHORT_BYTES = 16 * 1024
const SEVERAL = 3
const AHEAD_BYTES = 64 * 1024

/** Reads a log. Where two branches were written by turns, every other line is wanted: those are not read one by one. */
export class ReadAhead {
  private readonly view: LogView
  /** How many short stretches have followed each other closely, and where the last of them ended. */
  private count = 0
  private end = 0
  private room: Uint8Array | undefined
  /** What was read ahead, and where in the log it begins. */
  private bytes: Uint8Array = new Uint8Array()
  private start = 0

  constructor(view: LogView) {
    this.view = view
  }

  /** Fills `into` from a byte of the log on. Returns how many bytes there were. */
  read(into: Uint8Array, start: number): number {
    const gap = start - this.end
    const isShort = into.length <= SHORT_BYTES && gap >= 0 && gap <= SHORT_BYTES
    this.count = isShort ? this.count + 1 : 0
    this.end = start + into.length
    return this.count < SEVERAL ? this.view.readBytes(into, start) : this.takeAhead(into, start)
  }

  private takeAhead(into: Uint8Array, start: number): number {
    if (start < this.start || start + into.length > this.start + this.bytes.length) {
      this.room ??= new Uint8Array(AHEAD_BYTES)
      this.bytes = this.room.subarray(0, this.view.readBytes(this.room, start))
      this.start = start
    }
    const at = start - this.start
    const found = this.bytes.subarray(at, at + into.length)
    into.set(found)
    return found.length
  }
}
