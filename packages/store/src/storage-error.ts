import { TreelineError } from '@treeline/core'

/** Node's error code, where there is one. */
export function errnoOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : undefined
}

const FULL: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** A failed file operation as an error a person can act on. What is coded already passes through. */
export function storageError(error: unknown, what: string, path: string): TreelineError {
  if (error instanceof TreelineError) return error
  const cause = { cause: error }
  const errno = errnoOf(error)
  if (FULL.has(errno)) {
    const message = `${what}: the disk is full. Nothing stored before is lost; make room and try again (${path}).`
    return new TreelineError('storage_full', message, {}, cause)
  }
  if (errno === 'EACCES' || errno === 'EPERM' || errno === 'EROFS') {
    return new TreelineError('forbidden', `${what}: no permission (${errno}). Check who owns ${path}.`, {}, cause)
  }
  if (errno === 'ELOOP') {
    return new TreelineError('forbidden', `${what}: ${path} is a symbolic link, which is not followed.`, {}, cause)
  }
  const message = `${what}: ${error instanceof Error ? error.message : String(error)}. What was stored before is untouched; try again.`
  return new TreelineError('internal', message, {}, cause)
}
