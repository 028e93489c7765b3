import { resolve } from 'node:path'
import { type Dialect, TreelineError } from '@treeline/core'
import { type OpenPathOptions, openMemoryStore, type Session, type SessionStore } from '@treeline/store'
import { findBlobFolders } from './blob-folders.ts'
import { createFrom } from './create-from.ts'
import type { Format, FormatName, Translation } from './format.ts'
import type { FormatNote } from './note.ts'
import { refuseAgentCoreV4 } from './pi/agent-core-v4.ts'
import { readSample, readWhole } from './read-file.ts'
import { refuseUnknown } from './refuse-unknown.ts'
import { detectFormat, findFormat, isLog } from './registry.ts'

/** A session of any tool, open; closing this closes the session. */
export interface OpenedFile extends AsyncDisposable {
  readonly session: Session
  readonly path: string
  readonly format: FormatName
  /** Whose reading of the context is meant when nobody says. */
  readonly dialect: Dialect
  /** What a file that is no log says, in our words. Its session is in memory and cannot be continued: import it. */
  readonly translation: Translation | undefined
  readonly notes: readonly FormatNote[]
}

export interface OpenFileOptions extends Omit<OpenPathOptions, 'create' | 'blobFolders'> {
  /** Taken for this tool's, whatever it looks like. */
  readonly format?: FormatName | undefined
}

/**
 * Opens a session where it is, whichever tool wrote it. What a foreign file holds is never changed by this (I4). What looks
 * like nobody's is opened as a log where messages of one can be read, and refused where not (`invalid_header`).
 *
 * @example
 * await using opened = await openSessionFile(store, '/home/me/.pi/agent/sessions/…/….jsonl')
 * const line = await opened.session.line()
 */
export async function openSessionFile(
  store: SessionStore,
  path: string,
  { format: wanted, ...options }: OpenFileOptions = {},
): Promise<OpenedFile> {
  const file = resolve(path)
  const sample = readSample(file)
  refuseAgentCoreV4(file, sample)
  const format = wanted === 'treeline' ? undefined : wanted ? findFormat(wanted) : detectFormat(sample)
  if (format !== undefined && !isLog(format.name)) {
    if (options.inPlace) throw notInPlace(format, file)
    return openTranslated(format, file)
  }
  const session = await store.openPath(file, { ...options, blobFolders: findBlobFolders(file) })
  if (format === undefined && wanted === undefined) {
    try {
      refuseUnknown(session, sample, file)
    } catch (error) {
      await session.close()
      throw error
    }
  }
  const { dialect } = session
  return { session, path: file, format: dialect, dialect, translation: undefined, notes: [], ...closes(session) }
}

async function openTranslated(format: Format, path: string): Promise<OpenedFile> {
  const read = await format.loadReader!()
  const translation = read({ path, bytes: readWhole(path) })
  const store = await openMemoryStore()
  try {
    const { id } = await createFrom(store, translation)
    // What is done to it would be gone with it.
    const session = await store.open(id, { readOnly: true })
    const { notes } = translation
    return { session, path, format: format.name, dialect: 'treeline', translation, notes, ...closes(session, store) }
  } catch (error) {
    await store.close()
    throw error
  }
}

function notInPlace({ title }: Format, path: string): TreelineError {
  const message = `${path} is a session of ${title}, which cannot be continued in place. Import it and continue that.`
  return new TreelineError('bad_request', message)
}

function closes(...opened: readonly AsyncDisposable[]): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      for (const one of opened) await one[Symbol.asyncDispose]()
    },
  }
}
