import { basename, dirname, join } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import { findNamedLogs, idInName } from '../log-files.ts'
import { readListedId } from '../session/summary.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { appendAudit } from './audit.ts'
import type { Work } from './progress.ts'
import { findTrashItem, removeEmptyItem, type TrashedFile, type TrashItem } from './trash-item.ts'

export interface RestoreOptions extends Work {
  /** When its place is taken, beside what is there now under another name, instead of not at all. */
  readonly renamed?: boolean | undefined
  /** For the audit: who asked for it, or the rule it happens by. */
  readonly reason?: string | undefined
}

export interface RestoredItem {
  readonly trashId: string
  /** Where everything is now. */
  readonly paths: readonly string[]
  /** What stays in the trash, because something is in its place. */
  readonly left: readonly string[]
}

interface Move extends TrashedFile {
  readonly to: string
}

/** Brings an item back to where it was. A crash in between leaves the rest in the trash: restore it again. */
export async function restoreFromTrash(
  home: Home,
  trashId: string,
  options: RestoreOptions = {},
): Promise<RestoredItem> {
  try {
    return await restore(home, await findTrashItem(home, trashId), options)
  } catch (error) {
    if (options.signal?.aborted) throw error
    if (errnoOf(error) === 'ENOENT') throw takenAway(trashId)
    throw storageError(error, 'It could not be restored from the trash', home.paths.trash)
  }
}

async function restore(home: Home, item: TrashItem, options: RestoreOptions): Promise<RestoredItem> {
  const { trashId } = item
  const { renamed = false, reason, signal, onProgress } = options
  const log = item.files.find(({ from }) => home.paths.isSessionFile(from))
  const isTaken = log !== undefined && isPlaceTaken(home, { ...log, to: log.from })
  if (isTaken && !renamed) throw taken(item, log.from)
  const newName = isTaken ? freeName(log.from, trashId) : undefined
  const moves = item.files.map((file) => ({ ...file, to: targetOf(file, log, newName) }))
  await appendAudit(home, { ...auditEvent(item, moves), reason })
  const left = new Set<string>()
  // The log last: once it is in its place, so is what belongs to it.
  const last = moves.find(({ path }) => path === log?.path)
  for (const [done, move] of moves.entries()) {
    signal?.throwIfAborted()
    onProgress?.({ done, total: moves.length })
    if (move !== last && !(await moveBack(home, move))) left.add(move.path)
  }
  if (last !== undefined) await moveLogBack(home, item, last)
  // It is back. An empty folder in the trash is shown to nobody and goes with the next purge.
  if (left.size === 0) await removeEmptyItem(home, trashId).catch(() => {})
  onProgress?.({ done: moves.length, total: moves.length })
  return { trashId, left: [...left], paths: moves.filter(({ path }) => !left.has(path)).map(({ to }) => to) }
}

async function moveBack(home: Home, move: Move): Promise<boolean> {
  const { storage } = home
  const { path, to } = move
  if (isSameFile(home, move)) await storage.unlink(path)
  else if (storage.existsSync(to)) return false
  else {
    storage.ensureDirSync(dirname(to))
    await storage.rename(path, to)
  }
  return true
}

/** Under the lock: of two who restore or make the same session, one is told. */
async function moveLogBack(home: Home, item: TrashItem, move: Move): Promise<void> {
  const { storage, locks } = home
  const { path, to, from } = move
  storage.ensureDirSync(dirname(to))
  const isThere = await locks.run(readListedId(storage, path) ?? '', () => {
    if (isSameFile(home, move)) return true
    if (to === from ? isPlaceTaken(home, move) : storage.existsSync(to)) throw taken(item, to)
    storage.renameSync(path, to)
    return false
  })
  if (isThere) await storage.unlink(path)
}

function isPlaceTaken(home: Home, move: Move): boolean {
  if (isSameFile(home, move)) return false
  return home.storage.existsSync(move.to) || findNamedLogs(home, idInName(move.to)).length > 0
}

/** Power failed while it was moved: it has both names. */
function isSameFile({ storage }: Home, { path, to }: Move): boolean {
  if (!storage.existsSync(to) || !storage.existsSync(path)) return false
  return storage.statSync(to).identity === storage.statSync(path).identity
}

/** Of the log and of all that bears its name. */
function targetOf({ from }: TrashedFile, log: TrashedFile | undefined, newName: string | undefined): string {
  if (log === undefined || newName === undefined || dirname(from) !== dirname(log.from)) return from
  return join(dirname(from), newName + basename(from).slice(basename(log.from).length))
}

function freeName(path: string, trashId: string): string {
  return `${basename(path, '.jsonl')}.restored-${trashId.slice(-8)}.jsonl`
}

function auditEvent({ trashId, sessionId, sizeBytes }: TrashItem, moves: readonly Move[]) {
  const sessionIds = sessionId === undefined ? [] : [sessionId]
  const paths = moves.length > 16 ? [] : moves.map(({ to }) => to)
  return { action: 'restore', trashId, sessionIds, paths, count: moves.length, bytes: sizeBytes } as const
}

function taken({ trashId }: TrashItem, path: string): TreelineError {
  const message =
    `${trashId} stays in the trash: there is a session again at ${path}, or one of the same id. ` +
    'Move that one away first, or restore this one under another name.'
  return new TreelineError('id_in_use', message)
}

function takenAway(trashId: string): TreelineError {
  const message = `${trashId} was restored or purged by somebody else just now. List the trash to see what there is.`
  return new TreelineError('session_not_found', message)
}
