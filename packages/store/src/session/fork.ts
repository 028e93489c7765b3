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
import { type Label, labelsAlone, listOperations, markEdited } from './fork-operations.ts'
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
  /** The operations once more, of a path with no others but these. */
  readonly labels: readonly Label[] | undefined
  /** Where a path ends; `undefined` of what is none. */
  readonly leafId: string | null | undefined
}

/** Entries in the order of the fork, in runs: there may be hundreds of thousands, and most follow each other here as there. */
export interface ForkedLines {
  /** Of each run, the row of the first body, how many rows follow each other, and the first entry. */
  readonly rows: readonly number[]
  readonly counts: readonly number[]
  readonly refs: readonly number[]
  /** By run, 1 where the lines can be taken as they are when their checksums hold. All other runs are single lines. */
  readonly isPlain: readonly number[]
  /** By ref, what an entry hangs under in the fork; of those only whose line says something else, or nothing. */
  readonly parents: ReadonlyMap<number, string | null>
  /** Rows in plain runs of which nothing but the parent is another, in the order of the fork. */
  readonly moved: readonly number[]
}

export interface Taken {
  readonly ref: number
  readonly row: number
  /** Of the entry in the fork. A copy gets a line of its own here. */
  readonly id: string
  /** `undefined`: the line stays as it is. */
  readonly parentId: string | null | undefined
}

export function planFork(tree: Tree, how: 'path' | 'subtree' | 'whole', ref: number): ForkPlan {
  const edited: number[] = []
  const lines = takeLines(tree, how, ref, edited)
  const late = how === 'path' ? new ForkRuns() : findLate(tree, lines)
  const operations = how === 'whole' ? [] : listOperations(tree, edited)
  const finders = how === 'whole' ? new Map<number, KeptFinder>() : createFinders(tree, lines)
  const isPath = how === 'path'
  const labels = isPath ? labelsAlone(tree, operations) : undefined
  return { ...lines, late, finders, operations, labels, leafId: isPath ? lastId(tree, lines) : undefined }
}

function takeLines(tree: Tree, how: 'path' | 'subtree' | 'whole', ref: number, edited: number[]): ForkRuns {
  if (how === 'whole') return takeWhole(tree)
  return how === 'path' ? takePath(tree, linePath(tree, ref).refs, edited) : takeSubtree(tree, ref, edited)
}

function lastId(tree: Tree, lines: ForkedLines): string | null {
  const run = lines.rows.length - 1
  return run < 0 ? null : takenAt(tree, lines, run, lines.rows[run]! + lines.counts[run]! - 1).id
}

/** How many lines there are. */
export function countLines({ counts }: ForkedLines): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Of a row in a run. */
export function takenAt(tree: Tree, { refs, counts, parents }: ForkedLines, run: number, row: number): Taken {
  // A copy is alone in its run, and its row is that of another entry.
  const ref = counts[run] === 1 ? refs[run]! : tree.refAtRow(row)
  return { ref, row, id: tree.ids.textOf(ref), parentId: parents.get(ref) }
}

export function parentOf(tree: Tree, { row, parentId }: Taken): string | null {
  return parentId === undefined ? idOrNull(tree, tree.columns.rawParent[tree.refAtRow(row)]!) : parentId
}

/** Class: it owns lists that grow. */
class ForkRuns implements ForkedLines {
  readonly rows: number[] = []
  readonly counts: number[] = []
  readonly refs: number[] = []
  readonly isPlain: number[] = []
  readonly parents = new Map<number, string | null>()
  readonly moved: number[] = []

  add(ref: number, row: number, count: number, isPlain: boolean): void {
    this.refs.push(ref)
    this.rows.push(row)
    this.counts.push(count)
    this.isPlain.push(isPlain ? 1 : 0)
  }

  /** Lines to be taken as they are, if there are any from the first row to the end. */
  addRun(tree: Tree, first: number, end: number): void {
    if (first < end) this.add(tree.refAtRow(first), first, end - first, true)
  }
}

/** By kind: a compaction names others, and what the tree reads it reads again. */
const IS_PLAIN = Uint8Array.from(Object.values(Kind), (kind) =>
  kind === Kind.compaction || treeReadsBody(kind) ? 0 : 1,
)
/** What most nodes are flagged as, and no other. */
const USUAL = Flag.known | Flag.node

/**
 * The lines of a path, each under the one before it, where most of them always hung; and those that edits have marked.
 * One loop over nothing but arrays, which goes on at once with what is as usual: it runs before anything is compiled.
 */
function takePath(tree: Tree, wanted: Int32Array, edited: number[]): ForkRuns {
  const { rowOf, rawParent, flags, kind } = tree.columns
  const { hasId } = tree.heads
  const marked = markEdited(tree)
  const runs = new ForkRuns()
  const isNew = isOfThisVersion(tree)
  let above = ROOT
  // The run that is open: its first row, and the one that would go on with it.
  let [first, next] = [-1, -1]
  for (let place = 0; place < wanted.length; place++) {
    const ref = wanted[place]!
    const isUsual = marked[ref] === USUAL && kind[ref] === Kind.message && rawParent[ref] === above
    if (isUsual && rowOf[ref] === next && hasId[next] === 1) {
      next++
      above = ref
      continue
    }
    const flag = flags[ref]!
    if (marked[ref] !== flag || (flag & Flag.muted) !== 0) edited.push(ref)
    const row = tree.bodyRow(ref)
    // What is still being generated has no line.
    if (row < 0) continue
    const isCopy = (flag & Flag.copy) !== 0
    const isMoved = rawParent[ref] !== above || isCopy
    if (isMoved) runs.parents.set(ref, idOrNull(tree, above))
    const isPlain = isNew && hasId[row] === 1 && IS_PLAIN[kind[ref]!] === 1 && !isCopy
    if (isPlain && (!isMoved || kind[ref] === Kind.message)) {
      if (row !== next) {
        runs.addRun(tree, first, next)
        first = row
      }
      if (isMoved) runs.moved.push(row)
      next = row + 1
    } else {
      runs.addRun(tree, first, next)
      runs.add(ref, row, 1, false)
      first = -1
      next = -1
    }
    above = ref
  }
  runs.addRun(tree, first, next)
  return runs
}

function takeWhole(tree: Tree): ForkRuns {
  const { kind, hasId } = tree.heads
  const isNew = isOfThisVersion(tree)
  const runs = new ForkRuns()
  const isPlain = (row: number): boolean => isNew && hasId[row] === 1 && IS_PLAIN[kind[row]!] === 1
  for (let row = 0; row < tree.rowCount; ) {
    let end = row
    while (end < tree.rowCount && isPlain(end)) end++
    runs.addRun(tree, row, end)
    if (end < tree.rowCount) runs.add(tree.refAtRow(end), end, 1, false)
    row = end + 1
  }
  return runs
}

/** The parent is always said: a line without one hangs under the one before it, which may be another here. */
function takeSubtree(tree: Tree, top: number, edited: number[]): ForkRuns {
  const { flags } = tree.columns
  const wanted = subtreeRefs(tree, top)
  const included = new Set(wanted)
  const marked = markEdited(tree)
  const runs = new ForkRuns()
  for (const ref of wanted) {
    if (marked[ref] !== flags[ref] || (flags[ref]! & Flag.muted) !== 0) edited.push(ref)
    const row = tree.bodyRow(ref)
    if (row < 0) continue
    runs.add(ref, row, 1, false)
    runs.parents.set(ref, idOrNull(tree, parentWithin(tree, ref, included)))
  }
  return runs
}

function isOfThisVersion(tree: Tree): boolean {
  return tree.options.version >= LOG_VERSION
}

/** One for all compactions above each other: from the last up, so that the first of them finds the longest path. */
function createFinders(tree: Tree, { refs, isPlain }: ForkedLines): Map<number, KeptFinder> {
  const { kind } = tree.columns
  const finders = new Map<number, KeptFinder>()
  for (let run = refs.length - 1; run >= 0; run--) {
    const ref = refs[run]!
    if (isPlain[run] === 1 || kind[ref] !== Kind.compaction || finders.has(ref)) continue
    const finder = new KeptFinder(tree, ref)
    for (const at of finder.path.refs) {
      if (kind[at] === Kind.compaction && !finders.has(at)) finders.set(at, finder)
    }
  }
  return finders
}

function findLate(tree: Tree, lines: ForkedLines): ForkedLines {
  const { rawParent } = tree.columns
  const late = new Set<number>()
  eachLine(tree, lines, (ref, row) => {
    const said = lines.parents.get(ref)
    const parent = said === undefined ? rawParent[tree.refAtRow(row)]! : refOf(tree, said)
    if (parent > ROOT && tree.bodyRow(parent) > row) late.add(parent)
  })
  const found = new ForkRuns()
  if (late.size === 0) return found
  eachLine(tree, lines, (ref, row) => {
    if (!late.has(ref)) return
    found.add(ref, row, 1, false)
    if (lines.parents.has(ref)) found.parents.set(ref, lines.parents.get(ref)!)
  })
  return found
}

function eachLine(tree: Tree, { refs, rows, counts }: ForkedLines, take: (ref: number, row: number) => void): void {
  for (let run = 0; run < rows.length; run++) {
    const end = rows[run]! + counts[run]!
    for (let row = rows[run]!; row < end; row++) take(counts[run] === 1 ? refs[run]! : tree.refAtRow(row), row)
  }
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
