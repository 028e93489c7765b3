/** The operations an edit line is made of. One request, however many operations, is one line: all or nothing (D4). */

/** Where a fragment came from. */
export interface Detached {
  /** `null`: it was a root. */
  readonly fromParentId: string | null
  readonly fromIndex: number
  readonly at: string
  /** The edit that cut it off. */
  readonly opId: string
}

/** What is remembered of a deleted node, so that deleting it again after a restore leaves the same behind. */
export interface DeletedFrom {
  readonly parentId: string | null
  readonly index: number
  readonly adoptedIds?: readonly string[]
  readonly detached?: Detached
}

export type EditOp =
  | { readonly op: 'mute'; readonly nodeIds: readonly string[] }
  | { readonly op: 'unmute'; readonly nodeIds: readonly string[] }
  /** `descendants`: every child becomes a fragment of its own. `self`: the node itself does. `detached` only in an inverse. */
  | {
      readonly op: 'prune'
      readonly nodeId: string
      readonly include: 'descendants' | 'self'
      readonly detached?: Detached
    }
  /** A copy's `idMap` names the new id of every copied node; what it does not name is not copied. */
  | {
      readonly op: 'graft'
      readonly sourceId: string
      readonly targetId: string | null
      readonly mode: 'move' | 'copy'
      readonly index?: number
      readonly insertBetween?: boolean
      readonly idMap?: Readonly<Record<string, string>>
    }
  /** Takes a copy away again: the inverse of a copying graft. */
  | { readonly op: 'uncopy'; readonly nodeId: string }
  /** `leafOnly` refuses when something hangs under the node. `was` only in an inverse, for a single node. */
  | {
      readonly op: 'delete'
      readonly nodeIds: readonly string[]
      readonly how: 'subtree' | 'splice'
      readonly leafOnly?: boolean
      readonly was?: DeletedFrom
    }
  /** `index` only in the inverse of a delete with `was`: the place it had just then, which may not be the one in `was`. */
  | { readonly op: 'restore'; readonly nodeIds: readonly string[]; readonly index?: number }
  | { readonly op: 'reorder'; readonly parentId: string | null; readonly childrenIds: readonly string[] }
  /** `expect` refuses, `ifAt` does nothing, when the leaf is no longer there. */
  | {
      readonly op: 'leaf'
      readonly leafId: string | null
      readonly expect?: string | null
      readonly ifAt?: string | null
    }
  /** Merge patches: `null` removes a key. */
  | { readonly op: 'meta'; readonly nodeId: string; readonly patch: Patch }
  | { readonly op: 'session'; readonly patch: Patch }
  | { readonly op: 'config'; readonly patch: Patch }
  /** `at` only in an inverse: when the label that comes back was set. */
  | { readonly op: 'label'; readonly nodeId: string; readonly label: string | null; readonly at?: string }
  /**
   * `null` clears the name; without `name` the session is called what its header says, as if nobody had named it. `ifAuto`
   * does nothing when a person has given the name that stands by then.
   */
  | { readonly op: 'name'; readonly name?: string | null; readonly ifAuto?: boolean }
  /** Says that these nodes were added by one action (a merge, a summary), so that undo takes them away. */
  | { readonly op: 'added'; readonly nodeIds: readonly string[] }

export type Patch = Readonly<Record<string, unknown>>
export type OpOf<T extends EditOp['op']> = Extract<EditOp, { readonly op: T }>

/** What a caller may ask for beyond what is stored: the planner turns it into plain operations. */
export type EditRequestOp =
  | EditOp
  | {
      readonly op: 'mute' | 'unmute'
      readonly nodeIds: readonly string[]
      readonly scope?: 'nodes' | 'subtree' | 'ancestors'
    }
  | {
      readonly op: 'prune'
      readonly nodeId: string
      readonly include?: 'descendants' | 'self'
      readonly onGenerating?: 'continue' | 'cancel' | 'reject'
    }
  | (Omit<OpOf<'graft'>, 'mode'> & { readonly mode?: 'move' | 'copy' })
  | {
      readonly op: 'delete'
      readonly nodeIds: readonly string[]
      readonly how?: 'subtree' | 'splice'
      readonly onGenerating?: 'cancel' | 'reject'
    }
  | { readonly op: 'leaf'; readonly leafId: string | null; readonly resolve?: 'exact' | 'descend' }

/** The `data` of a `treeline/edit` entry. */
export interface EditData {
  readonly ops: readonly EditOp[]
  readonly inverse: readonly EditOp[]
  /** Who made it, so that "undo" means one's own latest edit. */
  readonly by?: string
  /** The edit this one takes back. */
  readonly undoes?: string
  /** Written by Treeline itself beside an append; undo passes over it. */
  readonly auto?: boolean
  /** Given by a client with its own id for the edit: what it asked for, as a digest. */
  readonly asked?: string
}
