import { isDeepStrictEqual } from 'node:util'
import {
  type Entry,
  type EntryDraft,
  Flag,
  kindOf,
  newEntryId,
  placeOf,
  ROOT,
  type Tree,
  TreelineError,
} from '@treeline/core'
import type { Planned } from '../log/session-log.ts'
import { alone, type Batch, planNew, seatOf } from './append-chain.ts'
import { isoNow } from './iso-now.ts'
import { type LeafMove, leafBack, startAt } from './leaf-moves.ts'
import { withBothSpellings } from './spellings.ts'
import { addedLine, type Undoable, unnoted } from './undoable.ts'

export interface AppendOptions {
  /** Where the entry hangs: the leaf by default, `null` for a new root. */
  readonly parentId?: string | null | undefined
  /** Given when the leaf must not move to the new entry: where it has to be afterwards, in the same write. */
  readonly leafAfter?: string | null | undefined
  /** Whether it goes to the new entry, as it does by default; `leafAfter` counts before it. */
  readonly leaf?: LeafMove | undefined
  /** The version the caller looked at: refused when the parent has changed since (C2). */
  readonly baseVersion?: number | undefined
  /**
   * Adds `leftLeafId` to the details: where the leaf is when the entry is written. Not of an entry with an id of its own,
   * which a retry would not be the same as (D3).
   */
  readonly namesLeftLeaf?: boolean | undefined
  /** Makes the nodes undoable as one edit, in the same write. */
  readonly undoable?: Undoable | undefined
}

export interface Appended {
  /** One per draft. */
  readonly entries: Entry[]
  /** Drafts whose id was there already: retries, if what is stored says the same. */
  readonly existing: readonly { readonly index: number; readonly row: number }[]
  readonly leafId: string | null | undefined
}

/**
 * Plans a chain of new entries under `leaf` or the parent asked for. An id that is known already is not written again,
 * unless it is among the `lost`: those whose stored bytes turned out to be no entry.
 */
export function planEntries(
  tree: Tree,
  drafts: readonly EntryDraft[],
  leaf: number,
  options: AppendOptions,
  lost: ReadonlySet<string>,
): Planned<Appended> {
  const added: Entry[] = []
  const entries: Entry[] = []
  const existing: { index: number; row: number }[] = []
  const batch: Batch = { taken: new Set(), running: new Map() }
  const { taken } = batch
  const source = {
    now: isoNow,
    newId: () => newEntryId((id) => taken.has(id) || tree.ids.find(id) > ROOT),
  }
  const start = startAt(tree, leaf, drafts, options)
  refuseChanged(tree, start.parentId, options.baseVersion)
  let { parentId } = start
  for (const [index, draft] of drafts.entries()) {
    if (draft.id !== undefined && taken.has(draft.id)) throw idInUse(draft.id)
    if (draft.type === 'session')
      throw new TreelineError('invalid_entry', 'A header can only be the first line of a log.')
    const known = draft.id === undefined ? -1 : findStored(tree, draft.id)
    if (known >= 0 && !lost.has(draft.id!)) {
      existing.push({ index, row: tree.bodyRow(known) })
      // Filled in once its body was compared.
      added.push({ type: draft.type, id: draft.id!, parentId, timestamp: '' })
      if (isOnPath(draft)) parentId = tree.ids.textOf(tree.columns.seatOf(known))
      continue
    }
    const given = withBothSpellings(options.namesLeftLeaf ? withLeftLeaf(draft, idOrNull(tree, leaf)) : draft)
    const { entry, lines } =
      known >= 0 ? alone(again(tree, known, given, source.now())) : planNew(tree, given, parentId, batch, source)
    entries.push(...lines)
    added.push(entry)
    for (const line of lines) taken.add(line.id)
    if (isOnPath(entry)) parentId = seatOf(tree, entry, batch)
  }
  const isNew = entries.length > 0
  const { leafAfter = start.leafAfter, undoable } = options
  const nodes = undoable === undefined ? [] : unnoted(tree, added.filter(isNode))
  if (undoable !== undefined && nodes.length > 0) {
    // A retry that finds all but this line moves nothing: it hangs where an edit would.
    const above = isNew ? added.findLast(isOnPath)!.id : tree.anchorId(leaf)
    const from = leafAfter === undefined ? idOrNull(tree, leaf) : undefined
    const under = taken.has(added[0]!.id) ? start.parentId : undefined
    entries.push(addedLine(tree, nodes, { above, under, seat: parentId, from }, undoable, source))
  }
  const leafId = leafAfter === undefined ? parentId : leafAfter
  if (isNew && leafId !== parentId) entries.push(leafBack(tree, leafId, taken, source))
  return { entries, result: { entries: added, existing, leafId: isNew ? leafId : undefined } }
}

function withLeftLeaf(draft: EntryDraft, leftLeafId: string | null): EntryDraft {
  return { ...draft, details: { ...(draft.details as object), leftLeafId } }
}

function refuseChanged(tree: Tree, parentId: string | null, baseVersion: number | undefined): void {
  const { columns, ids } = tree
  const ref = parentId === null ? ROOT : columns.ownerOf(Math.max(ROOT, ids.find(parentId)))
  if (baseVersion === undefined || ref <= ROOT || tree.versionOf(ref) <= baseVersion) return
  const nodeId = ids.textOf(ref)
  const message = `Node ${nodeId} has changed since version ${baseVersion}. Look again, then repeat it.`
  const conflicts = [{ nodeId, version: tree.versionOf(ref), reason: 'changed since' }]
  throw new TreelineError('stale_node', message, { nodeIds: [nodeId], conflicts })
}

function isNode({ type, customType }: Entry): boolean {
  return placeOf(kindOf(type, customType)) === 'node'
}

function isOnPath({ type, customType }: EntryDraft): boolean {
  return placeOf(kindOf(type, customType)) !== 'aside'
}

/**
 * An entry as one has it in hand, without its parent: where it hangs is said by the options alone (X33). A `crc` is that
 * of the line it was read from; the new line has its own (I1).
 */
export function withoutParent(draft: EntryDraft): EntryDraft {
  if (draft.parentId === undefined && draft.crc === undefined) return draft
  const { parentId: _, crc: __, ...rest } = draft
  return rest as EntryDraft
}

/** What a retry finds must say what the retry says (D3). */
export function checkRetry(draft: EntryDraft, stored: Entry): Entry {
  const same = Object.keys(draft).every((key) => key === 'timestamp' || isSame(draft[key], stored[key]))
  if (same) return stored
  throw idInUse(draft.id!)
}

/** As JSON has it: a member that is undefined is not there. */
function isSame(value: unknown, stored: unknown): boolean {
  return isDeepStrictEqual(value === undefined ? undefined : JSON.parse(JSON.stringify(value)), stored)
}

function findStored(tree: Tree, id: string): number {
  const ref = tree.ids.find(id)
  return ref > ROOT && tree.columns.has(ref, Flag.known) && !tree.columns.has(ref, Flag.generating) ? ref : -1
}

/** The same entry once more, where only a part of it was stored. Readers take the later line. */
function again(tree: Tree, ref: number, draft: EntryDraft, timestamp: string): Entry {
  return { ...draft, id: draft.id!, parentId: tree.anchorId(tree.columns.rawParent[ref]!), timestamp }
}

function idInUse(id: string): TreelineError {
  return new TreelineError('id_in_use', `The id ${id} is taken by another entry of this session.`, { nodeIds: [id] })
}

function idOrNull(tree: Tree, ref: number): string | null {
  return ref === ROOT ? null : tree.ids.textOf(ref)
}
