import { rulesPath } from '../context/state.ts'
import { type Kind, placeOf } from '../entry/kind.ts'
import { Flag, NOWHERE } from './columns.ts'
import { refuseSaved } from './saved-json.ts'
import type { SectionReader, SectionWriter } from './sections.ts'
import type { Tree } from './tree.ts'

/** Numbers for each landmark: its ref, the place in this list of the next one above it, and what it is. */
const NUMBERS = 3
const NONE = -1
/** In the pass over all entries: no edit has touched the way up, and there is no landmark on it. */
const BARE = -1
/** Some edit has, or the way is not known to end: the path must be looked at itself. */
const UNKNOWN = -2

export interface Landmark {
  readonly ref: number
  readonly kind: number
  readonly role: number
  readonly flags: number
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
  private readonly list: Int32Array

  constructor(from: SectionReader, refs: number) {
    this.list = from.readInts('landmarks')
    const { list } = this
    if (list.length % NUMBERS !== 0) refuseSaved('a list of landmarks is incomplete')
    for (let at = 0, ref = 0; at < list.length; at += NUMBERS) {
      const next = list[at + 1]!
      // Always to one before it: whoever goes up counts on an end.
      const isUp = next >= NONE && next * NUMBERS < at
      if (!(list[at]! > ref && list[at]! < refs && isUp)) refuseSaved('a landmark that cannot be')
      ref = list[at]!
    }
  }

  /** Those above one, the topmost first; nothing when it is none of them. */
  above(ref: number): Landmark[] | undefined {
    const { list } = this
    const place = this.placeOf(ref)
    if (place === undefined) return undefined
    const found: Landmark[] = []
    for (let at = list[place + 1]! * NUMBERS; at >= 0; at = list[at + 1]! * NUMBERS) {
      const what = list[at + 2]!
      found.push({ ref: list[at]!, kind: what & 255, role: (what >> 8) & 255, flags: (what >> 16) & 255 })
    }
    return found.reverse()
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
