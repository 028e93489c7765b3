import type { Entry } from '../entry/entry.ts'
import { EDIT_TYPE } from '../entry/kind.ts'
import { TreelineError } from '../errors.ts'
import { refuseId } from '../ids.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import type { Tree } from '../tree/tree.ts'
import { defaultSource, type EditSource } from './plan.ts'

/** An entry as its writer knows it; id, parent and time are filled in. */
export type EntryDraft = { readonly type: string; readonly id?: string; readonly [field: string]: unknown }

export interface AppendRequest {
  /** Explicit: `null` is a new root (X27). */
  readonly parentId: string | null
  readonly draft: EntryDraft
  /** Given when the entry must not move the leaf: where it has to be afterwards. */
  readonly leafAfter?: string | null
}

export interface AppendPlan {
  readonly entry: Entry
  /** To be written together, in this order; the entry is among them. */
  readonly lines: readonly Entry[]
}

/**
 * The lines that put a new entry under a parent: before it a step to the parent when that is a copy, which has no line of
 * its own to name; behind it a step back when the leaf has to stay elsewhere. The end of a generation goes where the
 * generation was announced, whatever has become of that place since.
 */
export function planAppend(tree: Tree, request: AppendRequest, source: EditSource = defaultSource(tree)): AppendPlan {
  const { type, id = source.newId(), ...fields } = request.draft
  if (request.draft.id !== undefined) refuseId(tree, id)
  const timestamp = source.now()
  const lines: Entry[] = []
  const announced = request.draft.id === undefined ? ROOT : tree.ids.find(id)
  let parentId: string | null
  if (announced > ROOT && tree.columns.has(announced, Flag.generating)) {
    // Readers would pass over anything but a message.
    if (type !== 'message') {
      const message = `The id ${id} is that of an answer that is still being generated, and only its message can have it.`
      throw new TreelineError('id_in_use', message, { nodeIds: [id] })
    }
    parentId = tree.anchorId(tree.columns.rawParent[announced]!)
  } else {
    const parent = resolveParentEntry(tree, request.parentId)
    if (lacksLine(tree, parent)) lines.push(leafLine(tree, request.parentId, parent, source))
    parentId = lines[0]?.id ?? tree.anchorId(parent)
  }
  const entry: Entry = { type, id, parentId, timestamp, ...fields }
  lines.push(entry)
  const { leafAfter } = request
  if (leafAfter !== undefined && leafAfter !== id) lines.push(planLeafAfter(tree, leafAfter, source))
  return { entry, lines }
}

/** The line that sets the leaf back after an append elsewhere, also to an answer that is still being generated. */
export function planLeafAfter(tree: Tree, leafId: string | null, source: EditSource = defaultSource(tree)): Entry {
  return leafLine(tree, leafId, resolveLiving(tree, leafId), source)
}

/** What hangs under such a line belongs to the leaf it names, whatever it hangs under itself. */
function leafLine(tree: Tree, leafId: string | null, leaf: number, source: EditSource): Entry {
  return {
    type: 'custom',
    id: source.newId(),
    parentId: tree.anchorId(leaf),
    timestamp: source.now(),
    customType: EDIT_TYPE,
    data: { ops: [{ op: 'leaf', leafId }], inverse: [], auto: true },
  }
}

/** True for a copy as long as no edit has moved the leaf there: nothing on disk stands for it. */
function lacksLine({ columns, edits, ids }: Tree, ref: number): boolean {
  const copy = edits.copies.get(ref)
  return copy !== undefined && columns.seatOf(ids.find(copy.anchorId)) !== ref
}

function resolveLiving(tree: Tree, id: string | null): number {
  if (id === null) return ROOT
  const { columns } = tree
  const ref = tree.ids.find(id)
  const nodeIds = [id]
  if (ref <= ROOT || !columns.has(ref, Flag.known)) {
    throw new TreelineError('node_not_found', `There is no entry ${id} in this session to go on from.`, { nodeIds })
  }
  if (columns.has(columns.topOf(columns.ownerOf(ref)), Flag.deleted)) {
    throw new TreelineError('node_not_found', `Node ${id} is deleted. Restore it first.`, { nodeIds })
  }
  return ref
}

function resolveParentEntry(tree: Tree, id: string | null): number {
  const ref = resolveLiving(tree, id)
  const seat = tree.columns.seatOf(ref)
  if (ref !== ROOT && tree.columns.has(seat, Flag.generating)) {
    const message = `Node ${tree.ids.textOf(seat)} is still being generated. Wait for it or cancel it.`
    throw new TreelineError('parent_generating', message, { nodeIds: [id as string] })
  }
  return ref
}
