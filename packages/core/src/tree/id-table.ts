import { resized } from '../codec/heads.ts'

/** A fresh seed per process, so that nobody can prepare a file whose ids all fall into one slot. */
const SEED = (Math.random() * 0x1_0000_0000) >>> 0
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Numbers ids: each distinct id gets the next number, by its bytes, without a string or an object per id.
 * Number 0 is the empty id and stands for "above every root".
 */
export class IdTable {
  count = 1
  private end: Uint32Array
  private hash: Uint32Array
  private bytes: Uint8Array
  /** Open addressing: number + 1, or 0 for a free slot. Never more than half full. */
  private slots: Int32Array

  /** `expected` ids fit without growing. */
  constructor(expected = 512) {
    const size = Math.max(512, expected) + 1
    this.end = new Uint32Array(size)
    this.hash = new Uint32Array(size)
    this.bytes = new Uint8Array(size * 8)
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(size * 2)))
  }

  /** The number of the id in `source[start, stop)`, a new one if it was never seen. */
  intern(source: Uint8Array, start: number, stop: number): number {
    if (start === stop) return 0
    const hash = hashBytes(source, start, stop)
    const slot = this.findSlot(source, start, stop, hash)
    const taken = this.slots[slot]!
    return taken === 0 ? this.add(source, start, stop, hash, slot) : taken - 1
  }

  internText(id: string): number {
    const bytes = encoder.encode(id)
    return this.intern(bytes, 0, bytes.length)
  }

  /** The number of a known id, -1 for an unknown one. */
  find(id: string): number {
    const bytes = encoder.encode(id)
    if (bytes.length === 0) return 0
    const slot = this.findSlot(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length))
    return this.slots[slot]! - 1
  }

  textOf(number: number): string {
    const start = number === 0 ? 0 : this.end[number - 1]!
    const end = this.end[number]!
    return end - start === 8 ? this.eightBytes(start) : decoder.decode(this.bytes.subarray(start, end))
  }

  /** Our own ids are eight ASCII characters; for those a decoder costs six times as much. */
  private eightBytes(at: number): string {
    const { bytes } = this
    const [a, b, c, d] = [bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!]
    const [e, f, g, h] = [bytes[at + 4]!, bytes[at + 5]!, bytes[at + 6]!, bytes[at + 7]!]
    if ((a | b | c | d | e | f | g | h) < 0x80) return String.fromCharCode(a, b, c, d, e, f, g, h)
    return decoder.decode(bytes.subarray(at, at + 8))
  }

  private findSlot(source: Uint8Array, start: number, stop: number, hash: number): number {
    const mask = this.slots.length - 1
    const length = stop - start
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const taken = this.slots[slot]!
      if (taken === 0) return slot
      const number = taken - 1
      if (this.hash[number] !== hash) continue
      const at = this.end[number - 1]!
      if (this.end[number]! - at !== length) continue
      let i = 0
      while (i < length && this.bytes[at + i] === source[start + i]) i++
      if (i === length) return slot
    }
  }

  private add(source: Uint8Array, start: number, stop: number, hash: number, slot: number): number {
    const number = this.count++
    if (number === this.end.length) {
      this.end = resized(this.end, number * 2)
      this.hash = resized(this.hash, number * 2)
    }
    const at = this.end[number - 1]!
    const end = at + stop - start
    if (end > this.bytes.length) this.bytes = resized(this.bytes, Math.max(end, this.bytes.length * 2))
    for (let i = start, to = at; i < stop; i++) this.bytes[to++] = source[i]!
    this.end[number] = end
    this.hash[number] = hash
    this.slots[slot] = number + 1
    if (this.count * 2 > this.slots.length) this.rehash()
    return number
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2)
    const mask = slots.length - 1
    for (let number = 1; number < this.count; number++) {
      let slot = this.hash[number]! & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.slots = slots
  }
}

function hashBytes(source: Uint8Array, start: number, stop: number): number {
  let hash = SEED
  if (stop - start === 8) {
    // The usual id, as two words: a quarter of the work.
    hash = Math.imul(hash ^ wordAt(source, start), 0x5bd1e995)
    hash = Math.imul(hash ^ (hash >>> 15) ^ wordAt(source, start + 4), 0xc2b2ae35)
    return (hash ^ (hash >>> 16)) >>> 0
  }
  for (let i = start; i < stop; i++) {
    hash = Math.imul(hash ^ source[i]!, 0x5bd1e995)
    hash ^= hash >>> 15
  }
  return Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0
}

function wordAt(source: Uint8Array, at: number): number {
  return source[at]! | (source[at + 1]! << 8) | (source[at + 2]! << 16) | (source[at + 3]! << 24)
}
