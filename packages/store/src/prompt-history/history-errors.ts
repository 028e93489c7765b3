import { TreelineError } from '@treeline/core'
import { SQLITE, sqliteCodeOf } from '../sqlite.ts'
import { storageError } from '../storage-error.ts'

export function historyClosed(): TreelineError {
  return new TreelineError('bad_request', 'The prompt history is closed. Open it again.')
}

/** After a removal, while another process is reading. */
export function journalInUse(): TreelineError {
  const message =
    'The prompts were removed, but another process reads the history, so their bytes may still be in its journal. ' +
    'End that process and remove them again.'
  return new TreelineError('session_locked', message)
}

export function isBusy(error: unknown): boolean {
  return error instanceof TreelineError ? error.code === 'session_locked' : sqliteCodeOf(error) === SQLITE.busy
}

/** Whether the file is not what it should be: damaged, no database, or one with other tables. */
export function isDamage(error: unknown): boolean {
  if (error instanceof TreelineError) return error.code === 'damaged'
  const code = sqliteCodeOf(error)
  return code === SQLITE.corrupt || code === SQLITE.notADatabase
}

export function historyError(error: unknown, path: string): TreelineError {
  const cause = { cause: error }
  switch (sqliteCodeOf(error)) {
    case SQLITE.busy: {
      const message = `The prompt history ${path} stayed locked by another process. End it if it hangs, then try again.`
      return new TreelineError('session_locked', message, {}, cause)
    }
    case SQLITE.readOnly:
    case SQLITE.cannotOpen: {
      const message = `The prompt history ${path} cannot be written. Check its owner, its mode and its disk.`
      return new TreelineError('forbidden', message, {}, cause)
    }
    case SQLITE.full: {
      const message = `The disk of the prompt history ${path} is full. Make room and try again.`
      return new TreelineError('storage_full', message, {}, cause)
    }
    default:
      return storageError(error, 'The prompt history could not be used', path)
  }
}
