import { type Entry, type LogNote, parseRecord, type Tree, TreelineError, upgradeEntry } from '@treeline/core'
import type { StorageReader } from '../storage/storage.ts'
import { nativeCodec } from './native-codec.ts'

/** Records closer than this are fetched in one read: a gap costs less than another call. */
const MAX_GAP_BYTES = 16 * 1024
const MAX_READ_BYTES = 4 * 1024 * 1024
/** Read without letting others have their turn: what is done with it takes longer than reading it. */
const MAX_AT_ONCE_BYTES = 512 * 1024
/** Of stored bytes; the parsed entries take a few times as much. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024
const KEPT_CACHED_BYTES = MAX_CACHED_BYTES * 0.75
/** A long record would push out all others for the sake of one. */
const MAX_CACHED_RECORD = 256 * 1024

/** A file and the handle by which it is read: another one may take its place. */
export interface OpenedFile {
  handle: StorageReader
}

export interface BodySource {
  readonly file: OpenedFile
  readonly tree: Tree
  readonly version: number
  readonly sessionId: string
}

/** Reads bodies on demand by their place in the file, neighbours together, and keeps the latest of them. */
export class BodyReader {
  private readonly source: BodySource
  /** By row: however often a body is read, what is wrong with it is told once. */
  private readonly damage = new Map<number, TreelineError>()
  private readonly touched = new Map<number, LogNote>()
  /** In order of use: the oldest is first. */
  private readonly cache = new Map<number, Entry>()
  private cachedBytes = 0
  private readAtOnce = 0

  constructor(source: BodySource) {
    this.source = source
  }

  /** Bodies that turned out damaged when they were read. */
  get unreadable(): readonly TreelineError[] {
    return [...this.damage.values()]
  }

  /** Bodies that could be read although they are not as they were written: another program touched them, or a bad disk. */
  get notes(): readonly LogNote[] {
    return [...this.touched.values()]
  }

  async readEntries(rows: readonly number[]): Promise<(Entry | undefined)[]> {
    const entries = new Map<number, Entry | undefined>()
    const missing: number[] = []
    for (const row of rows) {
      const cached = this.cache.get(row)
      if (cached === undefined) missing.push(row)
      else {
        this.cache.delete(row)
        this.cache.set(row, cached)
        entries.set(row, cached)
      }
    }
    await this.readEach(missing, (row, bytes) => entries.set(row, this.parse(row, bytes)))
    return rows.map((row) => entries.get(row))
  }

  async readRecords(rows: readonly number[]): Promise<Uint8Array[]> {
    const records = new Map<number, Uint8Array>()
    await this.readEach(rows, (row, bytes) => records.set(row, bytes))
    return rows.map((row) => records.get(row)!)
  }

  /** Whatever bytes are there, as far as `into` goes. Returns how many there were. */
  readBytes(into: Uint8Array, offset: number): number {
    return this.source.file.handle.readSync(into, offset)
  }

  /** Hands over each record's bytes, several to a read, in the order of the file. */
  private async readEach(rows: readonly number[], take: (row: number, bytes: Uint8Array) => void): Promise<void> {
    const { heads } = this.source.tree
    const sorted = isAscending(rows) ? rows : [...new Set(rows)].sort((a, b) => heads.offsetOf(a) - heads.offsetOf(b))
    const starts = sorted.map((row) => heads.offsetOf(row))
    const ends = sorted.map((row, i) => starts[i]! + heads.lengthOf(row))
    for (let first = 0; first < sorted.length; ) {
      const start = starts[first]!
      let last = first
      while (last + 1 < sorted.length) {
        const isFar = starts[last + 1]! - ends[last]! > MAX_GAP_BYTES
        if (isFar || ends[last + 1]! - start > MAX_READ_BYTES) break
        last++
      }
      const bytes = new Uint8Array(ends[last]! - start)
      const found = await this.fetch(bytes, start)
      for (; first <= last; first++) {
        const at = starts[first]! - start
        take(sorted[first]!, bytes.subarray(Math.min(at, found), Math.min(ends[first]! - start, found)))
      }
    }
  }

  /** A short read costs less than a hop to another thread; after some of them others get their turn. */
  private fetch(into: Uint8Array, start: number): number | Promise<number> {
    const { handle } = this.source.file
    this.readAtOnce += into.length
    if (this.readAtOnce <= MAX_AT_ONCE_BYTES) return handle.readSync(into, start)
    this.readAtOnce = 0
    return handle.read(into, start)
  }

  private parse(row: number, bytes: Uint8Array): Entry | undefined {
    const { tree, version } = this.source
    const { heads } = tree
    const id = version >= 2 && heads.hasIdOf(row) ? tree.ids.textOf(tree.refAtRow(row)) : undefined
    try {
      const { entry, crc, clean } = parseRecord(bytes, { id }, nativeCodec)
      if (crc === 'mismatch' || !clean || (crc === 'none' && hasSpoiltSeal(bytes))) this.note(row)
      const upgraded = this.upgrade(entry, row)
      this.keep(row, upgraded, bytes.length)
      return upgraded
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error
      this.damage.set(row, this.locate(row, bytes, id) ?? error)
      return undefined
    }
  }

  /** The same error, saying where. Few are asked for their place. */
  private locate(row: number, bytes: Uint8Array, id: string | undefined): TreelineError | undefined {
    const { heads } = this.source.tree
    try {
      parseRecord(bytes, { id, line: heads.lineOf(row), offset: heads.offsetOf(row) }, nativeCodec)
      return undefined
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error
      return error
    }
  }

  private note(row: number): void {
    const { heads } = this.source.tree
    const place = { offset: heads.offsetOf(row), length: heads.lengthOf(row), line: heads.lineOf(row) }
    this.touched.set(row, { code: 'crc_mismatch', ...place })
  }

  private upgrade(entry: Entry, row: number): Entry {
    const { tree, version, sessionId } = this.source
    const place = { version, sessionId, record: row + 1, previousRecord: row === 0 ? null : row }
    // Few do not say where they hang, and ask which entry came before.
    const isHung = version >= 2 && (typeof entry.parentId === 'string' || entry.parentId === null)
    if (row === 0 || isHung) return upgradeEntry(entry, place)
    return upgradeEntry(entry, { ...place, previousId: tree.ids.textOf(tree.refAtRow(row - 1)) })
  }

  private keep(row: number, entry: Entry, length: number): void {
    const { heads } = this.source.tree
    if (length > MAX_CACHED_RECORD || this.cache.has(row)) return
    this.cache.set(row, entry)
    this.cachedBytes += length
    if (this.cachedBytes <= MAX_CACHED_BYTES) return
    // Some at a time: to find the first key a map walks over those that were deleted before it.
    for (const oldest of this.cache.keys()) {
      if (this.cachedBytes <= KEPT_CACHED_BYTES) break
      this.cache.delete(oldest)
      this.cachedBytes -= heads.lengthOf(oldest)
    }
  }
}

const SEAL = Buffer.from(',"crc":"########"}')
const DIGIT = '#'.charCodeAt(0)

/** A checksum with one wrong byte is no checksum to the parser, and would be taken for a field of another tool. */
export function hasSpoiltSeal(bytes: Uint8Array): boolean {
  const start = bytes.length - SEAL.length
  let wrong = 0
  for (let i = 0; i < SEAL.length && wrong < 2; i++) {
    const byte = bytes[start + i]!
    const isRight = SEAL[i] === DIGIT ? isHexDigit(byte) : byte === SEAL[i]
    if (!isRight) wrong++
  }
  return wrong === 1
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)
}

function isAscending(rows: readonly number[]): boolean {
  for (let i = 1; i < rows.length; i++) if (rows[i]! <= rows[i - 1]!) return false
  return true
}
