import type { Heads } from '../codec/heads.ts'
import { EditState } from '../edit/state.ts'
import { Columns, ROOT } from './columns.ts'
import type { EntryPages } from './entry-pages.ts'
import { IdTable } from './id-table.ts'
import type { Landmarks } from './landmarks.ts'
import type { TreeProblem } from './problem.ts'
import type { RowPages } from './row-pages.ts'

/** Single entries of a saved tree as they were saved, without loading the others. */
export interface SavedPages {
  readonly entries: EntryPages
  readonly rows: RowPages
  readonly landmarks: () => Landmarks
}

/** All that a tree holds beside its heads: what a snapshot saves and gives back. */
export interface TreeParts {
  readonly ids: IdTable
  readonly columns: Columns
  /** The ref of each row taken in; may be longer than there are rows. */
  readonly refOfRow: Int32Array
  readonly edits: EditState
  readonly leaf: number
  readonly trouble: readonly TreeProblem[]
  /** Announced node → its generation, where that is not the ref before it, as it nearly always is. */
  readonly farGenerations: ReadonlyMap<number, number>
  /**
   * Entries whose line names another parent than they were read with: one in a ring or under itself has none, and an answer
   * stays where it was announced. A later line of theirs may say otherwise.
   */
  readonly cut: ReadonlySet<number>
  readonly pages?: SavedPages | undefined
}

export function emptyParts(heads: Heads): TreeParts {
  return {
    ids: new IdTable(heads.count + 1),
    columns: new Columns(Math.max(1024, heads.count + 1)),
    refOfRow: new Int32Array(Math.max(1024, heads.count)),
    edits: new EditState(),
    leaf: ROOT,
    trouble: [],
    farGenerations: new Map(),
    cut: new Set(),
  }
}
