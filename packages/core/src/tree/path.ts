import { resized } from '../codec/heads.ts'
import type { PathView } from '../context/path-view.ts'
import { Kind, placeOf, type Role } from '../entry/kind.ts'
import { Flag, ROOT } from './columns.ts'
import type { Tree } from './tree.ts'

/** A path as a line is built on it. */
export interface LinePath extends PathView {
  readonly refs: Int32Array
  /** By position, as they were when this was first asked: others edit while bodies are read. */
  readonly flags: Uint8Array
  /** False where entries are left out that no line needs. */
  readonly isWhole: boolean
  /**
   * Takes in more of the path when what was selected of it, from `from` on, may be another part than of the whole path.
   * True when it did: positions are others then, and have to be selected again.
   */
  widen(from: number): boolean
  whole(): LinePath
}

/** A path as refs, root first, seen through the heads. */
export class TreePath implements LinePath {
  readonly refs: Int32Array
  readonly isWhole = true
  private readonly tree: Tree
  /** Looked at for every position: taken from the tree once. They keep what they hold when the tree grows. */
  private readonly kinds: Uint8Array
  private beside: readonly number[] | undefined
  private kept: Uint8Array | undefined

  constructor(tree: Tree, refs: Int32Array) {
    this.tree = tree
    this.refs = refs
    this.kinds = tree.columns.kind
  }

  get length(): number {
    return this.refs.length
  }

  idAt(position: number): string {
    return this.tree.ids.textOf(this.refs[position]!)
  }

  kindAt(position: number): Kind {
    return this.kinds[this.refs[position]!] as Kind
  }

  get flags(): Uint8Array {
    return this.keepFlags()
  }

  keepFlags(): Uint8Array {
    this.kept ??= flagsOf(this.tree.columns.flags, this.refs)
    return this.kept
  }

  widen(): boolean {
    return false
  }

  whole(): TreePath {
    return this
  }

  besideMessages(): readonly number[] {
    this.beside ??= listOthers(this.refs, this.kinds)
    return this.beside
  }

  /**
   * What a compaction keeps was counted along the path it was written under. After edits it begins at the first entry of that stretch
   * that is still above the compaction, itself or as a copy: deleting one kept node does not lose the others.
   */
  findKept(id: string, below: number): number | undefined {
    const { columns, ids, edits } = this.tree
    const origin = (ref: number) => edits.copies.get(ref)?.body ?? ref
    const first = origin(ids.find(id))
    const kept = new Set<number>()
    for (let at = origin(this.refs[below]!); at !== first; at = origin(this.tree.above(at))) {
      if (at === ROOT || !columns.has(at, Flag.known) || kept.has(at)) return undefined
      kept.add(at)
    }
    kept.add(first)
    const found = this.refs.findIndex((ref) => kept.has(origin(ref)))
    return found < below ? found : undefined
  }

  roleAt(position: number): Role {
    return this.tree.columns.role[this.refs[position]!] as Role
  }
}

/** A loop over nothing but arrays: it is done before anything is compiled, once for a path. */
function listOthers(refs: Int32Array, kinds: Uint8Array): number[] {
  const positions: number[] = []
  for (let position = 0; position < refs.length; position++) {
    if (kinds[refs[position]!] !== Kind.message) positions.push(position)
  }
  return positions
}

function flagsOf(flags: Uint8Array, refs: Int32Array): Uint8Array {
  const found = new Uint8Array(refs.length)
  for (let position = 0; position < refs.length; position++) found[position] = flags[refs[position]!]!
  return found
}

/** The path as stored, edits or not: what `context` reads and what other tools see (S22). */
export function storedPath(tree: Tree, ref: number): TreePath {
  const { columns } = tree
  const refs: number[] = []
  for (let at = ref; at !== ROOT && columns.has(at, Flag.known); at = columns.rawParent[at]!) refs.push(at)
  return new TreePath(tree, Int32Array.from(refs.reverse()))
}

/** The nodes from the root to a leaf after all edits: the trunk, when the leaf is the active one. */
export function nodePath(tree: Tree, ref: number): number[] {
  return Array.from(trunkOf(tree, ref))
}

/** Two walks and no list that grows: a trunk may be a million nodes long. */
function trunkOf(tree: Tree, ref: number): Int32Array {
  const { parent } = tree.columns
  const node = tree.columns.ownerOf(ref)
  let length = 0
  for (let at = node; at > ROOT; at = parent[at]!) length++
  const refs = new Int32Array(length)
  for (let at = node; at > ROOT; at = parent[at]!) refs[--length] = at
  return refs
}

/**
 * The trunk with what acts on it: before each node the path entries (model changes, resets …) that stood above it when it
 * was written; they move along when the node is grafted. Last, those between the leaf's node and the leaf.
 */
export function linePath(tree: Tree, leaf: number): TreePath {
  return new TreePath(tree, plainLine(tree, leaf) ?? editedLine(tree, leaf))
}

/**
 * For a path no edit has changed: each node hangs under what it was written under. One walk up and no list that grows,
 * because a trunk may be a million nodes long. Nothing when it is not as plain as that.
 */
function plainLine(tree: Tree, leaf: number): Int32Array | undefined {
  const { flags, kind, rawParent, parent } = tree.columns
  // Filled from the end. Memory that is never touched costs nothing.
  const refs = new Int32Array(tree.ids.count)
  let place = refs.length
  let node = tree.columns.ownerOf(leaf)
  for (let at = leaf; at > ROOT; at = rawParent[at]!) {
    const flag = flags[at]!
    if ((flag & Flag.node) !== 0) {
      if (at !== node || (flag & Flag.copy) !== 0) return undefined
      node = parent[at]!
    } else if ((flag & Flag.known) === 0) break
    else if (placeOf(kind[at]! as Kind) !== 'path') {
      if (tree.above(at) !== rawParent[at]) return undefined
      continue
    } else if (tree.generationNode(at) !== undefined) return undefined
    refs[--place] = at
  }
  return node > ROOT ? undefined : refs.subarray(place)
}

function editedLine(tree: Tree, leaf: number): Int32Array {
  const { flags, rawParent } = tree.columns
  const { copies } = tree.edits
  const nodes = trunkOf(tree, leaf)
  const refs = new RefList(nodes.length + 64)
  // Nodes that were written under the same path entries and now follow each other have them once.
  const seen = new Set<number>()
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!
    const above = rawParent[copies.size === 0 ? node : (copies.get(node)?.body ?? node)]!
    if ((flags[above]! & Flag.node) === 0) pushRunUp(tree, above, refs, seen)
    refs.push(node)
  }
  if (leaf !== nodes.at(-1)) pushRunUp(tree, leaf, refs, seen)
  return refs.all()
}

/** Class: it owns an array that grows. */
class RefList {
  length = 0
  private refs: Int32Array

  constructor(capacity: number) {
    this.refs = new Int32Array(capacity)
  }

  push(ref: number): void {
    if (this.length === this.refs.length) this.refs = resized(this.refs, this.length * 2)
    this.refs[this.length++] = ref
  }

  /** Turns the order of those from `start` on. */
  reverseFrom(start: number): void {
    this.refs.subarray(start, this.length).reverse()
  }

  all(): Int32Array {
    return this.refs.subarray(0, this.length)
  }
}

/**
 * What stands between an entry and the next node above it, the entry first: path entries, edits, labels. Ends after one
 * that is not in the log, and where a hostile edit went to what hangs under it.
 */
export function* runUp(tree: Tree, from: number): Generator<number> {
  const { columns } = tree
  const passed = new Set<number>()
  for (let at = from; at !== ROOT && !columns.has(at, Flag.node) && !passed.has(at); at = tree.above(at)) {
    yield at
    if (!columns.has(at, Flag.known)) return
    passed.add(at)
  }
}

/** Adds the path entries from `from` up to the next node, topmost first. */
function pushRunUp(tree: Tree, from: number, refs: RefList, seen: Set<number>): void {
  const { columns } = tree
  const start = refs.length
  for (const at of runUp(tree, from)) {
    if (!columns.has(at, Flag.known) || tree.generationNode(at) !== undefined || seen.has(at)) break
    seen.add(at)
    if (placeOf(columns.kind[at]! as Kind) === 'path') refs.push(at)
  }
  if (refs.length > start + 1) refs.reverseFrom(start)
}

/** The deepest node above both, ROOT when they share none. */
export function commonAncestor(tree: Tree, left: number, right: number): number {
  const { columns } = tree
  let [a, b] = [columns.ownerOf(left), columns.ownerOf(right)]
  for (let surplus = depthOf(tree, a) - depthOf(tree, b); surplus !== 0; surplus += surplus > 0 ? -1 : 1) {
    if (surplus > 0) a = columns.parent[a]!
    else b = columns.parent[b]!
  }
  while (a !== b && a > ROOT && b > ROOT) {
    a = columns.parent[a]!
    b = columns.parent[b]!
  }
  return a === b ? Math.max(ROOT, a) : ROOT
}

function depthOf(tree: Tree, ref: number): number {
  let depth = 0
  for (let at = ref; at > ROOT; at = tree.columns.parent[at]!) depth++
  return depth
}
