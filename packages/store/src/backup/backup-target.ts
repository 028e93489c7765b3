import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { SessionStorage } from '../storage/storage.ts'
import { errnoOf, storageError } from '../storage-error.ts'

const PREFIX = 'treeline-backup-'
const UNFINISHED = '.partial'

/** Where backups go, links looked through. Inside the home a backup would hold the ones before it. */
export function resolveTarget(folder: string, home: string): string {
  if (folder === '' || folder.includes('\0')) {
    throw new TreelineError('validation_failed', 'A backup needs a folder to go to. Give the path of one.')
  }
  const target = realPath(resolve(folder))
  const inside = realPath(home)
  if (target === inside || target.startsWith(inside + sep)) {
    const message = `${target} is inside the home ${inside}: a backup there is lost together with it. Choose a folder elsewhere.`
    throw new TreelineError('bad_request', message)
  }
  return target
}

/** `treeline-backup-20260131-235959`, by this machine's clock. */
export function backupName(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const date = `${time.getFullYear()}${two(time.getMonth() + 1)}${two(time.getDate())}`
  return `${PREFIX}${date}-${two(time.getHours())}${two(time.getMinutes())}${two(time.getSeconds())}`
}

export function unfinishedName(name: string, nonce: string): string {
  return `${name}.${nonce}${UNFINISHED}`
}

/** What backups that were killed left behind. Nobody but their owner removes them (R1). */
export function listUnfinished(storage: SessionStorage, target: string): string[] {
  const names = storage.listDirsSync(target).filter((name) => name.startsWith(PREFIX) && name.endsWith(UNFINISHED))
  return names.map((name) => join(target, name))
}

/** Gives a finished backup its name, or the next that is free: none is ever overwritten. */
export async function placeBackup(
  storage: SessionStorage,
  from: string,
  target: string,
  name: string,
): Promise<string> {
  for (let n = 1; ; n++) {
    const path = join(target, n === 1 ? name : `${name}-${n}`)
    if (storage.existsSync(path)) continue
    try {
      await storage.rename(from, path)
      return path
    } catch (error) {
      if (errnoOf(error) !== 'ENOTEMPTY' && errnoOf(error) !== 'EEXIST') throw error
    }
  }
}

/** Of a path that is not there yet: the real path of what is there of it, and the rest. */
function realPath(path: string): string {
  const missing: string[] = []
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...missing)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' || dirname(at) === at)
        throw storageError(error, 'The folder cannot be used', path)
      missing.unshift(basename(at))
    }
  }
}
