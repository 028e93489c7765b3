import type { Entry } from '../entry/entry.ts'
import type { Kind, Role } from '../entry/kind.ts'

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

/**
 * Heads as columns: one row per good record after the header, in log order. The scanner writes rows, the tree reads them;
 * nothing here is an object per entry.
 */
export class Heads {
  count = 0
  kind: Uint8Array
  role: Uint8Array
  parentForm: Uint8Array
  /** 1 when the record has an id of its own. */
  hasId: Uint8Array
  timeMs: Float64Array
  offset: Float64Array
  length: Float64Array
  line: Uint32Array
  /** Row r's id ends at `idEnd[2r]` and its parent id at `idEnd[2r+1]` in `idBytes`; each starts where the one before ended. */
  idEnd: Uint32Array
  idBytes: Uint8Array
  idByteCount = 0
  /** Bodies of the rows whose kind the tree reads. */
  readonly bodies = new Map<number, Entry>()

  constructor(capacity = 1024) {
    this.kind = new Uint8Array(capacity)
    this.role = new Uint8Array(capacity)
    this.parentForm = new Uint8Array(capacity)
    this.hasId = new Uint8Array(capacity)
    this.timeMs = new Float64Array(capacity)
    this.offset = new Float64Array(capacity)
    this.length = new Float64Array(capacity)
    this.line = new Uint32Array(capacity)
    this.idEnd = new Uint32Array(capacity * 2)
    this.idBytes = new Uint8Array(capacity * 16)
  }

  /** Adds one row and returns its number. */
  push(head: Head): number {
    const row = this.reserveRow()
    this.kind[row] = head.kind
    this.role[row] = head.role
    this.timeMs[row] = head.timeMs
    this.offset[row] = head.offset
    this.length[row] = head.length
    this.line[row] = head.line
    this.hasId[row] = head.id === undefined ? 0 : 1
    this.writeString(head.id ?? '')
    this.idEnd[row * 2] = this.idByteCount
    this.parentForm[row] =
      head.parentId === undefined ? ParentForm.missing : head.parentId === null ? ParentForm.root : ParentForm.id
    this.writeString(head.parentId ?? '')
    this.idEnd[row * 2 + 1] = this.idByteCount
    if (head.body !== undefined) this.bodies.set(row, head.body)
    return row
  }

  /** Makes room for one row and counts it; the caller fills the columns. The scanner's fast path. */
  reserveRow(): number {
    if (this.count === this.kind.length) this.grow()
    return this.count++
  }

  /** Makes room for `size` more id bytes. */
  reserveIdBytes(size: number): void {
    const needed = this.idByteCount + size
    if (needed <= this.idBytes.length) return
    this.idBytes = resized(this.idBytes, Math.max(needed, this.idBytes.length * 2))
  }

  idStart(row: number): number {
    return row === 0 ? 0 : this.idEnd[row * 2 - 1]!
  }

  private writeString(text: string): void {
    this.reserveIdBytes(text.length * 3)
    const { written } = encoder.encodeInto(text, this.idBytes.subarray(this.idByteCount))
    this.idByteCount += written
  }

  private grow(): void {
    const capacity = this.kind.length * 2
    this.kind = resized(this.kind, capacity)
    this.role = resized(this.role, capacity)
    this.parentForm = resized(this.parentForm, capacity)
    this.hasId = resized(this.hasId, capacity)
    this.timeMs = resized(this.timeMs, capacity)
    this.offset = resized(this.offset, capacity)
    this.length = resized(this.length, capacity)
    this.line = resized(this.line, capacity)
    this.idEnd = resized(this.idEnd, capacity * 2)
  }
}

const encoder = new TextEncoder()

/** A longer copy of a typed array. */
export function resized<T extends Uint8Array | Uint32Array | Int32Array | Float64Array>(array: T, length: number): T {
  const copy = new (array.constructor as new (length: number) => T)(length)
  copy.set(array)
  return copy
}
