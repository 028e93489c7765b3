import { type Entry, isSafeId, ROOT, TreelineError } from '@treeline/core'
import type { Session, SessionStore } from '@treeline/store'
import { createFrom } from '../create-from.ts'
import { damageNotes } from '../damage-notes.ts'
import type { FormatName } from '../format.ts'
import type { FormatNote } from '../note.ts'
import { NoteList } from '../note-list.ts'
import { type OpenedFile, openSessionFile } from '../open-session-file.ts'
import { appendNew } from './append-new.ts'
import { findNew, type News } from './find-new.ts'
import { importedSessionId } from './import-id.ts'

export interface ImportOptions {
  /** Taken for this tool's, whatever it looks like. */
  readonly format?: FormatName | undefined
  /** The project it belongs to, where the file does not say or somebody knows better. Only for a new session. */
  readonly cwd?: string | undefined
}

export interface Imported {
  readonly sessionId: string
  /** Of the session here. */
  readonly path: string
  readonly format: FormatName
  /** False when the session was here already and got what was new. */
  readonly isNew: boolean
  /** Entries that came to the session. */
  readonly added: number
  /** Entries that were there already. */
  readonly skipped: number
  readonly notes: readonly FormatNote[]
}

/**
 * Takes a session of any tool into the store, all branches with the ids they have, and tells what of the file could not be
 * taken (I3). Importing again, from wherever the file is by then, adds only what is new; what somebody did to the session
 * here stays, and the file is never changed.
 *
 * @example
 * const { sessionId, added } = await importSession(store, '/home/me/.pi/agent/sessions/…/….jsonl')
 */
export async function importSession(store: SessionStore, path: string, options: ImportOptions = {}): Promise<Imported> {
  return (await takeIn(store, path, options, true))!
}

/** As `importSession` for a file that was imported before; `undefined`, and nothing done, for any other. */
export function importAgain(store: SessionStore, path: string, options: ImportOptions): Promise<Imported | undefined> {
  return takeIn(store, path, options, false)
}

async function takeIn(
  store: SessionStore,
  path: string,
  options: ImportOptions,
  mayCreate: boolean,
): Promise<Imported | undefined> {
  await using opened = await openSessionFile(store, path, { format: options.format, readOnly: true })
  const { session: source, format } = opened
  const first = await readFirst(source)
  if (first === undefined || opened.translation?.entries.length === 0) throw nothingIn(opened)
  await using own = await openOwn(store, opened, first)
  if (own?.path === opened.path) {
    throw new TreelineError('bad_request', `${opened.path} is a session of this store already.`)
  }
  for (let number = 0; ; number++) {
    const notes = startNotes(opened)
    const id = own?.id ?? identify(opened, first, number)
    if (own === undefined && !(await store.exists(id))) {
      if (!mayCreate) return undefined
      const made = await create(store, opened, id, first, options, notes)
      if (made !== undefined) return { ...made, format, notes: notes.all() }
    }
    await using target = await store.open(id)
    await target.refresh()
    const news = await findNew(opened, target, notes)
    if (own === undefined && isOther(opened, target, news)) continue
    const added = await appendNew(target, opened, news, notes, own !== undefined)
    return {
      sessionId: id,
      path: target.path,
      format,
      isNew: false,
      added,
      skipped: news.knownCount,
      notes: notes.all(),
    }
  }
}

function startNotes({ session, translation, notes: found }: OpenedFile): NoteList {
  const notes = new NoteList()
  for (const note of found) notes.add(note)
  if (translation === undefined) for (const note of damageNotes(session)) notes.add(note)
  return notes
}

function nothingIn({ path, notes }: OpenedFile): TreelineError {
  const why = notes.find(({ kind }) => kind === 'damage')?.message
  return new TreelineError('bad_request', `${path} holds no entries. ${why ?? 'There is nothing to import.'}`)
}

/**
 * Ids may be alike by chance: a session that shares no entry, or says something else in most, is another one. Not so for a
 * log with its header: nobody else's has that id and begins with that entry.
 */
function isOther(opened: OpenedFile, { tree }: Session, { knownCount, changedCount }: News): boolean {
  if (opened.translation === undefined && opened.session.header.id !== '') return false
  return knownCount === 0 ? tree.columns.children(ROOT).length > 0 : changedCount * 2 > knownCount
}

/** The first entry that can be read. */
async function readFirst(session: Session): Promise<Entry | undefined> {
  for await (const entry of session.entries()) return entry
  return undefined
}

/** The session here that the file is a copy of: an export of ours. Bearing its id is not enough; its entries are there too. */
async function openOwn(store: SessionStore, { session, translation }: OpenedFile, first: Entry) {
  const id = translation?.sessionId ?? session.header.id
  if (!isSafeId(id) || !(await store.exists(id))) return undefined
  const own = await store.open(id, { readOnly: true })
  if ((await own.readEntry(first.id)) !== undefined) return own
  await own.close()
  return undefined
}

function identify({ session, translation, format }: OpenedFile, first: Entry, number: number): string {
  return importedSessionId({
    kind: translation === undefined ? 'log' : format,
    identity: translation?.identity ?? [session.header.id, first.id, String(first.timestamp)],
    number,
    createdAtMs: Date.parse(createdAt(session, first) ?? ''),
  })
}

/** As the header says, or else the first entry. */
function createdAt({ header }: Session, first: Entry): string | undefined {
  for (const text of [header.timestamp, first.timestamp]) {
    const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN
    if (ms >= 0 && ms < 8.64e15) return new Date(ms).toISOString()
  }
  return undefined
}

/** Nothing when somebody else imported it just now. */
async function create(
  store: SessionStore,
  { session: source, translation, path }: OpenedFile,
  id: string,
  first: Entry,
  { cwd }: ImportOptions,
  notes: NoteList,
): Promise<Omit<Imported, 'format' | 'notes'> | undefined> {
  const onLeftOut = ({ message, details }: TreelineError) => {
    const { line, offset } = details
    notes.add({
      kind: 'left_out',
      message,
      ...(line !== undefined && { line }),
      ...(offset !== undefined && { offset }),
    })
  }
  try {
    const parentSession = (translation?.sessionId ?? source.header.id) || path
    const at = createdAt(source, first)
    await using made =
      translation === undefined
        ? await store.fork(source, { how: 'whole', id, createdAt: at, cwd, parentSession, onLeftOut })
        : await createFrom(store, translation, { id, cwd, parentSession, onLeftOut })
    return { sessionId: id, path: made.path, isNew: true, added: made.tree.rowCount, skipped: 0 }
  } catch (error) {
    if (error instanceof TreelineError && error.code === 'id_in_use') return undefined
    throw error
  }
}
