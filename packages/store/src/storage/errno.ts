import { constants } from 'node:os'

/** An error as Node's own file system calls throw it, for storage that has no kernel to ask. */
export function errnoError(code: string, syscall: string, path?: string): NodeJS.ErrnoException {
  const where = path === undefined ? '' : ` '${path}'`
  const error: NodeJS.ErrnoException = new Error(`${code}: ${meanings[code] ?? 'failed'}, ${syscall}${where}`)
  error.code = code
  const errno = (constants.errno as Readonly<Record<string, number>>)[code]
  if (errno !== undefined) error.errno = -errno
  error.syscall = syscall
  if (path !== undefined) error.path = path
  return error
}

const meanings: Readonly<Record<string, string>> = {
  EBADF: 'bad file descriptor',
  EEXIST: 'file already exists',
  EINVAL: 'invalid argument',
  EIO: 'i/o error',
  EISDIR: 'illegal operation on a directory',
  ELOOP: 'too many symbolic links encountered',
  EMFILE: 'too many open files',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
}
