import type { Entry } from '../entry/entry.ts'
import type { Kind, Role } from '../entry/kind.ts'
import { Deferred } from './deferred.ts'

/** What a reader needs to know of an entry without its body. */
export interface Head {
  readonly kind: Kind
  readonly role: Role
  /** Absent in v1 files; the tree then derives a stable id from the session id and the record number. */
  readonly id: string | undefined
  /** `undefined` when the line has no parentId at all (v1), `null` for a root. */
  readonly parentId: string | null | undefined
  /** NaN when the timestamp is missing or unreadable. */
  readonly timeMs: number
  /** Byte range of the record in the log, without its line end. */
  readonly offset: number
  readonly length: number
  /** 1-based number of the physical line. Two records spliced on one line share it. */
  readonly line: number
  /** Given for the kinds the tree reads (edits, labels, names, generations). */
  readonly body?: Entry
}

/** How the parent of a row is given. */
export const ParentForm = { id: 0, root: 1, missing: 2 } as const

/** Rows as `Heads` has them, each array as long as there are rows. */
export interface RowBlock {
  readonly kind: Uint8Array
  readonly role: Uint8Array
  readonly parentForm: Uint8Array
  readonly line: Uint32Array
  readonly length: Uint32Array
  readonly offset: Float64Array
  readonly timeMs: Float64Array
  /** Two for each row. */
  readonly idEnd: Uint32Array
  readonly idBytes: Uint8Array
}

/** A length this long or longer stands in `longLengths`. */
export const LONG = 0xffff_ffff

/** Single saved rows, known without reading them all. */
export interface SavedPlaces {
  offsetOf(row: number): number
  lengthOf(row: number): number
  lineOf(row: number): number
  hasId(row: number): boolean
}

/**
 * Heads as columns: one row per good record after the header, in log order. The scanner writes rows, the tree reads them;
 * nothing here is an object per entry.
 */
export class Heads {
  count: number
  /**
   * So many first rows came from saved columns. The tree knows their ids and parents already, so those and their bodies
   * are not here: `parentForm`, `idEnd` and `idBytes` begin with the row after them.
   */
  readonly savedRows: number
  /** What is known of single ones of them before all are filled in. */
  places: SavedPlaces | undefined
  /** Fills in the saved rows, as far as they follow from each other. */
  filling = new Deferred()
  private kinds: Uint8Array = new Uint8Array()
  private roles: Uint8Array = new Uint8Array()
  private hasIds: Uint8Array = new Uint8Array()
  private offsets: Float64Array = new Float64Array()
  private lines: Uint32Array = new Uint32Array()
  /** Reads the saved times. */
  timing = new Deferred()
  private times: Float64Array = new Float64Array()
  /** Reads the saved lengths. */
  measuring = new Deferred()
  private lengths: Uint32Array = new Uint32Array()
  private capacity: number
  readonly longLengths = new Map<number, number>()
  parentForm: Uint8Array
  /**
   * The id of the r-th row after the saved ones ends at `idEnd[2r]` and its parent id at `idEnd[2r+1]` in `idBytes`; each
   * starts where the one before ended.
   */
  idEnd: Uint32Array
  idBytes: Uint8Array
  idByteCount = 0
  /** Bodies of the rows whose kind the tree reads. */
  readonly bodies = new Map<number, Entry>()

  /**
   * The first `savedRows` rows are counted and left for the caller to make room for and to fill: memory that is asked for
   * wakes the collector, also when it is never touched.
   */
  constructor(capacity = 1024, savedRows = 0) {
    this.count = savedRows
    this.savedRows = savedRows
    this.capacity = capacity
    if (savedRows === 0) {
      this.makePlaces()
      this.makeTimes()
      this.makeLengths()
    }
    this.parentForm = new Uint8Array(capacity - savedRows)
    this.idEnd = new Uint32Array((capacity - savedRows) * 2)
    this.idBytes = new Uint8Array((capacity - savedRows) * 16)
  }

  makePlaces(): void {
    const { capacity } = this
    this.kinds = new Uint8Array(capacity)
    this.roles = new Uint8Array(capacity)
    this.hasIds = new Uint8Array(capacity)
    this.offsets = new Float64Array(capacity)
    this.lines = new Uint32Array(capacity)
  }

  makeTimes(): void {
    this.times = new Float64Array(this.capacity)
  }

  makeLengths(): void {
    this.lengths = new Uint32Array(this.capacity)
  }

  get timeMs(): Float64Array {
    this.timing.run()
    return this.times
  }

  /** Read with `lengthOf`: four bytes do not hold every length. */
  get length(): Uint32Array {
    this.measuring.run()
    return this.lengths
  }

  get kind(): Uint8Array {
    this.filling.run()
    return this.kinds
  }

  get role(): Uint8Array {
    this.filling.run()
    return this.roles
  }

  /** 1 when the record has an id of its own. */
  get hasId(): Uint8Array {
    this.filling.run()
    return this.hasIds
  }

  get offset(): Float64Array {
    this.filling.run()
    return this.offsets
  }

  get line(): Uint32Array {
    this.filling.run()
    return this.lines
  }

  /** Adds one row and returns its number. */
  push(head: Head): number {
    const row = this.reserveRow()
    this.writePlace(row, head, head.offset, head.length, head.line)
    this.hasIds[row] = head.id === undefined ? 0 : 1
    const fresh = row - this.savedRows
    this.writeString(head.id ?? '')
    this.idEnd[fresh * 2] = this.idByteCount
    this.parentForm[fresh] =
      head.parentId === undefined ? ParentForm.missing : head.parentId === null ? ParentForm.root : ParentForm.id
    this.writeString(head.parentId ?? '')
    this.idEnd[fresh * 2 + 1] = this.idByteCount
    if (head.body !== undefined) this.bodies.set(row, head.body)
    return row
  }

  /** Makes room for one row and counts it, as one with an id; the caller fills the columns. The scanner's fast path. */
  reserveRow(): number {
    this.filling.run()
    if (this.count === this.capacity) this.grow()
    this.hasIds[this.count] = 1
    return this.count++
  }

  /** The same for several; returns the number of the first. */
  reserveRows(added: number): number {
    const { count } = this
    this.makeRoom(added)
    this.hasIds.fill(1, count, count + added)
    this.count += added
    return count
  }

  /** Makes room for so many more rows. */
  makeRoom(added: number): void {
    this.filling.run()
    if (this.count + added > this.capacity) this.grow(this.count + added)
  }

  /** Adds rows that all have an id and lengths below LONG, a column at a time; `idEnd` counts from the first id here. */
  pushRows(rows: RowBlock): void {
    const { savedRows } = this
    const count = this.reserveRows(rows.kind.length)
    this.reserveIdBytes(rows.idBytes.length)
    this.kinds.set(rows.kind, count)
    this.roles.set(rows.role, count)
    this.offsets.set(rows.offset, count)
    this.lines.set(rows.line, count)
    this.timeMs.set(rows.timeMs, count)
    this.length.set(rows.length, count)
    this.parentForm.set(rows.parentForm, count - savedRows)
    this.idEnd.set(rows.idEnd, (count - savedRows) * 2)
    this.idBytes.set(rows.idBytes, this.idByteCount)
    this.idByteCount += rows.idBytes.length
  }

  /** The columns of a reserved row other than its ids. */
  writePlace(
    row: number,
    head: Pick<Head, 'kind' | 'role' | 'timeMs'>,
    offset: number,
    length: number,
    line: number,
  ): void {
    this.kinds[row] = head.kind
    this.roles[row] = head.role
    this.timeMs[row] = head.timeMs
    this.offsets[row] = offset
    this.lines[row] = line
    this.setLength(row, length)
  }

  /** Makes room for `size` more id bytes. */
  reserveIdBytes(size: number): void {
    const needed = this.idByteCount + size
    if (needed <= this.idBytes.length) return
    this.idBytes = resized(this.idBytes, Math.max(needed, roomier(this.idBytes.length)))
  }

  idStart(row: number): number {
    return row === this.savedRows ? 0 : this.idEnd[(row - this.savedRows) * 2 - 1]!
  }

  /** By one that is as long, of a row after the saved ones. */
  replaceParentId(row: number, id: string): void {
    const place = (row - this.savedRows) * 2
    encoder.encodeInto(id, this.idBytes.subarray(this.idEnd[place], this.idEnd[place + 1]))
  }

  /** Whether a row has the id in `idBytes[start, end)`; false for one whose id is not here. */
  isIdOf(row: number, start: number, end: number): boolean {
    const { idEnd, idBytes, savedRows } = this
    if (row < savedRows) return false
    let at = this.idStart(row)
    const stop = idEnd[(row - savedRows) * 2]!
    if (stop === at || stop - at !== end - start) return false
    for (let i = start; i < end; i++) if (idBytes[at++] !== idBytes[i]) return false
    return true
  }

  /** As `offset` says it, of a few rows without all others; the same below for `line` and `hasId`. */
  offsetOf(row: number): number {
    return this.places !== undefined && this.filling.isPending ? this.places.offsetOf(row) : this.offset[row]!
  }

  lineOf(row: number): number {
    return this.places !== undefined && this.filling.isPending ? this.places.lineOf(row) : this.line[row]!
  }

  hasIdOf(row: number): boolean {
    return this.places !== undefined && this.filling.isPending ? this.places.hasId(row) : this.hasId[row] === 1
  }

  /** Bytes of the record, without its line end. */
  lengthOf(row: number): number {
    if (this.places !== undefined && this.measuring.isPending) return this.places.lengthOf(row)
    const length = this.length[row]!
    return length === LONG ? this.longLengths.get(row)! : length
  }

  setLength(row: number, length: number): void {
    this.length[row] = length
    if (length < LONG) return
    this.length[row] = LONG
    this.longLengths.set(row, length)
  }

  private writeString(text: string): void {
    this.reserveIdBytes(text.length * 3)
    const { written } = encoder.encodeInto(text, this.idBytes.subarray(this.idByteCount))
    this.idByteCount += written
  }

  private grow(needed = 0): void {
    const capacity = Math.max(needed, roomier(this.capacity))
    this.capacity = capacity
    this.kinds = resized(this.kinds, capacity)
    this.roles = resized(this.roles, capacity)
    this.hasIds = resized(this.hasIds, capacity)
    this.times = resized(this.timeMs, capacity)
    this.offsets = resized(this.offsets, capacity)
    this.lengths = resized(this.length, capacity)
    this.lines = resized(this.lines, capacity)
    this.parentForm = resized(this.parentForm, capacity - this.savedRows)
    this.idEnd = resized(this.idEnd, (capacity - this.savedRows) * 2)
  }
}

const encoder = new TextEncoder()

/** A longer copy of a typed array. */
export function resized<T extends Uint8Array | Uint32Array | Int32Array | Float64Array>(array: T, length: number): T {
  const copy = new (array.constructor as new (length: number) => T)(length)
  copy.set(array)
  return copy
}

/** How long to make a full array: twice as long, and a quarter longer once that is much memory to hold for nothing. */
export function roomier(length: number): number {
  return length < 65_536 ? Math.max(1024, length * 2) : length + (length >>> 2)
}
