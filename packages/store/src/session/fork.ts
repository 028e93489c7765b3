import {
  type EditRequestOp,
  Flag,
  Kind,
  LOG_VERSION,
  linePath,
  NOWHERE,
  placeOf,
  ROOT,
  runUp,
  type Tree,
  TreelineError,
  treeReadsBody,
} from '@treeline/core'
import { listOperations, markEdited } from './fork-operations.ts'
import { KeptFinder } from './kept-finder.ts'

export interface ForkOptions {
  /**
   * `path`: from the root to the leaf, what a person sees of it. `subtree`: everything below a node. `whole`: every line
   * as it is.
   */
  readonly how?: 'path' | 'subtree' | 'whole' | undefined
  /** The end of the path, or the top of the subtree; the source's leaf by default. */
  readonly nodeId?: string | null | undefined
  /** The project the fork belongs to; the source's by default. */
  readonly cwd?: string | undefined
  readonly id?: string | undefined
  readonly title?: string | undefined
  /** When the conversation began, ISO 8601; now by default. */
  readonly createdAt?: string | undefined
  /** Opaque lineage (S5); the source's id by default. */
  readonly parentSession?: string | undefined
  /**
   * Told of all that the fork does without: entries whose bytes cannot be read, effects of edits that cannot be said
   * again, and blobs that are not found or not what they should be. What hung under such an entry hangs under the nearest
   * one above it; a line goes on naming such a blob.
   */
  readonly onLeftOut?: ((problem: TreelineError) => void) | undefined
}

/** What a fork takes over: entries with the parents they will have, and the edits that still matter to them. */
export interface ForkPlan extends ForkedLines {
  /** Those that others come before although they hang under them. */
  readonly late: ForkedLines
  /** By compaction. */
  readonly finders: ReadonlyMap<number, KeptFinder>
  readonly operations: readonly EditRequestOp[]
}
/** Entries by their place in the fork, which may be hundreds of thousands: columns, and no object for each. */
export interface ForkedLines {
  readonly refs: Int32Array
  /** Where the body is. */
  readonly rows: Int32Array
  /** What they hang under in the fork; of those only whose line says something else, or nothing. */
  readonly parents: Map<number, string | null>
  /** 1 where the line can be taken as it is when its checksum holds. */
  readonly isPlain: Uint8Array
}
export interface Taken {
  readonly ref: number
  readonly row: number
  /** Of the entry in the fork. A copy gets a line of its own here. */
  readonly id: string
  /** `undefined`: the line stays as it is. */
  readonly parentId: string | null | undefined
}

const NO_LINES: ForkedLines = {
  refs: new Int32Array(),
  rows: new Int32Array(),
  parents: new Map(),
  isPlain: new Uint8Array(),
}

export function planFork(tree: Tree, how: 'path' | 'subtree' | 'whole', ref: number): ForkPlan {
  if (how === 'whole') {
    const { kind, hasId } = tree.heads
    const isNew = isOfThisVersion(tree)
    const rows = Int32Array.from({ length: tree.rowCount }, (_, row) => row)
    const isPlain = Uint8Array.from(rows, (row) => hasId[row]! & IS_PLAIN[kind[row]!]! & isNew)
    const lines = { rows, refs: rows.map((row) => tree.refAtRow(row)), parents: new Map(), isPlain }
    return { ...lines, late: findLate(tree, lines), finders: new Map(), operations: [] }
  }
  const isPath = how === 'path'
  const wanted = isPath ? linePath(tree, ref).refs : subtreeRefs(tree, ref)
  const { lines, edited } = takeLines(tree, wanted)
  if (!isPath) setParentsWithin(tree, lines, wanted)
  const late = isPath ? NO_LINES : findLate(tree, lines)
  return { ...lines, late, finders: createFinders(tree, lines), operations: listOperations(tree, edited) }
}

export function takenAt(tree: Tree, { refs, rows, parents }: ForkedLines, place: number): Taken {
  const ref = refs[place]!
  return { ref, row: rows[place]!, id: tree.ids.textOf(ref), parentId: parents.get(place) }
}

export function parentOf(tree: Tree, { row, parentId }: Taken): string | null {
  return parentId === undefined ? idOrNull(tree, tree.columns.rawParent[tree.refAtRow(row)]!) : parentId
}

function selected({ refs, rows, parents, isPlain }: ForkedLines, places: readonly number[]): ForkedLines {
  const moved = places.flatMap((place, at) => (parents.has(place) ? [[at, parents.get(place)!] as const] : []))
  return {
    refs: Int32Array.from(places, (place) => refs[place]!),
    rows: Int32Array.from(places, (place) => rows[place]!),
    parents: new Map(moved),
    isPlain: Uint8Array.from(places, (place) => isPlain[place]!),
  }
}

/** By kind: a compaction names others, and what the tree reads it reads again. */
const IS_PLAIN = Uint8Array.from(Object.values(Kind), (kind) =>
  kind === Kind.compaction || treeReadsBody(kind) ? 0 : 1,
)

/**
 * The lines of what is wanted, each under the one before it, where most of them always hung; and those that edits have
 * marked. One loop over nothing but arrays: it runs before anything is compiled, and each loop would wait for that anew.
 */
function takeLines(tree: Tree, wanted: Int32Array): { lines: ForkedLines; edited: number[] } {
  const { rowOf, rawParent, flags } = tree.columns
  const { kind, hasId } = tree.heads
  const [isEdited, hasCopies] = [markEdited(tree), tree.edits.copies.size > 0]
  const isNew = isOfThisVersion(tree)
  const [refs, rows] = [new Int32Array(wanted.length), new Int32Array(wanted.length)]
  const isPlain = new Uint8Array(wanted.length)
  const parents = new Map<number, string | null>()
  const edited: number[] = []
  let count = 0
  let above = ROOT
  for (let place = 0; place < wanted.length; place++) {
    const ref = wanted[place]!
    const flag = flags[ref]!
    if (isEdited[ref] === 1 || (flag & Flag.muted) !== 0) edited.push(ref)
    const row = hasCopies ? tree.bodyRow(ref) : rowOf[ref]!
    // What is still being generated has no line.
    if (row < 0) continue
    refs[count] = ref
    rows[count] = row
    if (rawParent[ref] !== above || (flag & Flag.copy) !== 0) parents.set(count, idOrNull(tree, above))
    else isPlain[count] = hasId[row]! & IS_PLAIN[kind[row]!]! & isNew
    above = ref
    count++
  }
  const lines = { refs: refs.subarray(0, count), rows: rows.subarray(0, count), isPlain: isPlain.subarray(0, count) }
  return { lines: { ...lines, parents }, edited }
}

function isOfThisVersion(tree: Tree): 0 | 1 {
  return tree.options.version < LOG_VERSION ? 0 : 1
}

/** In a subtree it is always said: a line without a parent hangs under the one before it, which may be another here. */
function setParentsWithin(tree: Tree, { refs, parents, isPlain }: ForkedLines, wanted: Int32Array): void {
  const included = new Set(wanted)
  for (const [place, at] of refs.entries()) parents.set(place, idOrNull(tree, parentWithin(tree, at, included)))
  isPlain.fill(0)
}

/** One for all compactions above each other: from the last up, so that the first of them finds the longest path. */
function createFinders(tree: Tree, { refs, isPlain }: ForkedLines): Map<number, KeptFinder> {
  const { kind } = tree.columns
  const finders = new Map<number, KeptFinder>()
  // Searched by what needs no compiling: of most paths every line is plain but a few.
  for (let place = isPlain.lastIndexOf(0); place >= 0; place = place === 0 ? -1 : isPlain.lastIndexOf(0, place - 1)) {
    const ref = refs[place]!
    if (kind[ref] !== Kind.compaction || finders.has(ref)) continue
    const finder = new KeptFinder(tree, ref)
    for (const at of finder.path.refs) {
      if (kind[at] === Kind.compaction && !finders.has(at)) finders.set(at, finder)
    }
  }
  return finders
}

function findLate(tree: Tree, lines: ForkedLines): ForkedLines {
  const { refs, rows, parents } = lines
  const { rawParent } = tree.columns
  const late = new Set<number>()
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!
    const said = parents.get(place)
    const parent = said === undefined ? rawParent[tree.refAtRow(row)]! : refOf(tree, said)
    if (parent > ROOT && tree.bodyRow(parent) > row) late.add(parent)
  }
  return late.size === 0
    ? NO_LINES
    : selected(
        lines,
        Array.from(refs.keys()).filter((place) => late.has(refs[place]!)),
      )
}

function refOf(tree: Tree, id: string | null): number {
  return id === null ? ROOT : tree.ids.find(id)
}

/** Nodes below and including the top, and the path entries (model changes …) that hang among them, in log order. */
function subtreeRefs(tree: Tree, top: number): Int32Array {
  const { columns } = tree
  if (top === ROOT || columns.parent[columns.topOf(top)] === NOWHERE) {
    throw new TreelineError('node_detached', 'Only a node of the tree can be forked with what is below it.')
  }
  const nodes = new Set(columns.subtree(top))
  const refs = [...nodes]
  for (let row = 0; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    const isPathEntry = !columns.has(ref, Flag.node) && placeOf(columns.kind[ref]! as Kind) === 'path'
    if (isPathEntry && tree.generationNode(ref) === undefined && nodes.has(columns.ownerOf(ref))) refs.push(ref)
  }
  return Int32Array.from(refs.sort((a, b) => tree.bodyRow(a) - tree.bodyRow(b)))
}

/** What an entry hangs under in the fork: what it hung under, or where an edit put it. */
function parentWithin(tree: Tree, ref: number, included: ReadonlySet<number>): number {
  const { columns } = tree
  const owner = columns.has(ref, Flag.node) ? columns.parent[ref]! : columns.ownerOf(columns.rawParent[ref]!)
  const above = [...runUp(tree, columns.rawParent[ref]!)].find((at) => included.has(at))
  if (above !== undefined && columns.ownerOf(above) === owner) return above
  return included.has(owner) ? owner : ROOT
}

function idOrNull(tree: Tree, ref: number): string | null {
  return ref === ROOT ? null : tree.ids.textOf(ref)
}
