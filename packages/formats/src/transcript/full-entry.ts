import { type Entry, TreelineError } from '@treeline/core'
import type { Session, UnresolvedBlob } from '@treeline/store'
import type { FormatNote } from '../note.ts'

/** The entry with images and long texts in place of their references. What cannot be put back is told in a note. */
export async function readFullEntry(session: Session, entry: Entry, notes: FormatNote[]): Promise<Entry> {
  if (!namesBlob(entry)) return entry
  const full = await session.readFull(entry.id)
  if (full === undefined) return entry
  for (const blob of full.unresolved) notes.push(noteOf(entry.id, blob))
  return full.entry
}

/** Looks at every text with a list of its own: most entries name none, and a second reading is saved. */
export function namesBlob(entry: Entry): boolean {
  if (Object.hasOwn(entry, 'treelineFull')) return true
  const open: unknown[] = [entry]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') {
      if (value.startsWith('blob:sha256:')) return true
    } else if (typeof value === 'object' && value !== null) {
      for (const child of Object.values(value)) if (child !== undefined) open.push(child)
    }
  }
  return false
}

const REASONS: Readonly<Record<UnresolvedBlob['reason'], string>> = {
  missing: 'its blob is not in the store',
  damaged: 'its blob is damaged',
  invalid: 'what it names is no blob that fits',
}

function noteOf(id: string, { pointer, ref, reason }: UnresolvedBlob): FormatNote {
  const message = `${pointer} of ${id} could not be put back, ${REASONS[reason]} (${ref}). The reference stays in its place.`
  return { kind: 'left_out', message, id }
}

export function unreadableNote(id: string): FormatNote {
  const message = `${id} cannot be read and is left out. Run treeline doctor to see what is damaged.`
  return { kind: 'damage', message, id }
}

export function unknownNode(id: string): TreelineError {
  return new TreelineError('node_not_found', `There is no entry ${id} in this session.`, { nodeIds: [id] })
}
