import { rulesPath } from '../context/state.ts'
import { type Kind, placeOf, type Role } from '../entry/kind.ts'
import { Flag, ROOT } from './columns.ts'
import type { EntryPages } from './entry-pages.ts'
import { type LinePath, linePath, type TreePath } from './path.ts'
import type { Tree } from './tree.ts'

/** Entries taken in at first, and how many times as many whenever that is not enough. */
const FIRST_SIZE = 512
const WIDER = 4
/** Of a smaller log, and of a larger part of a log than this, the whole is as soon looked at. */
const MIN_ENTRIES = 8192
const LARGE_PART = 16

/** What a line is built on: of a long path that is saved, its end; else the whole of it. */
export function lineEnd(tree: Tree, leaf: number): LinePath {
  return (tree.ids.count < MIN_ENTRIES ? undefined : PathEnd.find(tree, leaf)) ?? linePath(tree, leaf)
}

/**
 * The end of a line's path in a saved tree, read by pages: its last entries, and before them those of all others that
 * rule it from afar. What is selected of it is what would be of the whole path, once it reaches up to there (`widen`).
 */
export class PathEnd implements LinePath {
  private readonly tree: Tree
  private readonly leaf: number
  private size: number
  private part: Part
  /** The entry a compaction keeps first is not among those known. */
  private isMissed = false
  private seen: TreePath | undefined

  private constructor(tree: Tree, leaf: number, size: number, part: Part) {
    this.tree = tree
    this.leaf = leaf
    this.size = size
    this.part = part
    tree.showBeforeChange(this)
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

  findKept(id: string, below: number): number | undefined {
    if (this.isWhole) return this.path().findKept(id, below)
    this.isMissed = true
    return undefined
  }

  widen(from: number): boolean {
    // At the first of the last entries something that rules from afar may end, and what lies between is not here.
    if (this.isWhole || (from > this.part.start && !this.isMissed)) return false
    this.isMissed = false
    this.size *= WIDER
    const isLarge = this.size > this.tree.ids.count / LARGE_PART
    const wider = this.seen !== undefined || isLarge ? undefined : readPart(this.tree, this.leaf, this.size)
    this.part = wider ?? partOf(this.path())
    return true
  }

  whole(): LinePath {
    return this.isWhole ? this : this.path()
  }

  /** Before the tree changes: a line says of its nodes what held when it was built. */
  look(): void {
    this.path()
  }

  private path(): TreePath {
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
}

function partOf(path: TreePath): Part {
  const { refs, flags, length } = path
  const kinds = Uint8Array.from({ length }, (_, position) => path.kindAt(position))
  const roles = Uint8Array.from({ length }, (_, position) => path.roleAt(position))
  return { refs, kinds, roles, flags, start: 0, isWhole: true }
}

/** Nothing when no edit-free way up is saved for what stands above. */
function readPart(tree: Tree, leaf: number, size: number): Part | undefined {
  const { pages } = tree
  if (pages === undefined) return undefined
  const { entries } = pages
  const walk = walkUp(entries, leaf, size)
  if (walk === undefined) return undefined
  const { refs: last, topmost } = walk
  const isWhole = topmost === undefined
  const above = isWhole ? [] : pages.landmarks().above(topmost)
  if (above === undefined) return undefined
  const start = above.length
  const refs = new Int32Array(start + last.length)
  const [kinds, roles, flags] = [new Uint8Array(refs.length), new Uint8Array(refs.length), new Uint8Array(refs.length)]
  for (const [position, landmark] of above.entries()) {
    refs[position] = landmark.ref
    kinds[position] = landmark.kind
    roles[position] = landmark.role
    flags[position] = landmark.flags
  }
  for (let position = refs.length - 1, i = 0; i < last.length; position--, i++) {
    const ref = last[i]!
    refs[position] = ref
    kinds[position] = entries.kindOf(ref)
    roles[position] = entries.roleOf(ref)
    flags[position] = entries.flagsOf(ref)
  }
  return { refs, kinds, roles, flags, start, isWhole }
}

interface Walk {
  /** The leaf first. */
  readonly refs: readonly number[]
  /** The last of them that rules a path from afar; nothing when the walk came to the root. */
  readonly topmost: number | undefined
}

/**
 * At least `size` entries up from a leaf, and on to one that rules the path, from where what is above is known. As
 * `plainLine`: nothing where an edit has touched the path, or when it takes too long.
 */
function walkUp(entries: EntryPages, leaf: number, size: number): Walk | undefined {
  const max = Math.max(size, entries.count / LARGE_PART)
  const refs: number[] = []
  let topmost: number | undefined
  let node = ownerOf(entries, leaf)
  let steps = 0
  for (let at = leaf; at > ROOT; at = entries.rawParentOf(at)) {
    const flags = entries.flagsOf(at)
    const kind = entries.kindOf(at)
    if (++steps > max) return undefined
    if ((flags & Flag.node) !== 0) {
      if (at !== node || (flags & Flag.copy) !== 0) return undefined
      node = entries.parentOf(at)
    } else if ((flags & Flag.known) === 0) break
    else {
      if (!entries.isInItsPlace(at)) return undefined
      if (placeOf(kind) !== 'path') continue
    }
    refs.push(at)
    if (rulesPath(kind)) topmost = at
    if (refs.length >= size && topmost !== undefined) return { refs, topmost }
  }
  return node > ROOT ? undefined : { refs, topmost: undefined }
}

function ownerOf(entries: EntryPages, ref: number): number {
  if (entries.has(ref, Flag.node)) return ref
  return entries.has(ref, Flag.known) ? entries.parentOf(ref) : ROOT
}
