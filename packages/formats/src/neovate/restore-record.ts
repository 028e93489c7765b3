import type { Entry } from '@treeline/core'
import { type Fields, isFields, keptOf } from './record.ts'
import { fromTemplate } from './template.ts'

/** Reads an entry with its images and long texts in place. */
export type ReadEntry = (id: string) => Promise<Entry | undefined>

/**
 * The line that an entry was read from, to the letter. `undefined` when the entry has none, or when what is kept of it
 * cannot be put together, because something of it is missing or was made up.
 */
export async function restoreRecord(entry: Entry, read: ReadEntry): Promise<Fields | undefined> {
  const record = await restoreJson(entry, read)
  return isFields(record) ? record : undefined
}

/** As `restoreRecord`, for lines that need not be objects. */
export async function restoreJson(entry: Entry, read: ReadEntry): Promise<unknown> {
  const kept = keptOf(entry)
  if (kept === undefined || (kept.record === undefined && kept.json === undefined)) return undefined
  const parts = await readParts(entry, typeof kept.parts === 'number' ? kept.parts : 0, read)
  try {
    if (typeof kept.json === 'string') return JSON.parse(kept.json)
    return fromTemplate(kept.record, (part) => (part === '' ? entry : parts[Number(part)]))
  } catch {
    // What is kept is no JSON or leads nowhere. The entry is written from our own fields then.
    return undefined
  }
}

/** The entries above that were made of the same line, first one first. */
async function readParts(entry: Entry, count: number, read: ReadEntry): Promise<readonly Entry[]> {
  const parts: Entry[] = []
  let at: Entry | undefined = entry
  while (parts.length < count && at !== undefined && at.parentId !== null) {
    at = await read(at.parentId)
    if (at !== undefined) parts.push(at)
  }
  return parts.reverse()
}
