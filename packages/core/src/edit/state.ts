import { Deferred } from '../codec/deferred.ts'
import type { EditOp } from './op.ts'

/** A fragment in the stash, by the ref of its top. */
export interface FragmentState {
  readonly fromParent: number
  readonly fromIndex: number
  readonly at: string
  readonly opId: string
}

/** What restore needs to know of a deleted node. */
export interface DeletedState {
  readonly parent: number
  readonly index: number
  /** Set when the node was the top of a fragment. */
  readonly fragment?: FragmentState
  /** Children that took its place when it was spliced out. */
  readonly adopted?: readonly number[]
}

/** A node made by a copying graft. */
export interface CopyState {
  /** The node it was copied from, and the one whose line holds the body (they differ for a copy of a copy). */
  readonly original: number
  readonly body: number
  /** The edit that made it, which stands for it on disk. */
  readonly anchorId: string
  /** The line that made it. */
  readonly line: number
}

/** A taken-away copy: its nodes, parents first, as they hung under each other then. */
export interface UncopiedState {
  readonly ref: number
  readonly parent: number
  readonly copy: CopyState
  readonly flags: number
  readonly meta: Map<string, unknown> | undefined
}

/** One edit, label or name line as undo sees it. */
export interface EditRecord {
  readonly id: string
  readonly line: number
  readonly by: string | undefined
  readonly undoes: string | undefined
  readonly auto: boolean
  readonly inverse: readonly EditOp[]
  readonly touched: readonly Touch[]
  /** The latest edit that takes this one back; it may have been taken back itself. */
  undoneBy: EditRecord | undefined
}

/**
 * A value an edit changed, e.g. `place:17` or `label:a1b2c3d4`, with its stamp before and after: the line that gave it.
 * An undo brings the old stamp back with the old value, so that the edit before it can be undone next.
 */
export interface Touch {
  readonly value: string
  readonly before: number
  readonly after: number
}

export interface LabelState {
  readonly label: string
  readonly at: string
}

/** Everything the edits of a log add up to, beside the links in the columns. */
export class EditState {
  readonly fragments = new Map<number, FragmentState>()
  readonly deleted = new Map<number, DeletedState>()
  readonly copies = new Map<number, CopyState>()
  /** By its top, what a taken-away copy was like, so that an undo of the undo brings back just that. */
  readonly uncopied = new Map<number, readonly UncopiedState[]>()
  readonly meta = new Map<number, Map<string, unknown>>()
  readonly session = new Map<string, unknown>()
  readonly config = new Map<string, unknown>()
  /** `null` when it was cleared, `undefined` when nobody gave one: then the header's title counts. */
  name: string | null | undefined

  /** Brings back, after a restore, what was said of single nodes. */
  marking = new Deferred()
  private readonly ownLabels = new Map<string, LabelState>()
  private readonly ownChangedAt = new Map<number, number>()
  /** Reads what is brought back below: taking it up takes longer. */
  fetching = new Deferred()
  /** Brings back, after a restore, what only undo and new edits ask for. */
  recalling = new Deferred()
  private readonly ownRecords: EditRecord[] = []
  private readonly ownRecordById = new Map<string, EditRecord>()
  private readonly ownStamps = new Map<string, number>()

  /** By entry id as the tree keeps it (well-formed), because a label may name an entry that comes later or never. */
  get labels(): Map<string, LabelState> {
    this.marking.run()
    return this.ownLabels
  }

  /** Node → the line of the edit that changed it last. */
  get changedAt(): Map<number, number> {
    this.marking.run()
    return this.ownChangedAt
  }

  get records(): EditRecord[] {
    this.recalling.run()
    return this.ownRecords
  }

  get recordById(): Map<string, EditRecord> {
    this.recalling.run()
    return this.ownRecordById
  }

  /** Value → the line that gave it what it holds; 0 or absent when no edit did. */
  get stamps(): Map<string, number> {
    this.recalling.run()
    return this.ownStamps
  }
}
