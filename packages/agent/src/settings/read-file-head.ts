import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { TreelineError } from '@treeline/core'
import { storageError } from '@treeline/store'

export interface FileHead {
  readonly bytes: Buffer
  /** There was no more of it. */
  readonly isWhole: boolean
}

export interface FileHeadOptions {
  readonly maxBytes: number
  /** A link may not lead out of this folder. */
  readonly within?: string
  /** User ids of those whose files are read; anybody's without it. */
  readonly owners?: ReadonlySet<number>
}

const GONE: readonly unknown[] = ['ENOENT', 'ENOTDIR']
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants

/** The beginning of a file that may be anything; `undefined` when there is none. Never waits for a pipe or a device. */
export function readFileHead(path: string, { maxBytes, within, owners }: FileHeadOptions): FileHead | undefined {
  try {
    const real = realpathSync(path)
    if (within !== undefined && !isWithin(real, realpathSync(within))) throw refused(path, 'leads out of the project')
    const file = openSync(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    try {
      const stat = fstatSync(file)
      if (!stat.isFile()) throw refused(path, 'is not a file')
      if (owners?.has(stat.uid) === false) throw refused(path, 'belongs to another user')
      return readUpTo(file, maxBytes, stat.size)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (GONE.includes((error as { code?: unknown }).code)) return undefined
    throw storageError(error, `${path} cannot be read`, path)
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`)
}

function readUpTo(file: number, maxBytes: number, size: number): FileHead {
  const buffer = Buffer.alloc(Math.min(maxBytes, size) + 1)
  let length = 0
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, length)
    if (read === 0) break
    length += read
  }
  const kept = Math.min(length, buffer.length - 1)
  return { bytes: buffer.subarray(0, kept), isWhole: length === kept }
}

function refused(path: string, why: string): TreelineError {
  return new TreelineError('forbidden', `${path} ${why}; it is not read.`)
}
