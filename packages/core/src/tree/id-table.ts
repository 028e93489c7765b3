import { Deferred } from '../codec/deferred.ts'
import { resized, roomier } from '../codec/heads.ts'
import type { PagedColumn } from './paged-column.ts'

/** A fresh seed per process, so that nobody can prepare a file whose ids all fall into one slot. */
const SEED = (Math.random() * 0x1_0000_0000) | 0
/** Fuller, and runs of taken slots grow long. */
const MAX_LOAD = 0.7
const encoder = new TextEncoder()
/** Made when first needed: our own ids need none. */
let decoder: InstanceType<typeof TextDecoder> | undefined

/** Ids as they are kept, in the order of their numbers: what has to be saved to have the table again. */
export interface StoredIds {
  readonly count: number
  /** Two words for each number. */
  readonly words: Int32Array
  /** 1 where the words say where the id starts in `bytes` and how long it is. */
  readonly isOther: Uint8Array
  readonly bytes: Uint8Array
}

/**
 * Numbers ids: each distinct id gets the next number, by its bytes, without a string or an object per id.
 * Number 0 is the empty id and stands for "above every root".
 *
 * The usual id is eight bytes long and is kept as two words; any other one as where it starts in `bytes` and its length.
 */
export class IdTable {
  count = 1
  /** Reads the words of a restored table when one is first looked at. */
  private loading = new Deferred()
  /** Until then, to say what a few ids are. */
  private pages: PagedColumn<Int32Array> | undefined
  private allWords: Int32Array
  /** Of a restored table: the array that loading fills, made when something is first put into it. */
  private makeWords: (() => Int32Array) | undefined
  private isOther: Uint8Array
  private bytes: Uint8Array = new Uint8Array(1024)
  private byteCount = 0
  /** Open addressing: the number in each slot. Empty after a restore until an id is looked for. */
  private slots = new Int32Array()
  /** A byte of the hash per slot, 0 when it is free: a quarter of the memory, so a new id is usually told from cache. */
  private tags = new Uint8Array()

  /** `expected` ids fit without growing. */
  constructor(expected = 512) {
    const size = Math.max(512, expected) + 1
    this.allWords = new Int32Array(size * 2)
    this.isOther = new Uint8Array(size)
    this.makeSlots(size)
  }

  /** Takes the arrays over. Finding an id costs a pass over all of them once; telling what an id is costs nothing. */
  static restore(
    { count, wordsOf, isOther, bytes }: Omit<StoredIds, 'words'> & { readonly wordsOf: () => Int32Array },
    loading: Deferred,
    pages: PagedColumn<Int32Array>,
  ): IdTable {
    const table = new IdTable(0)
    table.count = count
    table.makeWords = wordsOf
    table.loading = loading
    table.pages = pages
    table.isOther = isOther
    table.bytes = bytes
    table.byteCount = bytes.length
    table.slots = new Int32Array()
    table.tags = new Uint8Array()
    return table
  }

  /** Reads the words of a restored table, if nobody has looked at one so far. */
  load(): void {
    this.loading.run()
    if (this.makeWords === undefined) return
    this.allWords = this.makeWords()
    this.makeWords = undefined
    this.pages = undefined
  }

  private get words(): Int32Array {
    this.load()
    return this.allWords
  }

  /** Views: numbers given out later do not change them. */
  stored(): StoredIds {
    const { count } = this
    return {
      count,
      words: this.words.subarray(0, count * 2),
      isOther: this.isOther.subarray(0, count),
      bytes: this.bytes.subarray(0, this.byteCount),
    }
  }

  /** The number of the id in `source[start, stop)`, a new one if it was never seen. */
  intern(source: Uint8Array, start: number, stop: number): number {
    if (stop - start === 8) return this.internWords(wordAt(source, start), wordAt(source, start + 4))
    if (start === stop) return 0
    if (this.tags.length === 0) this.makeSlots(this.count)
    const hash = hashBytes(source, start, stop)
    const slot = this.slotOf(source, start, stop, hash)
    if (this.tags[slot] !== 0) return this.slots[slot]!
    return this.add(hash, slot, this.keepBytes(source, start, stop), stop - start, true)
  }

  internText(id: string): number {
    const bytes = encoder.encode(id)
    return this.intern(bytes, 0, bytes.length)
  }

  /** The number of a known id, -1 for an unknown one. */
  find(id: string): number {
    const found = id.length === 8 ? this.findEight(id) : undefined
    if (found !== undefined) return found
    const bytes = encoder.encode(id)
    return this.lookUp(bytes, 0, bytes.length)
  }

  /** Our own ids need no encoding. Nothing for one that is not ASCII. */
  private findEight(id: string): number | undefined {
    let others = 0
    for (let i = 0; i < 8; i++) others |= id.charCodeAt(i)
    if (others > 127) return undefined
    if (this.tags.length === 0) this.makeSlots(this.count)
    const first = wordOf(id, 0)
    const second = wordOf(id, 4)
    const slot = this.slotOfWords(first, second, hashWords(first, second))
    return this.tags[slot] === 0 ? -1 : this.slots[slot]!
  }

  /** As `find`, for the id in `source[start, stop)`. */
  lookUp(source: Uint8Array, start: number, stop: number): number {
    if (start === stop) return 0
    if (this.tags.length === 0) this.makeSlots(this.count)
    const slot =
      stop - start === 8
        ? this.slotOfEight(source, start)
        : this.slotOf(source, start, stop, hashBytes(source, start, stop))
    return this.tags[slot] === 0 ? -1 : this.slots[slot]!
  }

  textOf(number: number): string {
    const { pages } = this
    const first = pages === undefined ? this.allWords[number * 2]! : pages.at(number * 2)
    const second = pages === undefined ? this.allWords[number * 2 + 1]! : pages.at(number * 2 + 1)
    if (this.isOther[number]) return decode(this.bytes.subarray(first, first + second))
    return number === 0 ? '' : textOfWords(first, second)
  }

  private slotOfEight(source: Uint8Array, start: number): number {
    const first = wordAt(source, start)
    const second = wordAt(source, start + 4)
    return this.slotOfWords(first, second, hashWords(first, second))
  }

  /**
   * `intern` of an id of eight bytes, as two words. All in one place: it is called for every line of a log, mostly before
   * the engine has compiled anything, and a call costs more than a look into the table then.
   */
  internWords(first: number, second: number): number {
    if (this.tags.length === 0) this.makeSlots(this.count)
    const { tags, slots, allWords, isOther } = this
    const hash = hashWords(first, second)
    const tag = (hash >>> 25) + 1
    const mask = tags.length - 1
    let slot = hash & mask
    for (; tags[slot] !== 0; slot = (slot + 1) & mask) {
      if (tags[slot] !== tag) continue
      const number = slots[slot]!
      if (allWords[number * 2] === first && allWords[number * 2 + 1] === second && isOther[number] === 0) return number
    }
    const number = this.count
    if (number === isOther.length || number + 1 > slots.length * MAX_LOAD) {
      return this.add(hash, slot, first, second, false)
    }
    this.count = number + 1
    allWords[number * 2] = first
    allWords[number * 2 + 1] = second
    slots[slot] = number
    tags[slot] = tag
    return number
  }

  private slotOfWords(first: number, second: number, hash: number): number {
    const { tags } = this
    const mask = tags.length - 1
    const tag = tagOf(hash)
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = tags[slot]
      if (found === 0 || (found === tag && this.holdsWords(slot, first, second))) return slot
    }
  }

  private holdsWords(slot: number, first: number, second: number): boolean {
    const number = this.slots[slot]!
    const { words } = this
    return words[number * 2] === first && words[number * 2 + 1] === second && this.isOther[number] === 0
  }

  private slotOf(source: Uint8Array, start: number, stop: number, hash: number): number {
    const { tags } = this
    const mask = tags.length - 1
    const tag = tagOf(hash)
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = tags[slot]
      if (found === 0 || (found === tag && this.holdsBytes(slot, source, start, stop))) return slot
    }
  }

  private holdsBytes(slot: number, source: Uint8Array, start: number, stop: number): boolean {
    const number = this.slots[slot]!
    if (this.isOther[number] !== 1 || this.words[number * 2 + 1] !== stop - start) return false
    const at = this.words[number * 2]!
    for (let i = start; i < stop; i++) if (this.bytes[at + i - start] !== source[i]) return false
    return true
  }

  private add(hash: number, slot: number, first: number, second: number, isOther: boolean): number {
    const number = this.count++
    if (number === this.isOther.length) {
      const size = roomier(number)
      this.allWords = resized(this.words, size * 2)
      this.isOther = resized(this.isOther, size)
    }
    this.words[number * 2] = first
    this.words[number * 2 + 1] = second
    if (isOther) this.isOther[number] = 1
    this.slots[slot] = number
    this.tags[slot] = tagOf(hash)
    if (this.count > this.slots.length * MAX_LOAD) this.makeSlots(this.count)
    return number
  }

  private keepBytes(source: Uint8Array, start: number, stop: number): number {
    const at = this.byteCount
    this.byteCount += stop - start
    if (this.byteCount > this.bytes.length) {
      this.bytes = resized(this.bytes, Math.max(this.byteCount, roomier(this.bytes.length)))
    }
    this.bytes.set(source.subarray(start, stop), at)
    return at
  }

  /** Slots for at least so many ids, with those that are there already put in. */
  private makeSlots(expected: number): void {
    const size = 2 ** Math.ceil(Math.log2((expected + 1) / MAX_LOAD))
    // Before there are slots: where the words cannot be read, empty ones would say that no id is known.
    const { count, words, isOther, bytes } = this
    const slots = new Int32Array(size)
    const tags = new Uint8Array(size)
    this.slots = slots
    this.tags = tags
    const mask = size - 1
    for (let number = 1; number < count; number++) {
      const first = words[number * 2]!
      const second = words[number * 2 + 1]!
      const hash = isOther[number] === 0 ? hashWords(first, second) : hashBytes(bytes, first, first + second)
      let slot = hash & mask
      while (tags[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = number
      tags[slot] = tagOf(hash)
    }
  }
}

/** From bits that do not choose the slot in any table of a usual size; never 0. */
function tagOf(hash: number): number {
  return (hash >>> 25) + 1
}

function wordAt(source: Uint8Array, at: number): number {
  return source[at]! | (source[at + 1]! << 8) | (source[at + 2]! << 16) | (source[at + 3]! << 24)
}

function wordOf(id: string, at: number): number {
  const low = id.charCodeAt(at) | (id.charCodeAt(at + 1) << 8)
  return low | (id.charCodeAt(at + 2) << 16) | (id.charCodeAt(at + 3) << 24)
}

/** Our own ids are ASCII; for those a decoder costs six times as much. */
function textOfWords(first: number, second: number): string {
  const b = (first >>> 8) & 255
  const c = (first >>> 16) & 255
  const f = (second >>> 8) & 255
  const g = (second >>> 16) & 255
  if (((first | second) & 0x80808080) === 0) {
    return String.fromCharCode(first & 255, b, c, first >>> 24, second & 255, f, g, second >>> 24)
  }
  return decode(Uint8Array.of(first & 255, b, c, first >>> 24, second & 255, f, g, second >>> 24))
}

function hashWords(first: number, second: number): number {
  let hash = Math.imul(SEED ^ first, 0x5bd1e995)
  hash = Math.imul(hash ^ (hash >>> 15) ^ second, 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

function hashBytes(source: Uint8Array, start: number, stop: number): number {
  let hash = SEED
  for (let i = start; i < stop; i++) {
    hash = Math.imul(hash ^ source[i]!, 0x5bd1e995)
    hash ^= hash >>> 15
  }
  return Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
}

function decode(bytes: Uint8Array): string {
  decoder ??= new TextDecoder()
  return decoder.decode(bytes)
}
