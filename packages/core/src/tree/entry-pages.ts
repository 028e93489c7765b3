import { Kind } from '../entry/kind.ts'
import { Flag, ROOT } from './columns.ts'
import { PagedColumn } from './paged-column.ts'
import { PAGE_BYTES, type SectionReader } from './sections.ts'

/** As many as are in one page of every column. */
const BLOCK = PAGE_BYTES / 4

/** Some entries that follow each other: those of `[start, end)`, from place 0 on. */
export interface EntryBlock {
  readonly start: number
  readonly end: number
  readonly kinds: Uint8Array
  readonly roles: Uint8Array
  readonly flags: Uint8Array
  readonly rawParents: Int32Array
  readonly parents: Int32Array
}

/**
 * Single entries of saved columns, by ref, as they were saved: for whoever looks at a few of a million. Whether what they
 * say can be is for the one to see who follows it.
 */
export class EntryPages {
  readonly count: number
  private readonly from: SectionReader
  private readonly kinds: PagedColumn<Uint8Array>
  private readonly roles: PagedColumn<Uint8Array>
  private readonly flagged: PagedColumn<Uint8Array>
  private readonly rawParents: PagedColumn<Int32Array>
  private readonly parents: PagedColumn<Int32Array>
  private readonly blocks: (EntryBlock | undefined)[] = []
  /** Pairs, by ref. */
  private readonly seats: Int32Array

  constructor(from: SectionReader, count: number, seats: Int32Array) {
    this.count = count
    this.from = from
    this.kinds = new PagedColumn(from, 'kinds', Uint8Array, count)
    this.roles = new PagedColumn(from, 'roles', Uint8Array, count)
    this.flagged = new PagedColumn(from, 'flags', Uint8Array, count)
    this.rawParents = new PagedColumn(from, 'rawParents', Int32Array, count)
    this.parents = new PagedColumn(from, 'parents', Int32Array, count)
    this.seats = seats
  }

  /** The entries around one. */
  blockOf(ref: number): EntryBlock {
    const number = Math.trunc(ref / BLOCK)
    this.blocks[number] ??= this.load(number * BLOCK)
    return this.blocks[number]
  }

  flagsOf(ref: number): number {
    const { start, flags } = this.blockOf(ref)
    return flags[ref - start]!
  }

  parentOf(ref: number): number {
    const { start, parents } = this.blockOf(ref)
    return parents[ref - start]!
  }

  /** Whether an entry that is not a node stands where its line hangs, and for no other: see `Tree.above`, `generationNode`. */
  isInItsPlace(ref: number, kind: Kind, above: number): boolean {
    if (kind !== Kind.edit && kind !== Kind.generation) return true
    const seat = this.storedSeatOf(ref)
    if (kind === Kind.generation) return seat === ref || seat === ROOT
    const flags = this.flagsOf(above)
    if (above === ROOT || (flags & Flag.node) !== 0) return seat === above
    return (flags & Flag.known) !== 0 && seat === this.storedSeatOf(above)
  }

  /** For whoever follows them: what they say cannot be. */
  refuse(what: string): never {
    return this.from.refuse(what)
  }

  private load(start: number): EntryBlock {
    const end = Math.min(start + BLOCK, this.count)
    return {
      start,
      end,
      kinds: this.kinds.part(start, end),
      roles: this.roles.part(start, end),
      flags: this.flagged.part(start, end),
      rawParents: this.rawParents.part(start, end),
      parents: this.parents.part(start, end),
    }
  }

  private storedSeatOf(ref: number): number {
    const { seats } = this
    let low = 0
    let high = seats.length / 2
    while (low < high) {
      const middle = (low + high) >>> 1
      if (seats[middle * 2]! < ref) low = middle + 1
      else high = middle
    }
    return seats[low * 2] === ref ? seats[low * 2 + 1]! : ref
  }
}
