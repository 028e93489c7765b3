import {
  type Entry,
  type EntryDraft,
  Flag,
  isSafeId,
  newEntryId,
  prepareMessage,
  ROOT,
  type Tree,
} from '@treeline/core'
import { LARGE_KEYS } from '../blobs/externalise.ts'
import { MAX_CHARS } from '../blobs/large-text.ts'
import type { Planning } from '../log/session-log.ts'
import { isoNow } from './iso-now.ts'
import type { SessionLeaf } from './session-leaf.ts'

/**
 * The JSON of the message, if the draft is what most are: a message and nothing else, with nothing in it that would go
 * elsewhere. Whatever asks for more goes the long way.
 */
export function plainText(draft: EntryDraft): string | undefined {
  if (draft.type !== 'message') return undefined
  for (const key in draft) if (key !== 'type' && key !== 'message') return undefined
  const text = prepareMessage(draft.message, LARGE_KEYS)
  return text === undefined || text.length > MAX_CHARS ? undefined : text
}

/** The message under the leaf, as `planEntries` would plan it; nothing where that would look closer, or write more lines. */
export function planPlain(planning: Planning, leaf: SessionLeaf, message: object): Entry | undefined {
  const { lastMessageId } = planning
  const follows = lastMessageId !== undefined && lastMessageId === leaf.id
  const parentId = follows ? lastMessageId : findPlace(planning.tree, leaf)
  if (parentId === undefined) return undefined
  return { type: 'message', id: newEntryId(planning.isTaken), parentId, timestamp: isoNow(), message }
}

/** The id to hang a message under, `null` for a root; nothing where it takes a closer look. */
function findPlace(tree: Tree, leaf: SessionLeaf): string | null | undefined {
  const { ids, columns, edits } = tree
  if (edits.fragments.size > 0 || edits.deleted.size > 0 || edits.copies.size > 0) return undefined
  const ref = leaf.refIn(tree)
  if (ref === ROOT) return null
  const id = ids.textOf(ref)
  return isSafeId(id) && !columns.has(columns.seatOf(ref), Flag.generating) ? id : undefined
}
