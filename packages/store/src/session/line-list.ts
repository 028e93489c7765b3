const LINE_END = Buffer.from('\n')

/** Lines to be written one after the other. Records that stood next to each other in memory are taken in one piece. */
export class LineList {
  private readonly pieces: Uint8Array[] = []
  private run: { readonly buffer: ArrayBufferLike; readonly start: number; end: number } | undefined

  /** A record as it is, without its line end. */
  addKept(record: Uint8Array): void {
    const { buffer, byteOffset: start, length } = record
    // One byte between two records is the line end of the first.
    if (this.run?.buffer === buffer && start === this.run.end + 1) this.run.end = start + length
    else {
      this.endRun()
      this.run = { buffer, start, end: start + length }
    }
  }

  /** A whole line. */
  add(line: Uint8Array): void {
    this.endRun()
    this.pieces.push(line)
  }

  finish(): readonly Uint8Array[] {
    this.endRun()
    return this.pieces
  }

  private endRun(): void {
    if (this.run === undefined) return
    const { buffer, start, end } = this.run
    this.pieces.push(new Uint8Array(buffer, start, end - start), LINE_END)
    this.run = undefined
  }
}
