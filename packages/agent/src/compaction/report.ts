import type { LineNode } from '@treeline/core'

/** What a compaction covers. */
export interface CompactionReport {
  readonly nodeId: string
  readonly policy: string
  readonly summary: string
  readonly shortSummary: string
  /** Nodes the summary stands for, in order, without those an earlier summary already stood for. */
  readonly coveredIds: readonly string[]
  /** Nodes still sent as they are. */
  readonly keptIds: readonly string[]
  /** Pinned nodes among the covered: sent verbatim as notes. */
  readonly pinnedIds: readonly string[]
  /** Nodes of the covered stretch that were not sent before either (muted, failed …): the summary does not stand for them. */
  readonly leftOut: readonly Extract<LineNode, { readonly in: false }>[]
  /** The earlier compaction whose summary this one takes over. */
  readonly previousId?: string
  /** True when the cut is inside a turn. */
  readonly splitsTurn: boolean
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly readFiles: readonly string[]
  readonly modifiedFiles: readonly string[]
}
