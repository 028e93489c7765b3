import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { TreelineError } from '@treeline/core'
import { MAX_FIRST_LINE_BYTES, SAMPLE_BYTES, type Sample, takeSample } from './sample.ts'

/** Translating means having all of a file in memory, as one text; a log has no such limit. */
const MAX_FILE_BYTES = 500 * 1024 * 1024
const LINE_END = 0x0a

/** The beginning of a file. Throws `session_not_found` when there is no file at the path. */
export function readSample(path: string): Sample {
  return withFile(path, (fd, size) => {
    const head = readBytes(fd, Math.min(size, SAMPLE_BYTES))
    const isEnough = head.includes(LINE_END) || size <= SAMPLE_BYTES
    return takeSample(isEnough ? head : readBytes(fd, Math.min(size, MAX_FIRST_LINE_BYTES)), size)
  })
}

export function readWhole(path: string): Uint8Array {
  return withFile(path, (fd, size) => {
    if (size > MAX_FILE_BYTES) {
      const message = `${path} has ${size} bytes. Files of other tools are read up to ${MAX_FILE_BYTES} bytes.`
      throw new TreelineError('payload_too_large', message)
    }
    return readBytes(fd, size)
  })
}

function withFile<T>(path: string, use: (fd: number, size: number) => T): T {
  const fd = open(path)
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw new TreelineError('session_not_found', `${path} is no file. Give the path of a session.`)
    return use(fd, stat.size)
  } finally {
    closeSync(fd)
  }
}

/** Without waiting: a pipe by that name must not hold us up. */
function open(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new TreelineError('session_not_found', `There is no file ${path}.`, {}, { cause: error })
    }
    if (code === 'EACCES' || code === 'EPERM') {
      throw new TreelineError('forbidden', `${path} may not be read. Look at its permissions.`, {}, { cause: error })
    }
    throw new TreelineError('internal', `${path} cannot be read: ${message}.`, {}, { cause: error })
  }
}

function readBytes(fd: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let length = 0
  while (length < size) {
    const count = readSync(fd, bytes, length, size - length, length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}
