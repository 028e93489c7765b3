import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { homePaths, openFileStore, type Session, type SessionStore } from '@treeline/store'
import { readSample } from '../../read-file.ts'
import { detectNeovate } from '../detect.ts'

/** Where sessions are kept. */
export interface LogPlace {
  /** The file of a session of ours, or one of Neovate's. */
  readonly logPath: string
  /** An open store, which stays open. Without it, that of `home` is opened and closed. */
  readonly store?: SessionStore | undefined
  readonly home?: string | undefined
  /** The project that a new session is about; the current folder by default. */
  readonly cwd?: string | undefined
}

export function isNeovateFile(path: string): boolean {
  return existsSync(path) && detectNeovate(readSample(path)) > 0
}

/** The store that was given, or one of our own, which is closed at the end of the block. */
export async function useStore({
  store,
  logPath,
  home = homeOf(logPath),
}: LogPlace): Promise<AsyncDisposable & { readonly store: SessionStore }> {
  if (store !== undefined) return { store, [Symbol.asyncDispose]: async () => {} }
  const own = await openFileStore({ home })
  return { store: own, [Symbol.asyncDispose]: () => own.close() }
}

/** A session of ours tells by its place which home it is of. */
function homeOf(logPath: string): string | undefined {
  const sessions = dirname(dirname(resolve(logPath)))
  const home = dirname(sessions)
  return homePaths(home).isSessionFile(logPath) && existsSync(homePaths(home).locks) ? home : undefined
}

/**
 * Opens a session to be continued, and begins one where there is none. A file of Neovate's is never written to: it is
 * imported with every branch, or what is new of it is, and the import is what goes on.
 */
export async function openLog(store: SessionStore, { logPath, cwd = process.cwd() }: LogPlace): Promise<Session> {
  if (!isNeovateFile(logPath)) return store.openPath(logPath, { create: { cwd } })
  // Loaded when there is something to import: it knows the formats of all tools.
  const { importSession } = await import('../../import/import-session.ts')
  const { sessionId } = await importSession(store, logPath, { format: 'neovate', cwd })
  return store.open(sessionId)
}
