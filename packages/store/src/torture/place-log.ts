import { dirname } from 'node:path'
import type { Entry } from '@treeline/core'
import { openMemoryStore } from '../memory-store.ts'
import type { Session } from '../session/session.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { writeAll } from '../storage/write-all.ts'
import type { OpenOptions, SessionStore } from '../store.ts'

export const HOME = '/treeline'
export const LOG_PATH = `${HOME}/sessions/--work--/2026-01-15T10-00-00-000Z_sample.jsonl`

/** A memory disk that holds these bytes as a session. */
export function placeLog(bytes: Uint8Array, path = LOG_PATH): SessionStorage {
  const storage = createMemoryStorage()
  storage.ensureDirSync(dirname(path))
  const file = storage.openWriter(path, { flags: 'wx' })
  writeAll(file, bytes)
  file.datasyncSync()
  file.closeSync()
  storage.syncDirSync(dirname(path))
  return storage
}

export function readBytes(storage: SessionStorage, path = LOG_PATH): Uint8Array {
  const file = storage.openReader(path)
  const bytes = new Uint8Array(file.statSync().size)
  file.readSync(bytes, 0)
  file.closeSync()
  return bytes
}

/** Opens, lets the work be done, closes. */
export async function withSession<T>(
  storage: SessionStorage,
  work: (session: Session, store: SessionStore) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  await using store = await openMemoryStore({ storage, home: HOME })
  await using session = await store.openPath(LOG_PATH, options)
  return await work(session, store)
}

export async function readAll(session: Session): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of session.entries()) entries.push(entry)
  return entries
}
