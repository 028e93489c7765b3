import { Kind } from '../entry/kind.ts'
import { Flag, NOWHERE, ROOT } from './columns.ts'
import { PagedColumn } from './paged-column.ts'
import { refuseSaved } from './saved-json.ts'
import type { SectionReader } from './sections.ts'

/**
 * Single entries of saved columns, by ref, as they were saved: for whoever looks at a few of a million. Nothing it says
 * points outside; whether it leads in a ring is for the one to see who follows it.
 */
export class EntryPages {
  readonly count: number
  private readonly kinds: PagedColumn
  private readonly roles: PagedColumn
  private readonly flagged: PagedColumn
  private readonly rawParents: PagedColumn
  private readonly parents: PagedColumn
  /** Pairs, by ref. */
  private readonly seats: Int32Array

  constructor(from: SectionReader, count: number, seats: Int32Array) {
    this.count = count
    this.kinds = new PagedColumn(from, 'kinds', Uint8Array, count)
    this.roles = new PagedColumn(from, 'roles', Uint8Array, count)
    this.flagged = new PagedColumn(from, 'flags', Uint8Array, count)
    this.rawParents = new PagedColumn(from, 'rawParents', Int32Array, count)
    this.parents = new PagedColumn(from, 'parents', Int32Array, count)
    this.seats = seats
  }

  kindOf(ref: number): Kind {
    return this.kinds.at(ref) as Kind
  }

  roleOf(ref: number): number {
    return this.roles.at(ref)
  }

  flagsOf(ref: number): number {
    return this.flagged.at(ref)
  }

  rawParentOf(ref: number): number {
    const above = this.rawParents.at(ref)
    return above >= ROOT && above < this.count ? above : refuseSaved('a parent out of range')
  }

  parentOf(ref: number): number {
    const parent = this.parents.at(ref)
    return parent >= NOWHERE && parent < this.count ? parent : refuseSaved('a parent out of range')
  }

  /** Whether an entry that is not a node stands where its line hangs, and for no other: see `Tree.above`, `generationNode`. */
  isInItsPlace(ref: number): boolean {
    const kind = this.kindOf(ref)
    if (kind !== Kind.edit && kind !== Kind.generation) return true
    const seat = this.storedSeatOf(ref)
    if (kind === Kind.generation) return seat === ref || seat === ROOT
    const above = this.rawParentOf(ref)
    if (above === ROOT || this.has(above, Flag.node)) return seat === above
    return this.has(above, Flag.known) && seat === this.storedSeatOf(above)
  }

  has(ref: number, flag: number): boolean {
    return (this.flagsOf(ref) & flag) !== 0
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
