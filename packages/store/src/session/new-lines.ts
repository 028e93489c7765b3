import type { Heads } from '@treeline/core'
import type { LogReader } from '../log/log-reader.ts'

const LINE_END = 0x0a
/** As much as is written at a time. */
const PIECE_BYTES = 1024 * 1024

/** Lines for a new log, gathered into pieces, and told to the reader that will know the log without reading it back. */
export class NewLines {
  private readonly reader: LogReader | undefined
  private bytes = Buffer.allocUnsafeSlow(PIECE_BYTES * 2)
  private length = 0
  /** Where those begin that the reader has not been told of. */
  private untold = 0

  constructor(reader?: LogReader) {
    this.reader = reader
  }

  get isFull(): boolean {
    return this.length >= PIECE_BYTES
  }

  /** A whole line. */
  add(line: Uint8Array): void {
    this.makeRoom(line.length)
    this.bytes.set(line, this.length)
    this.length += line.length
  }

  /** Records with a line end between any two of them, and none behind the last. */
  addKept(records: Uint8Array): void {
    this.makeRoom(records.length + 1)
    this.bytes.set(records, this.length)
    this.length += records.length
    this.bytes[this.length++] = LINE_END
  }

  /** The same, when it is known what they are: rows `[first, end)` of another log. */
  addCopied(records: Uint8Array, from: Heads, first: number, end: number): void {
    this.tell()
    this.addKept(records)
    this.reader?.pushCopied(this.bytes.subarray(this.untold, this.length), from, first, end)
    this.untold = this.length
  }

  /** All that was added since the last time. Good until something else is added. */
  take(): Uint8Array {
    this.tell()
    const piece = this.bytes.subarray(0, this.length)
    this.length = 0
    this.untold = 0
    return piece
  }

  private tell(): void {
    if (this.untold < this.length) this.reader?.push(this.bytes.subarray(this.untold, this.length))
    this.untold = this.length
  }

  private makeRoom(size: number): void {
    const needed = this.length + size
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }
}
