import { lstatSync } from 'node:fs'
import { TreelineError } from '@treeline/core'
import { LockDatabase } from '../locks/lock-database.ts'
import type { HomePaths } from '../paths.ts'
import { ensureIndexFolder } from './index-database.ts'
import type { Pace } from './pace.ts'

const SHORTEST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 80
/** Whoever works writes to the index far more often; a process that was stopped (Ctrl+Z) keeps its locks. */
const PATIENCE_MS = 30_000

/**
 * Runs `work` while no other process brings the index up to date or removes it. Whoever waits looks again afterwards. The
 * kernel frees the lock of a process that dies; for one that holds it and does nothing nobody waits for ever.
 */
export async function withIndexLock<T>(
  paths: HomePaths,
  pace: Pace,
  work: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  ensureIndexFolder(paths.indexFile)
  const lock = new LockDatabase(paths.indexLock)
  let seen = lastWritten(paths)
  let deadline = performance.now() + patienceMs
  try {
    for (let pauseMs = SHORTEST_PAUSE_MS; !tryLock(lock, paths); pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      // Half of it is chance, so that processes do not march in step.
      await pace.pause(pauseMs * (0.5 + Math.random()))
      if (performance.now() < deadline) continue
      const written = lastWritten(paths)
      if (written === seen) throw stuckError(paths, patienceMs)
      seen = written
      deadline = performance.now() + patienceMs
    }
    try {
      return await work()
    } finally {
      lock.unlock()
    }
  } finally {
    lock.close()
  }
}

/** As `withIndexLock`, for what can be left undone: without waiting, and not at all where the lock is held or cannot be used. */
export function tryWithIndexLock(paths: HomePaths, work: () => void): void {
  const lock = new LockDatabase(paths.indexLock)
  try {
    if (!lock.tryLock()) return
    try {
      work()
    } finally {
      lock.unlock()
    }
  } finally {
    lock.close()
  }
}

/** Differs when the index was written to in between. */
function lastWritten({ indexFile }: HomePaths): string {
  const files = [indexFile, `${indexFile}-wal`].map((path) => lstatSync(path, { throwIfNoEntry: false }))
  return files.map((stats) => `${stats?.ino}:${stats?.size}:${stats?.mtimeMs}`).join()
}

function stuckError({ indexLock }: HomePaths, patienceMs: number): TreelineError {
  const message =
    `The index cannot be brought up to date: for ${Math.round(patienceMs / 1000)} seconds another process has held its ` +
    `lock ${indexLock} and done nothing. Let that process go on or end it (one that was stopped with Ctrl+Z, maybe), ` +
    'then try again. What is indexed already is listed and found all the same.'
  return new TreelineError('session_locked', message)
}

function tryLock(lock: LockDatabase, { indexLock }: HomePaths): boolean {
  try {
    return lock.tryLock()
  } catch (error) {
    if (!(error instanceof TreelineError) || error.code !== 'forbidden') throw error
    const message =
      `The index cannot be brought up to date: its lock ${indexLock} cannot be written. ` +
      'Check the owner, mode and disk of its folder. Sessions open by their id without it.'
    throw new TreelineError('forbidden', message, {}, { cause: error })
  }
}
