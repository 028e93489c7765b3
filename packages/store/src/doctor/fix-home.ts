import { chmodSync } from 'node:fs'
import type { Home } from '../home.ts'
import { appendAudit } from '../house/audit.ts'
import { listLogs } from '../log-files.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { findStrayColumns } from './check-home.ts'
import { isTempName, judgeMode, modeOf, type NodeMode, TEMP_AGE_MS, walkModes } from './file-mode.ts'
import { finishScrub } from './scrub/finish-scrub.ts'

export interface FixOptions {
  /** Says what would be done and does nothing. */
  readonly dryRun?: boolean | undefined
}

export interface HomeFixes {
  /** Files and folders that others could read or change. */
  readonly closed: readonly string[]
  /** Left by writes that never finished, and caches of sessions that are not here. No entry is in them alone. */
  readonly removed: readonly string[]
  /** What could not be done, and why. */
  readonly failed: readonly { readonly path: string; readonly problem: string }[]
}

/** Mends what can be mended without losing anything: modes (K5), old temp files, stray caches. No log is opened. */
export async function fixHome(home: Home, { dryRun = false }: FixOptions = {}): Promise<HomeFixes> {
  // Files that an interrupted scrub still needs look like leftovers.
  if (!dryRun) await finishScrub(home)
  const failed: { path: string; problem: string }[] = []
  const fail = (path: string, error: unknown) =>
    failed.push({ path, problem: storageError(error, 'It could not be mended', path).message })
  const nodes = listNodes(home, fail)
  const open = nodes.filter((node) => node.isOwn && judgeMode(node).includes('open_mode'))
  const old = nodes.filter(({ kind, path, mtimeMs }) => {
    return kind === 'file' && isTempName(path) && Date.now() - mtimeMs > TEMP_AGE_MS
  })
  const unwanted = [...old.map(({ path }) => path), ...findStray(home, fail)]
  if (dryRun) return { closed: open.map(({ path }) => path), removed: unwanted, failed }
  const closed = open.filter((node) => attempt(() => close(node), node.path, fail)).map(({ path }) => path)
  if (unwanted.length > 0) {
    const reason = 'left by unfinished writes, or caches of nothing'
    await appendAudit(home, { action: 'purge', paths: unwanted, count: unwanted.length, reason })
  }
  const removed: string[] = []
  for (const path of unwanted) {
    try {
      await home.storage.unlink(path)
      removed.push(path)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') fail(path, error)
    }
  }
  return { closed, removed, failed }
}

type Fail = (path: string, error: unknown) => void

function listNodes({ paths }: Home, fail: Fail): NodeMode[] {
  const own = modeOf(paths.home)
  return own === undefined ? [] : [own, ...walkModes(paths.home, fail)]
}

/** While a folder of sessions cannot be read, nobody knows whose columns these are. */
function findStray(home: Home, fail: Fail): string[] {
  try {
    const unread: string[] = []
    const logs = [...listLogs(home, (dir) => unread.push(dir))]
    return unread.length > 0 ? [] : findStrayColumns(home, logs)
  } catch (error) {
    fail(home.paths.index, error)
    return []
  }
}

/** Not through a descriptor: closing one would drop the locks that SQLite holds on a database. */
function close({ path, kind }: NodeMode): void {
  if (modeOf(path)?.kind === kind) chmodSync(path, kind === 'dir' ? 0o700 : 0o600)
}

function attempt(work: () => void, path: string, fail: Fail): boolean {
  try {
    work()
    return true
  } catch (error) {
    fail(path, error)
    return false
  }
}
