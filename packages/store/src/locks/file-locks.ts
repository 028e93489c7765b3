import { chmodSync, mkdirSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { TreelineError } from '@treeline/core'
import type { HomePaths } from '../paths.ts'
import { storageError } from '../storage-error.ts'
import { enterLockFile, type LockFile } from './lock-file.ts'
import { type AroundLock, locksClosed, type SessionLocks } from './locks.ts'

export interface FileLocksOptions {
  readonly paths: HomePaths
  /** How long `run` waits before it gives up with `session_locked`. */
  readonly timeoutMs?: number
}

/**
 * Locks shared by every process of one machine that uses the same home: 256 lock databases, a session's by its id. A free
 * lock costs some 20 µs and `work` runs before `run` returns. A killed process frees its locks (C1).
 */
export function createFileLocks({ paths, timeoutMs = 10_000 }: FileLocksOptions): SessionLocks {
  const files = new Map<number, LockFile>()
  let closed = false

  function fileOf(sessionId: string): LockFile {
    const number = lockNumber(sessionId)
    let file = files.get(number)
    if (file === undefined) {
      ensureFolder(paths.locks)
      file = enterLockFile(paths.lockFile(number))
      files.set(number, file)
    }
    return file
  }

  return {
    run(sessionId, work, around) {
      if (closed) return Promise.reject(locksClosed())
      try {
        const file = fileOf(sessionId)
        if (!file.tryLock()) return waitFor(file, sessionId, work, timeoutMs, around)
        const result = runLocked(file, work)
        around?.afterwards?.()
        return Promise.resolve(result)
      } catch (error) {
        return Promise.reject(error)
      }
    },
    close() {
      closed = true
      for (const file of files.values()) file.leave()
      files.clear()
    },
  }
}

/** Every process, of every version, has to come to the same number. */
function lockNumber(sessionId: string): number {
  return crc32(sessionId) & 0xff
}

function runLocked<T>(file: LockFile, work: () => T): T {
  try {
    return work()
  } finally {
    file.unlock()
  }
}

function waitFor<T>(
  file: LockFile,
  sessionId: string,
  work: () => T,
  timeoutMs: number,
  around: AroundLock = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    let result: T
    let failed = false
    const attempt = (step: () => void): void => {
      if (failed) return
      try {
        step()
      } catch (error) {
        failed = true
        reject(error)
      }
    }
    file.wait({
      deadline: performance.now() + timeoutMs,
      whileWaiting: () => around.whileWaiting?.(),
      run: () =>
        attempt(() => {
          result = work()
        }),
      end: () =>
        attempt(() => {
          around.afterwards?.()
          resolve(result)
        }),
      fail: (error = timedOut(sessionId, timeoutMs)) => reject(error),
    })
  })
}

function timedOut(sessionId: string, timeoutMs: number): TreelineError {
  const message =
    `Session ${sessionId} stayed locked by another process for ${timeoutMs / 1000} s; nothing was written. ` +
    'A Treeline process that is stopped (Ctrl+Z) or hangs keeps its lock: resume or end it, then try again.'
  return new TreelineError('session_locked', message)
}

function ensureFolder(folder: string): void {
  try {
    // Whatever the umask takes away.
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(folder, 0o700)
  } catch (error) {
    throw storageError(error, 'The folder for locks could not be made', folder)
  }
}
