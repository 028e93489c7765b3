import { changesState, everyOneCounts, rulesPath } from '../context/state.ts'
import { type Kind, placeOf, type Role } from '../entry/kind.ts'
import { Flag, NOWHERE } from './columns.ts'
import type { SectionReader, SectionWriter } from './sections.ts'
import type { Tree } from './tree.ts'

/** Numbers for each landmark: its ref, the place in this list of the next one above it, and what it is. */
const NUMBERS = 3
const NONE = -1
/** In the pass over all entries: no edit has touched the way up, and there is no landmark on it. */
const BARE = -1
/** Some edit has, or the way is not known to end: the path must be looked at itself. */
const UNKNOWN = -2

/** What a landmark is, beside its ref. */
export interface Landmark {
  readonly ref: number
  readonly kind: Kind
  readonly role: Role
  readonly flags: number
}

/** What rules a path from above one of its landmarks, the topmost first. */
export interface Above {
  readonly found: readonly Landmark[]
  /** Kinds of which there are more, that count when the one found cannot be used. */
  readonly leftOut: ReadonlySet<Kind>
}

/**
 * Saves which entries rule a path from afar (compactions, resets, changes of the model …), each with the next one above
 * it, so that the end of a path can be read without the rest. Only where each entry hangs where it was written: after
 * a graft, what an entry has above it depends on the path it is looked at from.
 */
export function saveLandmarks(to: SectionWriter, tree: Tree, count: number): void {
  const { kind, role, flags, rawParent } = tree.columns
  const list: number[] = []
  /** By ref: its place in the list, of one that is none that of the next above. */
  const nearest = new Int32Array(count).fill(BARE)
  for (let ref = 1; ref < count; ref++) {
    // A path ends where an entry is not in the log.
    if ((flags[ref]! & Flag.known) === 0) continue
    const above = rawParent[ref]!
    const next = above < ref && isInItsPlace(tree, ref) ? nearest[above]! : UNKNOWN
    nearest[ref] = next
    if (next === UNKNOWN || !rulesPath(kind[ref]! as Kind)) continue
    nearest[ref] = list.length / NUMBERS
    list.push(ref, next === BARE ? NONE : next, kind[ref]! | (role[ref]! << 8) | (flags[ref]! << 16))
  }
  to.add('landmarks', Int32Array.from(list))
}

function isInItsPlace(tree: Tree, ref: number): boolean {
  const { columns } = tree
  const above = columns.rawParent[ref]!
  if (columns.has(ref, Flag.node)) {
    const parent = columns.parent[ref]!
    return !columns.has(ref, Flag.copy) && parent !== NOWHERE && parent === columns.ownerOf(above)
  }
  if (placeOf(columns.kind[ref]! as Kind) !== 'path') return tree.above(ref) === above
  return tree.generationNode(ref) === undefined
}

/** The saved landmarks, in the order of their refs. */
export class Landmarks {
  private readonly from: SectionReader
  private readonly list: Int32Array
  private readonly refs: number

  constructor(from: SectionReader, refs: number) {
    this.from = from
    this.list = from.readInts('landmarks')
    this.refs = refs
    if (this.list.length % NUMBERS !== 0) from.refuse('a list of landmarks is incomplete')
  }

  /**
   * Nothing when this one is none of them. Only what changes the state: a compaction or a reset that is not among the
   * last entries of a path has a say only when more of it is looked at.
   */
  above(ref: number): Above | undefined {
    const { list } = this
    const place = this.placeOf(ref)
    if (place === undefined) return undefined
    const found: Landmark[] = []
    const passed = new Set<Kind>()
    const leftOut = new Set<Kind>()
    for (let at = this.nextAbove(place); at >= 0; at = this.nextAbove(at)) {
      const what = list[at + 2]!
      const kind = (what & 255) as Kind
      if (!changesState(kind)) continue
      const role = ((what >> 8) & 255) as Role
      if (everyOneCounts(kind, role) || !passed.has(kind)) {
        found.push({ ref: list[at]!, kind, role, flags: (what >> 16) & 255 })
        if (!everyOneCounts(kind, role)) passed.add(kind)
      } else leftOut.add(kind)
    }
    return { found: found.reverse(), leftOut }
  }

  /** Always one before it in the list: whoever goes up counts on an end. */
  private nextAbove(at: number): number {
    const { list, refs, from } = this
    const next = list[at + 1]! * NUMBERS
    if (!(next < at && list[at]! > 0 && list[at]! < refs)) from.refuse('a landmark that cannot be')
    return next
  }

  private placeOf(ref: number): number | undefined {
    const { list } = this
    let low = 0
    let high = list.length / NUMBERS
    while (low < high) {
      const middle = (low + high) >>> 1
      if (list[middle * NUMBERS]! < ref) low = middle + 1
      else high = middle
    }
    return list[low * NUMBERS] === ref ? low * NUMBERS : undefined
  }
}
