import type { Heads, MessageHead } from '@treeline/core'
import type { LogReader } from '../log/log-reader.ts'

const LINE_END = 0x0a
/** As much as is written at a time: what stays in the processor's cache is copied and written sooner. */
const PIECE_BYTES = 256 * 1024

/** Lines for a new log, gathered into pieces, and told to the reader that will know the log without reading it back. */
export class NewLines {
  /** Of the lines since the last `take`. */
  length = 0
  private readonly reader: LogReader | undefined
  private bytes = Buffer.allocUnsafeSlow(PIECE_BYTES * 2)
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

  /** A whole line with a message, of which it is known what it says. */
  addMessage(line: Uint8Array, message: MessageHead): void {
    const start = this.length
    this.add(line)
    this.tell(start)
    this.reader?.pushLines([{ start, end: this.length, edit: undefined, message }], this.bytes)
    this.untold = this.length
  }

  /** Records with a line end between any two of them, and none behind the last. */
  addKept(records: Uint8Array): void {
    this.makeRoom(records.length + 1)
    this.bytes.set(records, this.length)
    this.length += records.length
    this.bytes[this.length++] = LINE_END
  }

  /** Lines that were added, from where `length` was then. */
  from(start: number): Uint8Array {
    return this.bytes.subarray(start, this.length)
  }

  /** Takes them back. */
  dropFrom(start: number): void {
    this.length = start
  }

  /** Says what they are: stretches of rows of another log, first and end of each. */
  tellCopied(start: number, from: Heads, stretches: readonly number[]): void {
    this.tell(start)
    this.reader?.pushCopied(this.from(start), from, stretches)
    this.untold = this.length
  }

  /** All that was added since the last time. Good until something else is added. */
  take(): Uint8Array {
    this.tell(this.length)
    const piece = this.from(0)
    this.length = 0
    this.untold = 0
    return piece
  }

  private tell(end: number): void {
    if (this.untold < end) this.reader?.push(this.bytes.subarray(this.untold, end))
    this.untold = end
  }

  private makeRoom(size: number): void {
    const needed = this.length + size
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }
}
