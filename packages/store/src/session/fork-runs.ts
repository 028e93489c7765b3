import { Kind, LOG_VERSION, ROOT, type Tree, treeReadsBody } from '@treeline/core'

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
export class ForkRuns implements ForkedLines {
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
export const IS_PLAIN = Uint8Array.from(Object.values(Kind), (kind) =>
  kind === Kind.compaction || treeReadsBody(kind) ? 0 : 1,
)

export function isOfThisVersion(tree: Tree): boolean {
  return tree.options.version >= LOG_VERSION
}

export function idOrNull(tree: Tree, ref: number): string | null {
  return ref === ROOT ? null : tree.ids.textOf(ref)
}
