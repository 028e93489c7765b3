import { type EditRequestOp, Kind, ROOT, type Tree, type TreelineError } from '@treeline/core'
import { type Label, labelsAlone, listOperations } from './fork-operations.ts'
import { takePath } from './fork-path.ts'
import { type ForkedLines, ForkRuns, IS_PLAIN, isOfThisVersion, takenAt } from './fork-runs.ts'
import { listPlaces, takeSubtree } from './fork-subtree.ts'
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

/** `ref` is the end of a path or the top of a subtree, `leaf` where the source goes on. */
export function planFork(tree: Tree, how: 'path' | 'subtree' | 'whole', ref: number, leaf: number): ForkPlan {
  const edited: number[] = []
  const lines = takeLines(tree, how, ref, edited)
  const late = how === 'path' ? new ForkRuns() : findLate(tree, lines)
  const operations = how === 'whole' ? [] : listOperations(tree, edited)
  if (how === 'subtree') operations.push(...listPlaces(tree, ref, lines, leaf))
  const finders = how === 'whole' ? new Map<number, KeptFinder>() : createFinders(tree, lines)
  const isPath = how === 'path'
  const labels = isPath ? labelsAlone(tree, edited, operations) : undefined
  return { ...lines, late, finders, operations, labels, leafId: isPath ? lastId(tree, lines) : undefined }
}

function takeLines(tree: Tree, how: 'path' | 'subtree' | 'whole', ref: number, edited: number[]): ForkRuns {
  if (how === 'whole') return takeWhole(tree)
  return how === 'path' ? takePath(tree, ref, edited) : takeSubtree(tree, ref, edited)
}

function lastId(tree: Tree, lines: ForkedLines): string | null {
  const run = lines.rows.length - 1
  return run < 0 ? null : takenAt(tree, lines, run, lines.rows[run]! + lines.counts[run]! - 1).id
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
