import type { LogReader } from '../log/log-reader.ts'
import type { CopiedRun } from '../log/unseen-lines.ts'

/** Lines for a new log as pieces to write, told to the reader that will know the log without reading it back. */
export class NewLines {
  /** Of the lines since the last `take`. */
  size = 0
  private readonly reader: LogReader | undefined
  private pieces: Uint8Array[] = []
  /** Lines with memory of their own, which become one piece. */
  private single: Uint8Array[] = []

  constructor(reader?: LogReader) {
    this.reader = reader
  }

  /** A whole line. */
  add(line: Uint8Array): void {
    this.size += line.length
    this.single.push(line)
  }

  /** Lines that stay where they are until they are written; `runs` say what they are, where that is known. */
  addLines(lines: Uint8Array, runs?: readonly CopiedRun[]): void {
    this.join()
    this.size += lines.length
    this.pieces.push(lines)
    if (runs === undefined) this.reader?.push(lines)
    else this.reader?.pushCopied(lines, runs)
  }

  /** All that was added since the last time. */
  take(): readonly Uint8Array[] {
    this.join()
    const { pieces } = this
    this.pieces = []
    this.size = 0
    return pieces
  }

  private join(): void {
    if (this.single.length === 0) return
    const lines = Buffer.concat(this.single)
    this.single = []
    this.pieces.push(lines)
    this.reader?.push(lines)
  }
}
