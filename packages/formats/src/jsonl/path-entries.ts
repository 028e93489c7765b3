import { type Entry, linePath, type TreePath } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { FormatNote } from '../note.ts'
import type { Chosen } from '../transcript/chosen.ts'
import { readFullEntry, unreadableNote } from '../transcript/full-entry.ts'
import { stateEdit } from './edit-entry.ts'

/** An entry to be written, and what to write of it when that does not fit into a line. */
export interface LogPart {
  readonly entry: Entry
  readonly stored: Entry
}

const ENTRIES_PER_READ = 64

/**
 * The path as a chain: nodes where edits put them, with the model changes and the like that act on them, and last one
 * edit that says again what is muted, labelled, rated and set.
 */
export async function* pathEntries(session: Session, chosen: Chosen, notes: FormatNote[]): AsyncGenerator<LogPart> {
  const path = linePath(chosen.tree, chosen.leaf)
  const written = new Set<string>()
  let above: string | null = null
  for (let start = 0; start < path.length; start += ENTRIES_PER_READ) {
    const ids = Array.from({ length: Math.min(ENTRIES_PER_READ, path.length - start) }, (_, i) => path.idAt(start + i))
    const stored = await session.readEntries(ids)
    for (const [i, id] of ids.entries()) {
      const entry = stored[i]
      if (entry === undefined) {
        notes.push(unreadableNote(id))
        continue
      }
      const kept = keptBy(path, start + i, entry, written)
      const place = { id, parentId: above, ...kept }
      yield {
        entry: { ...(await readFullEntry(session, entry, notes)), ...place },
        stored: { ...entry, ...place },
      }
      written.add(id)
      above = id
    }
  }
  const edit = stateEdit(session, chosen.tree, above, written)
  if (edit !== undefined) yield { entry: edit, stored: edit }
}

/** A compaction names what it keeps by an id that is on the path. */
function keptBy(
  path: TreePath,
  position: number,
  { type, firstKeptEntryId }: Entry,
  written: ReadonlySet<string>,
): { readonly firstKeptEntryId?: string } {
  if (type !== 'compaction' || typeof firstKeptEntryId !== 'string' || written.has(firstKeptEntryId)) return {}
  for (let at = path.findKept(firstKeptEntryId, position) ?? position; at < position; at++) {
    if (written.has(path.idAt(at))) return { firstKeptEntryId: path.idAt(at) }
  }
  return {}
}
