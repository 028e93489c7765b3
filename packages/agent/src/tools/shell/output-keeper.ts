import type { KeptBytes } from '../kept-bytes.ts'

const FIRST_BYTES = 64 * 1024
const MAX_HEAD_BYTES = 8 * 1024 * 1024
const TAIL_BYTES = 8 * 1024 * 1024

/** Keeps the beginning and the end of a stream, whatever its length. Class: it owns the memory. */
export class OutputKeeper {
  private head = Buffer.alloc(0)
  private headLength = 0
  /** A ring, made when the head is full. */
  private tail: Buffer | undefined
  private total = 0

  push(chunk: Uint8Array): void {
    this.total += chunk.length
    const forHead = Math.min(chunk.length, MAX_HEAD_BYTES - this.headLength)
    if (forHead > 0) this.pushHead(chunk.subarray(0, forHead))
    if (forHead < chunk.length) this.pushTail(chunk.subarray(forHead))
  }

  /** As of now. What is pushed later is not in it. */
  kept(): KeptBytes {
    const tailTotal = this.total - this.headLength
    const head = Buffer.from(this.head.subarray(0, this.headLength))
    if (this.tail === undefined) return { head, tail: Buffer.alloc(0), totalBytes: this.total }
    const end = tailTotal % TAIL_BYTES
    const parts =
      tailTotal <= TAIL_BYTES
        ? [this.tail.subarray(0, tailTotal)]
        : [this.tail.subarray(end), this.tail.subarray(0, end)]
    return { head, tail: Buffer.concat(parts), totalBytes: this.total }
  }

  private pushHead(bytes: Uint8Array): void {
    const needed = this.headLength + bytes.length
    if (needed > this.head.length) {
      const size = Math.min(MAX_HEAD_BYTES, Math.max(FIRST_BYTES, needed, this.head.length * 2))
      const larger = Buffer.alloc(size)
      larger.set(this.head.subarray(0, this.headLength))
      this.head = larger
    }
    this.head.set(bytes, this.headLength)
    this.headLength = needed
  }

  private pushTail(bytes: Uint8Array): void {
    this.tail ??= Buffer.alloc(TAIL_BYTES)
    const last = bytes.subarray(Math.max(0, bytes.length - TAIL_BYTES))
    const start = (this.total - this.headLength - last.length) % TAIL_BYTES
    const first = last.subarray(0, TAIL_BYTES - start)
    this.tail.set(first, start)
    this.tail.set(last.subarray(first.length), 0)
  }
}
