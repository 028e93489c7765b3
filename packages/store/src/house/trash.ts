import { basename, dirname, isAbsolute, resolve } from 'node:path'
import { isSafeId, TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import { columnsKey } from '../log/columns-key.ts'
import { findLog, findLogs } from '../log-files.ts'
import { storageError } from '../storage-error.ts'
import { appendAudit } from './audit.ts'
import { type InspectedLog, inspectLog } from './inspect-log.ts'
import { createTrashItem, placeInTrash, removeEmptyItem } from './trash-item.ts'

export interface TrashOptions {
  /** Also a pinned session. One that is open stays in any case. */
  readonly force?: boolean | undefined
  /** For the audit: the rule it happens by. */
  readonly reason?: string | undefined
  /** What the decision was made on; a log that has changed since is left alone. */
  readonly expected?: Pick<InspectedLog, 'identity' | 'sizeBytes'> | undefined
}

export interface TrashedSession {
  readonly trashId: string
  readonly sessionId: string
  readonly path: string
  readonly sizeBytes: number
  /** What belongs to it and could not be moved along; the purge tries again. */
  readonly leftBehind: readonly string[]
}

/**
 * Moves a session into the trash: its log, what is kept beside it, its unfinished answers and its saved columns. A crash
 * at any moment leaves it in its place or in the trash. Blobs stay: the trash counts as somebody who needs them.
 */
export async function trashSession(home: Home, idOrPath: string, options: TrashOptions = {}): Promise<TrashedSession> {
  try {
    const path = isAbsolute(idOrPath) ? resolve(idOrPath) : findLog(home, idOrPath)
    const log = await checkedLog(home, path, options)
    const trashId = await moveToTrash(home, path, log, options.reason)
    const { id: sessionId, sizeBytes } = log
    return { trashId, sessionId, path, sizeBytes, leftBehind: await moveSideFiles(home, trashId, path, sessionId) }
  } catch (error) {
    throw storageError(error, 'The session could not be moved to the trash', idOrPath)
  }
}

async function checkedLog(home: Home, path: string, { force, expected }: TrashOptions): Promise<InspectedLog> {
  refuseForeign(home, path)
  const log = await inspectLog(home, path)
  if (log.isPinned && !force) throw refused('forbidden', path, 'is pinned. Unpin it first, or force it')
  refuseOpen(home, path)
  refuseChanged(path, expected ?? log, log)
  return log
}

async function moveToTrash(home: Home, path: string, log: InspectedLog, reason?: string): Promise<string> {
  const { id: sessionId, sizeBytes } = log
  const trashId = await createTrashItem(home, { kind: 'session', sessionId, reason })
  const event = { sessionIds: [sessionId], trashId, paths: [path], bytes: sizeBytes }
  try {
    home.storage.ensureDirSync(dirname(placeInTrash(home.paths, trashId, path)))
    await appendAudit(home, { action: 'trash', ...event, reason })
    await home.locks.run(sessionId, () => moveLog(home, trashId, path, log))
    return trashId
  } catch (error) {
    await takeBack(home, trashId, event)
    throw error
  }
}

/** Under the lock, so that nobody appends between the last look and the move. */
function moveLog(home: Home, trashId: string, path: string, log: InspectedLog): void {
  const { storage, paths } = home
  refuseOpen(home, path)
  const { identity, size } = storage.statSync(path)
  refuseChanged(path, log, { identity, sizeBytes: size })
  const place = placeInTrash(paths, trashId, path)
  try {
    storage.renameSync(path, place)
  } catch (error) {
    if (!storage.existsSync(path) && storage.existsSync(place)) storage.renameSync(place, path)
    throw error
  }
}

/** What lies beside a log under its name, its answers under way, its cache. They follow the log, and never go alone. */
export async function moveSideFiles(home: Home, trashId: string, path: string, sessionId: string): Promise<string[]> {
  const { storage, paths } = home
  const leftBehind: string[] = []
  try {
    for (const from of listSideFiles(home, path, sessionId)) {
      if (!(await moveSideFile(home, from, placeInTrash(paths, trashId, from)))) leftBehind.push(from)
    }
    if (isSafeId(sessionId)) await storage.removeDir(paths.partialDir(sessionId))
  } catch {
    // What could not be listed, and a folder that is missing or has something in it, stay as they are.
  }
  return leftBehind
}

async function moveSideFile({ storage }: Home, from: string, place: string): Promise<boolean> {
  try {
    storage.ensureDirSync(dirname(place))
    if (storage.existsSync(place)) return false
    await storage.rename(from, place)
    return true
  } catch {
    // The session is in the trash, whole. The caller is told what is not.
    return false
  }
}

function listSideFiles(home: Home, path: string, sessionId: string): string[] {
  const { storage, paths } = home
  const name = `${basename(path)}.`
  const found = storage.listFilesSync(dirname(path), '*').filter((file) => {
    // A log is a session of its own, whatever its name begins with.
    return basename(file).startsWith(name) && !paths.isSessionFile(file)
  })
  const dir = isSafeId(sessionId) ? paths.partialDir(sessionId) : undefined
  const partial = dir === undefined ? [] : ['*', '.*'].flatMap((pattern) => storage.listFilesSync(dir, pattern))
  if (partial.length > 0 && !isSomebodys(home, sessionId)) found.push(...partial)
  const columns = paths.columnsFile(columnsKey(paths, path))
  return storage.existsSync(columns) ? [...found, columns] : found
}

/** A copy of the log may be there still, under any name, and then the answers are that one's as well. */
function isSomebodys(home: Home, sessionId: string): boolean {
  let isUnsure = false
  const found = findLogs(home, sessionId, () => {
    isUnsure = true
  })
  return isUnsure || found.length > 0
}

/** The first failure is what the caller hears. If this fails too the item is empty, or has the log in it. */
async function takeBack(home: Home, trashId: string, event: object): Promise<void> {
  try {
    await removeEmptyItem(home, trashId)
    await appendAudit(home, { action: 'restore', ...event, reason: 'it could not be moved' })
  } catch {
    return
  }
}

/** By the names, and by what the folder is: behind a link are the files of another tool. */
function refuseForeign({ storage, paths }: Home, path: string): void {
  if (paths.isSessionFile(path) && storage.listDirsSync(paths.sessions).includes(basename(dirname(path)))) return
  throw refused('forbidden', path, 'belongs to another tool, and its files are not moved. Remove it there')
}

function refuseOpen({ presence }: Home, path: string): void {
  if (!presence.openLogs().has(path)) return
  throw refused('session_locked', path, 'is open. Close it in every window and process, then try again')
}

type Seen = Pick<InspectedLog, 'identity' | 'sizeBytes'>

function refuseChanged(path: string, before: Seen, now: Seen): void {
  if (before.identity === now.identity && before.sizeBytes === now.sizeBytes) return
  throw refused('session_locked', path, 'has changed just now. Look at it again before you remove it')
}

function refused(code: 'forbidden' | 'session_locked', path: string, why: string): TreelineError {
  return new TreelineError(code, `The session ${path} stays where it is: it ${why}.`)
}
