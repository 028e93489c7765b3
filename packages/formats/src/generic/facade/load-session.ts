import { resolve } from 'node:path'
import { type FlatEntry, TreelineError } from '@treeline/core'
import { createFileStorage, type SessionStorage, storageError } from '@treeline/store'
import { isUsableId } from '../../foreign-ids.ts'
import { type JsonRecord, valueAt } from '../../kept-record.ts'
import type { FormatNote } from '../../note.ts'
import { NoteList } from '../../note-list.ts'
import { findRecords } from '../find-records.ts'
import { isP9Type } from '../p9-record.ts'
import { withoutRepeats } from '../place-records.ts'

export interface LoadOptions {
  /** Where files are; real ones by default. */
  readonly storage?: SessionStorage | undefined
  /** Told of each line that holds no entry. */
  readonly onNote?: ((note: FormatNote) => void) | undefined
}

/** The entries of a file, and the id its last line is about. */
export interface LoadedSession {
  readonly entries: readonly FlatEntry[]
  readonly lastId: string | undefined
}

/**
 * The entries of a file, in order (P11). Lines that hold none are told to `onNote` and hide no other (I3). A line that only
 * says again what an earlier one says is no entry of its own. Throws `session_not_found` when there is no file.
 */
export async function loadSession(path: string, options: LoadOptions = {}): Promise<FlatEntry[]> {
  return [...(await loadWithLeaf(path, options)).entries]
}

export async function loadWithLeaf(path: string, options: LoadOptions = {}): Promise<LoadedSession> {
  const { onNote, storage = createFileStorage() } = options
  const notes = new NoteList()
  const found = findRecords(await readBytes(storage, resolve(path)), notes).filter(({ value, line, offset }) => {
    const isEntry = isP9Type(value.type) && isUsableId(valueAt(value, 'id'))
    const message = `Line ${line} is no entry: it has no usable id, or a type that is none of this format.`
    if (!isEntry) notes.add({ kind: 'left_out', message, line, offset })
    return isEntry
  })
  if (onNote !== undefined) for (const note of notes.all()) onNote(note)
  const entries = withoutRepeats(found).map(({ value }) => asEntry(value))
  return { entries, lastId: found.at(-1)?.value.id as string | undefined }
}

/** As it stands in the file; content that is no text is given as the JSON it is. */
function asEntry(record: JsonRecord): FlatEntry {
  const content = valueAt(record, 'content')
  if (typeof content === 'string') return record as unknown as FlatEntry
  return { ...record, content: content === undefined ? '' : JSON.stringify(content) } as unknown as FlatEntry
}

async function readBytes(storage: SessionStorage, path: string): Promise<Uint8Array> {
  if (!storage.existsSync(path)) throw new TreelineError('session_not_found', `There is no file ${path}.`)
  try {
    const file = storage.openReader(path)
    try {
      const bytes = new Uint8Array(file.statSync().size)
      return bytes.subarray(0, await file.read(bytes, 0))
    } finally {
      file.closeSync()
    }
  } catch (error) {
    throw storageError(error, 'The session could not be read', path)
  }
}
