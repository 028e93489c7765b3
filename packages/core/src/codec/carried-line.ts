import { SecondHeadSearch } from './second-head-search.ts'

/** Room for all but the largest lines; one block is kept and used again. */
const BLOCK_BYTES = 256 * 1024

/**
 * A line that arrives in several chunks. Its bytes are copied once into blocks, because the caller may reuse its chunk;
 * joining them is left to whoever must parse the line, so a very long line with a familiar head costs one copy.
 */
export class CarriedLine {
  length = 0
  /** True when the line outgrew `maxBytes`: then only its first block and its last two bytes are known. */
  overflown = false
  lastByte = 0
  private byteBeforeLast = 0
  private blocks: Uint8Array<ArrayBuffer>[] = []
  /** Of an overflown line, what is behind its first block. */
  private unkept: SecondHeadSearch | undefined
  private readonly maxBytes: number

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  append(chunk: Uint8Array, start: number, end: number): void {
    if (start === end) return
    this.byteBeforeLast = end - start > 1 ? chunk[end - 2]! : this.lastByte
    this.lastByte = chunk[end - 1]!
    for (let from = start; from < end; ) {
      const used = this.length % BLOCK_BYTES
      const size = Math.min(end - from, BLOCK_BYTES - used)
      const bytes = chunk.subarray(from, from + size)
      if (!this.overflown || this.length < BLOCK_BYTES) this.blockAt(this.length).set(bytes, used)
      else this.letGo(bytes)
      this.length += size
      from += size
      if (this.length > this.maxBytes && !this.overflown) this.overflow()
    }
  }

  /** Whether a second head stood in bytes that are no longer known. */
  get hadSecondHead(): boolean {
    return this.unkept?.isFound ?? false
  }

  /** Takes the carriage return of a CRLF off the end. */
  trimReturn(): void {
    if (this.lastByte !== 0x0d) return
    this.lastByte = this.byteBeforeLast
    this.length--
  }

  /** The line's first bytes, enough for any head. */
  first(): Uint8Array<ArrayBuffer> {
    return this.blockAt(0).subarray(0, Math.min(BLOCK_BYTES, this.length))
  }

  /** The line's bytes block by block. */
  *parts(): Generator<Uint8Array<ArrayBuffer>> {
    for (let at = 0; at < this.length && at / BLOCK_BYTES < this.blocks.length; at += BLOCK_BYTES) {
      yield this.blockAt(at).subarray(0, Math.min(BLOCK_BYTES, this.length - at))
    }
  }

  /** The line's bytes in one piece: a view if they fit one block, else a copy. */
  join(): Uint8Array<ArrayBuffer> {
    if (this.length <= BLOCK_BYTES) return this.first()
    const whole = new Uint8Array(this.length)
    let at = 0
    for (const part of this.parts()) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  }

  clear(): void {
    this.length = 0
    this.overflown = false
    this.unkept = undefined
    this.blocks.length = Math.min(this.blocks.length, 1)
  }

  private overflow(): void {
    this.overflown = true
    const [, ...others] = this.parts()
    this.blocks.length = 1
    for (const part of others) this.letGo(part)
  }

  private letGo(bytes: Uint8Array): void {
    this.unkept ??= new SecondHeadSearch(this.first())
    this.unkept.push(bytes)
  }

  private blockAt(offset: number): Uint8Array<ArrayBuffer> {
    const index = Math.floor(offset / BLOCK_BYTES)
    const block = this.blocks[index] ?? new Uint8Array(BLOCK_BYTES)
    this.blocks[index] = block
    return block
  }
}
