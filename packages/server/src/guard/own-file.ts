import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { TreelineError } from '@treeline/core'
import { storageError } from '@treeline/store'

const OTHERS = 0o077n
/** As coarse as file systems keep time: of a file younger than that, a second change may look like the first. */
const COARSE_MS = 2_000

export interface OwnFile {
  readonly text: string
  /** Another one means other content. */
  readonly mark: string
  /** Whether the same mark also means the same content. */
  readonly isSettled: boolean
}

/**
 * Reads what only its owner may write, because it decides who is let in: no link is followed, and a file or folder that
 * others can reach is refused (K5). Through one descriptor, so that what was checked is what is read.
 */
export function readOwnFile(path: string, maxBytes: number): OwnFile | undefined {
  try {
    const fd = openUnlessMissing(path)
    if (fd === undefined) return undefined
    try {
      const stats = fstatSync(fd, { bigint: true })
      if (!stats.isFile()) throw new TreelineError('damaged', `${path} is no file. Move it away and try again.`)
      refuseOthers(dirname(path), lstatSync(dirname(path), { bigint: true }), '700')
      refuseOthers(path, stats, '600')
      if (stats.size > maxBytes) {
        throw new TreelineError('damaged', `${path} is too large to be ours. Move it away and try again.`)
      }
      const isSettled = Date.now() - Number(stats.mtimeMs) > COARSE_MS
      return { text: readAll(fd, Number(stats.size)), mark: toMark(stats), isSettled }
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    throw storageError(error, 'Who may ask cannot be read, so nobody may', path)
  }
}

/** The mark of the file as it is now, without reading it; `undefined` when there is none. */
export function findMark(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? undefined : toMark(stats)
  } catch (error) {
    throw storageError(error, 'Who may ask cannot be read, so nobody may', path)
  }
}

function openUnlessMissing(path: string): number | undefined {
  try {
    // A pipe someone put there must not hang us.
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function refuseOthers(path: string, { mode, uid }: BigIntStats, rightMode: string): void {
  if (process.geteuid === undefined) return
  if (Number(uid) !== process.geteuid()) {
    throw new TreelineError('forbidden', `${path} belongs to another user, so nobody is let in. Move it away.`)
  }
  if ((mode & OTHERS) === 0n) return
  const message = `Other users can reach ${path}, so nobody is let in. Close it with \`chmod ${rightMode} ${path}\`.`
  throw new TreelineError('forbidden', message)
}

function readAll(fd: number, size: number): string {
  const bytes = Buffer.alloc(size)
  let filled = 0
  while (filled < size) {
    const length = readSync(fd, bytes, filled, size - filled, filled)
    if (length === 0) break
    filled += length
  }
  return bytes.subarray(0, filled).toString('utf8')
}

/** With mode and owner in it by the time of change, which also moves when those do. */
function toMark({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':')
}
