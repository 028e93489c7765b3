import { TreelineError } from '@treeline/core'
import { LockDatabase } from '../locks/lock-database.ts'
import type { HomePaths } from '../paths.ts'
import { ensureIndexFolder } from './index-database.ts'
import type { Pace } from './pace.ts'

const SHORTEST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 80

/**
 * Runs `work` while no other process brings the index up to date or removes it. Whoever waits looks again afterwards. The
 * kernel frees the lock of a process that dies.
 */
export async function withIndexLock<T>(paths: HomePaths, pace: Pace, work: () => Promise<T>): Promise<T> {
  ensureIndexFolder(paths.indexFile)
  const lock = new LockDatabase(paths.indexLock)
  try {
    for (let pauseMs = SHORTEST_PAUSE_MS; !tryLock(lock, paths); pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      // Half of it is chance, so that processes do not march in step.
      await pace.pause(pauseMs * (0.5 + Math.random()))
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
