import { dirname } from 'node:path'
import { isSafeId, type SessionHeader, TreelineError } from '@treeline/core'
import type { Home } from './home.ts'
import { findLogs, findNamedLogs, idInName } from './log-files.ts'
import { writeNewLog } from './new-log.ts'
import type { SessionStorage } from './storage/storage.ts'
import { errnoOf, storageError } from './storage-error.ts'

export interface StartAt {
  readonly path: string
  readonly header: SessionHeader
  /** Has to be said for a path outside `<home>`: what is there can only be written to in place. */
  readonly inPlace: boolean
}

/**
 * Makes a session of a path where nothing is, or an empty file (S18). Whatever else is there is left as it is: false. In
 * `<home>` the session has the id that the file's name bears, for that is what it will be looked for by.
 */
export async function startLogAt(home: Home, { path, header: drafted, inPlace }: StartAt): Promise<boolean> {
  const { storage, paths } = home
  if (!isVacant(storage, path)) return false
  const isOurs = paths.isSessionFile(path)
  refusePlace(storage, path, isOurs || inPlace)
  const named = isOurs && isSafeId(idInName(path)) ? idInName(path) : undefined
  const header = { ...drafted, id: named ?? drafted.id }
  if (named !== undefined) refuseTaken(named, path, findLogs(home, named))
  if (isOurs) await ensurePlace(storage, path)
  const identity = await writeNewLog(home, {
    path,
    header,
    claim: {
      lockId: named ?? path,
      mayPlace() {
        if (named !== undefined) refuseTaken(named, path, findNamedLogs(home, named))
        return isVacant(storage, path)
      },
    },
  })
  return identity !== undefined
}

/** By opening it: a link is not followed, and a folder or a pipe is no file, however empty. */
function isVacant(storage: SessionStorage, path: string): boolean {
  try {
    const file = storage.openReader(path)
    try {
      return file.statSync().size === 0
    } finally {
      file.closeSync()
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return true
    if (errnoOf(error) === 'ENOTDIR') throw noFolder(path)
    throw storageError(error, 'The session cannot be opened', path)
  }
}

function refusePlace(storage: SessionStorage, path: string, isWritable: boolean): void {
  if (!path.endsWith('.jsonl')) {
    const message = `No session is begun at ${path}: the name of a session's file ends in ".jsonl".`
    throw new TreelineError('validation_failed', message)
  }
  if (!isWritable) {
    const message = `No session is begun at ${path}: it is not in a folder of Treeline's. Say that it is to be written in place.`
    throw new TreelineError('forbidden', message)
  }
  if (!storage.existsSync(dirname(path))) throw noFolder(path)
}

function noFolder(path: string): TreelineError {
  const message = `No session is begun at ${path}: there is no such folder. Make it first, or check the path.`
  return new TreelineError('validation_failed', message)
}

/** As for every session of ours: no folder that is a link, and one that survives a power cut. */
async function ensurePlace(storage: SessionStorage, path: string): Promise<void> {
  try {
    storage.ensureDirSync(dirname(path))
    await storage.syncDir(dirname(dirname(path)))
  } catch (error) {
    throw storageError(error, 'The session could not be made', path)
  }
}

function refuseTaken(id: string, path: string, logs: readonly string[]): void {
  const other = logs.find((log) => log !== path)
  if (other === undefined) return
  throw new TreelineError(
    'id_in_use',
    `There is a session ${id} already, at ${other}. Open it, or choose another name.`,
  )
}
