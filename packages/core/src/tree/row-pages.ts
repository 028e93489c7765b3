import { LONG, type SavedPlaces } from '../codec/heads.ts'
import { PagedColumn } from './paged-column.ts'
import type { SectionReader } from './sections.ts'

/** Of so many rows one has its offset saved. */
export const OFFSET_STEP = 128

/** Rows each of which follows from the one before, up to `end`. */
export interface Stretch {
  readonly row: number
  readonly end: number
  readonly ref: number
  readonly line: number
  /** Between a row and the end of the one before it. */
  readonly gap: number
  readonly hasId: number
}

interface Known {
  readonly rows: number
  readonly stretches: readonly Stretch[]
  /** Pairs of a row and its length. */
  readonly longLengths: Float64Array
  /** Pairs of a ref and the row that counts for it, where that is not its last. */
  readonly oddRows: Int32Array
}

/** Single saved rows: for whoever looks at a few of a million. */
export class RowPages implements SavedPlaces {
  private readonly from: SectionReader
  private readonly known: Known
  private readonly oddRows = new Map<number, number>()
  private readonly lengths: PagedColumn<Uint32Array>
  private readonly offsets: PagedColumn<Float64Array>
  /** What `offsetOf` was asked last, and said: rows are mostly asked for in their order. */
  private askedRow = -1
  private askedOffset = 0
  private lastStretch: Stretch | undefined

  constructor(from: SectionReader, known: Known) {
    this.from = from
    this.known = known
    for (let i = 0; i < known.oddRows.length; i += 2) this.oddRows.set(known.oddRows[i]!, known.oddRows[i + 1]!)
    this.lengths = new PagedColumn(from, 'lengths', Uint32Array, known.rows)
    this.offsets = new PagedColumn(from, 'offsets', Float64Array, Math.ceil(known.rows / OFFSET_STEP))
  }

  lengthOf(row: number): number {
    const length = this.lengths.at(row)
    if (length !== LONG) return length
    const { longLengths } = this.known
    for (let i = 0; i < longLengths.length; i += 2) if (longLengths[i] === row) return longLengths[i + 1]!
    return this.from.refuse('a length that is missing')
  }

  /** From the nearest row above it of which the offset is known. */
  offsetOf(row: number): number {
    const step = row - (row % OFFSET_STEP)
    const isNear = this.askedRow >= step && this.askedRow <= row
    let at = isNear ? this.askedRow : step
    let offset = isNear ? this.askedOffset : this.offsets.at(step / OFFSET_STEP)
    while (at < row) {
      offset += this.lengthOf(at)
      offset += this.stretchOf(++at).gap
    }
    if (!Number.isSafeInteger(offset) || offset < 0) this.from.refuse('an offset that cannot be')
    this.askedRow = row
    this.askedOffset = offset
    return offset
  }

  lineOf(row: number): number {
    const stretch = this.stretchOf(row)
    return stretch.line + row - stretch.row
  }

  hasId(row: number): boolean {
    return this.stretchOf(row).hasId === 1
  }

  refOf(row: number): number {
    const stretch = this.stretchOf(row)
    return stretch.ref + row - stretch.row
  }

  /** Searched from the end: what is looked at is mostly there, and of several rows of one ref the last counts. */
  rowOf(ref: number): number {
    const { stretches } = this.known
    const odd = this.oddRows.get(ref)
    if (odd !== undefined) return odd
    for (let i = stretches.length - 1; i >= 0; i--) {
      const { row, end, ref: first } = stretches[i]!
      if (ref >= first && ref - first < end - row) return row + ref - first
    }
    return -1
  }

  private stretchOf(row: number): Stretch {
    const last = this.lastStretch
    if (last !== undefined && row >= last.row && row < last.end) return last
    const { stretches } = this.known
    let low = 0
    let high = stretches.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (stretches[middle]!.row <= row) low = middle
      else high = middle - 1
    }
    this.lastStretch = stretches[low]!
    return this.lastStretch
  }
}
