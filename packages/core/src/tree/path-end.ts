import { rulesPath } from '../context/state.ts'
import { Kind, placeOf, type Role } from '../entry/kind.ts'
import { Flag, ROOT } from './columns.ts'
import type { EntryPages } from './entry-pages.ts'
import type { Above } from './landmarks.ts'
import { type LinePath, linePath, type TreePath } from './path.ts'
import type { Tree, Unseen } from './tree.ts'

/** Entries taken in at first, and how many times as many whenever that is not enough. */
const FIRST_SIZE = 512
const WIDER = 4
/** Of a smaller log, and of a larger part of a log than this, the whole is as soon looked at. */
const MIN_ENTRIES = 8192
const LARGE_PART = 1 / 16
const MIN_LARGE = 64

/** What a line is built on: of a long path that is saved, its end; else the whole of it. */
export function lineEnd(tree: Tree, leaf: number): LinePath {
  return (tree.ids.count < MIN_ENTRIES ? undefined : PathEnd.find(tree, leaf)) ?? linePath(tree, leaf)
}

/** Whether an entry is known to hang on, without loading the tree. False when that takes a closer look. */
export function isKnownAttached(tree: Tree, ref: number): boolean {
  const { pages } = tree
  const walk = pages && walkUp(pages.entries, ref, 1)
  if (walk === undefined || walk.last.length === 0) return false
  return walk.topmost === undefined ? walk.isAttached : pages!.landmarks().above(walk.topmost) !== undefined
}

/**
 * The end of a line's path in a saved tree, read by pages: its last entries, and before them those of all others that
 * rule it from afar. What is selected of it is what would be of the whole path, once it reaches up to there (`widen`).
 */
export class PathEnd implements LinePath {
  private readonly tree: Tree
  private readonly leaf: number
  private readonly all: WholePath
  private size: number
  private part: Part
  /** What was asked for may be among those left out. */
  private isMissed = false
  private beside: readonly number[] | undefined

  private constructor(tree: Tree, leaf: number, size: number, part: Part) {
    this.tree = tree
    this.leaf = leaf
    this.size = size
    this.part = part
    const known = tree.unseenAt(leaf)
    this.all = known instanceof WholePath ? known : new WholePath(tree, leaf)
  }

  /** Nothing when the tree is not as it was saved, or edits have touched this path. */
  static find(tree: Tree, leaf: number, size = FIRST_SIZE): PathEnd | undefined {
    const part = readPart(tree, leaf, size)
    return part && new PathEnd(tree, leaf, size, part)
  }

  get refs(): Int32Array {
    return this.part.refs
  }

  get flags(): Uint8Array {
    return this.part.flags
  }

  get length(): number {
    return this.part.refs.length
  }

  get isWhole(): boolean {
    return this.part.isWhole
  }

  idAt(position: number): string {
    return this.tree.ids.textOf(this.part.refs[position]!)
  }

  kindAt(position: number): Kind {
    return this.part.kinds[position] as Kind
  }

  roleAt(position: number): Role {
    return this.part.roles[position] as Role
  }

  besideMessages(): readonly number[] {
    if (this.beside === undefined) {
      const { kinds } = this.part
      const positions: number[] = []
      for (let position = 0; position < kinds.length; position++) {
        if (kinds[position] !== Kind.message) positions.push(position)
      }
      this.beside = positions
    }
    return this.beside
  }

  findKept(id: string, below: number): number | undefined {
    if (this.isWhole) return this.all.look().findKept(id, below)
    this.isMissed = true
    return undefined
  }

  missBefore(kind: Kind): void {
    if (this.part.leftOut.has(kind)) this.isMissed = true
  }

  widen(from: number): boolean {
    // At the first of the last entries something that rules from afar may end, and what lies between is not here.
    if (this.isWhole || (from > this.part.start && !this.isMissed)) return false
    this.isMissed = false
    this.size *= WIDER
    const isLarge = this.size > largePart(this.tree.ids.count)
    const wider = this.all.isSeen || isLarge ? undefined : readPart(this.tree, this.leaf, this.size)
    this.part = wider ?? partOf(this.all.look())
    this.beside = undefined
    return true
  }

  whole(): LinePath {
    return this.isWhole ? this : this.all.look()
  }
}

/** The whole path to a leaf: one for all that are built on its end, as long as the tree is as it was saved. */
class WholePath implements Unseen {
  private readonly tree: Tree
  private readonly leaf: number
  private seen: TreePath | undefined

  constructor(tree: Tree, leaf: number) {
    this.tree = tree
    this.leaf = leaf
    tree.showBeforeChange(leaf, this)
  }

  get isSeen(): boolean {
    return this.seen !== undefined
  }

  /** When somebody asks, or before the tree changes: a line says of its nodes what held when it was built. */
  look(): TreePath {
    if (this.seen === undefined) {
      const path = linePath(this.tree, this.leaf)
      path.keepFlags()
      this.seen = path
    }
    return this.seen
  }
}

/** Some entries of a path, root first. All from `start` on are there, before it only those that rule from afar. */
interface Part {
  readonly refs: Int32Array
  readonly kinds: Uint8Array
  readonly roles: Uint8Array
  readonly flags: Uint8Array
  readonly start: number
  readonly isWhole: boolean
  /** Kinds of which there are more before `start`. */
  readonly leftOut: ReadonlySet<Kind>
}

const NOTHING: Above = { found: [], leftOut: new Set() }

function partOf(path: TreePath): Part {
  const { refs, flags, length } = path
  const kinds = Uint8Array.from({ length }, (_, position) => path.kindAt(position))
  const roles = Uint8Array.from({ length }, (_, position) => path.roleAt(position))
  return { refs, kinds, roles, flags, start: 0, isWhole: true, leftOut: NOTHING.leftOut }
}

/** Nothing when what stands above is not known by landmarks. */
function readPart(tree: Tree, leaf: number, size: number): Part | undefined {
  const { pages } = tree
  if (pages === undefined) return undefined
  const walk = walkUp(pages.entries, leaf, size)
  if (walk === undefined) return undefined
  const { topmost, last } = walk
  const isWhole = topmost === undefined
  const above = isWhole ? NOTHING : pages.landmarks().above(topmost)
  if (above === undefined) return undefined
  const start = above.found.length
  const length = start + last.length
  const part = {
    refs: new Int32Array(length),
    kinds: new Uint8Array(length),
    roles: new Uint8Array(length),
    flags: new Uint8Array(length),
    start,
    isWhole,
    leftOut: above.leftOut,
  }
  for (let position = 0; position < start; position++) {
    const { ref, kind, role, flags } = above.found[position]!
    part.refs[position] = ref
    part.kinds[position] = kind
    part.roles[position] = role
    part.flags[position] = flags
  }
  let block = pages.entries.blockOf(leaf)
  for (let position = length - 1, i = 0; i < last.length; position--, i++) {
    const ref = last[i]!
    if (ref < block.start || ref >= block.end) block = pages.entries.blockOf(ref)
    const at = ref - block.start
    part.refs[position] = ref
    part.kinds[position] = block.kinds[at]!
    part.roles[position] = block.roles[at]!
    part.flags[position] = block.flags[at]!
  }
  return part
}

interface Walk {
  /** The leaf first. */
  readonly last: readonly number[]
  /** The last of them that rules a path from afar; nothing when the walk came to the root. */
  readonly topmost: number | undefined
  /** Of one that came to the root: not to the top of a part that was cut off. */
  readonly isAttached: boolean
}

/**
 * At least `size` entries up from a leaf, and on to one that rules the path, from where what is above is known. As
 * `plainLine`: nothing where an edit has touched the path. Nothing, too, when that takes long.
 */
function walkUp(entries: EntryPages, leaf: number, size: number): Walk | undefined {
  const { count } = entries
  const last: number[] = []
  let topmost: number | undefined
  let block = entries.blockOf(leaf)
  let node = ownerOf(entries, leaf)
  let left = Math.max(size, largePart(count))
  for (let ref = leaf; ref > ROOT; left--) {
    if (ref < block.start || ref >= block.end) block = entries.blockOf(ref)
    const at = ref - block.start
    const flags = block.flags[at]!
    const kind = block.kinds[at]! as Kind
    const above = block.rawParents[at]!
    if (above < ROOT || above >= count) entries.refuse('a parent out of range')
    const isNode = (flags & Flag.node) !== 0
    if (isNode) {
      if (ref !== node || (flags & Flag.copy) !== 0) return undefined
      node = block.parents[at]!
    } else if ((flags & Flag.known) === 0) break
    else if (!entries.isInItsPlace(ref, kind, above)) return undefined
    if (isNode || placeOf(kind) === 'path') {
      // The node below it hangs elsewhere.
      if (!isNode && block.parents[at] !== node) return undefined
      last.push(ref)
      if (kind !== Kind.message && rulesPath(kind)) topmost = ref
      if (last.length >= size && topmost !== undefined) return { last, topmost, isAttached: false }
    }
    if (left <= 0) return undefined
    ref = above
  }
  return node > ROOT ? undefined : { last, topmost: undefined, isAttached: node === ROOT }
}

function largePart(count: number): number {
  return Math.max(MIN_LARGE, count * LARGE_PART)
}

function ownerOf(entries: EntryPages, ref: number): number {
  const flags = entries.flagsOf(ref)
  if ((flags & Flag.node) !== 0) return ref
  return (flags & Flag.known) !== 0 ? entries.parentOf(ref) : ROOT
}
