/** Something a reader had to cope with. Reported, never fatal, and never a reason to hide good entries (I3, G1). */
export type TreeProblem =
  /** The same id on several lines: the last one counts, for edits the first. */
  | { readonly type: 'duplicate_id'; readonly id: string; readonly lines: readonly number[] }
  /** The parent is not in the log; the entry is shown as a root. */
  | { readonly type: 'orphan'; readonly id: string; readonly parentId: string; readonly line: number }
  | { readonly type: 'self_parent'; readonly id: string; readonly line: number }
  /** A ring of parents, cut at its first line, which is shown as a root. */
  | { readonly type: 'cycle'; readonly id: string; readonly line: number; readonly length: number }
  /** An edit that no longer fits the tree; it was left out as a whole. */
  | { readonly type: 'edit_failed'; readonly id: string; readonly line: number; readonly reason: string }
