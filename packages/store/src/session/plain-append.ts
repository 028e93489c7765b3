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
import { isoNow } from './iso-now.ts'

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
export function planPlain(tree: Tree, leaf: number, message: object): Entry | undefined {
  const { ids, columns, edits } = tree
  if (edits.fragments.size > 0 || edits.deleted.size > 0 || edits.copies.size > 0) return undefined
  if (leaf !== ROOT && columns.has(columns.seatOf(leaf), Flag.generating)) return undefined
  const parentId = leaf === ROOT ? null : ids.textOf(leaf)
  if (parentId !== null && !isSafeId(parentId)) return undefined
  const id = newEntryId((drawn) => ids.find(drawn) > ROOT)
  return { type: 'message', id, parentId, timestamp: isoNow(), message }
}
