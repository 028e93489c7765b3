import { TreelineError } from '@treeline/core'

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is below something that is no folder',
  EISDIR: 'is a folder',
  EACCES: 'is not accessible: no permission',
  EPERM: 'is not accessible: no permission',
  EROFS: 'is on a file system that cannot be written to',
  ENOSPC: 'could not be written: the disk is full',
  EDQUOT: 'could not be written: the disk is full',
  ELOOP: 'leads through too many links',
  ENAMETOOLONG: 'has too long a name',
}

/** A failed file operation in words; `shown` is the path as the user knows it. What is coded already passes through. */
export function fileError(error: unknown, shown: string): TreelineError {
  if (error instanceof TreelineError) return error
  const errno = (error as NodeJS.ErrnoException | undefined)?.code
  const words = WORDS[errno ?? '']
  const isFull = errno === 'ENOSPC' || errno === 'EDQUOT'
  const message = `${shown} ${words ?? `failed: ${error instanceof Error ? error.message : String(error)}`}.`
  return new TreelineError(isFull ? 'storage_full' : 'bad_request', message, {}, { cause: error })
}
