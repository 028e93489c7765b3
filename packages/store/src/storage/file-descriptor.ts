import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  read,
  readSync,
  writeSync,
  writev,
} from 'node:fs'
import { promisify } from 'node:util'
import { errnoOf } from '../storage-error.ts'
import { errnoError } from './errno.ts'
import type { FileStat } from './storage.ts'
import type { OpenFile, OpenFlags } from './storage-driver.ts'

const fdatasyncAsync = promisify(fdatasync)
const fsyncAsync = promisify(fsync)

/** Follows no link (K3), and does not hang should someone have put a pipe there. */
export function openDescriptor(path: string, flags: OpenFlags): OpenFile {
  const fd = openFd(path, flags)
  if (fstatSync(fd).isFile()) return new FileDescriptor(fd)
  closeSync(fd)
  throw errnoError('EISDIR', 'open', path)
}

export function toFileStat(stats: BigIntStats): FileStat {
  const mtimeMs = Number(stats.mtimeNs) / 1e6
  return { size: Number(stats.size), mtimeMs, mtime: new Date(mtimeMs), identity: `${stats.dev}:${stats.ino}` }
}

function openFd(path: string, flags: OpenFlags): number {
  const common = constants.O_NOFOLLOW | constants.O_NONBLOCK
  if (flags === 'r') return openSync(path, constants.O_RDONLY | common)
  if (flags === 'r+') return openSync(path, constants.O_RDWR | common)
  const writing = constants.O_RDWR | constants.O_APPEND | common
  if (flags === 'ra') return openSync(path, writing)
  if (flags === 'wx') return createFd(path, writing)
  const existing = flags === 'w' ? writing | constants.O_TRUNC : writing
  for (;;) {
    // Two opens instead of one with O_CREAT: only a file that is certainly ours and new gets its mode set.
    try {
      return openSync(path, existing)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
    }
    try {
      return createFd(path, writing)
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
    }
  }
}

function createFd(path: string, writing: number): number {
  const fd = openSync(path, writing | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    fchmodSync(fd, 0o600)
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

class FileDescriptor implements OpenFile {
  readonly #fd: number
  #closed = false
  #underWay = 0

  constructor(fd: number) {
    this.#fd = fd
  }

  statSync(): FileStat {
    return toFileStat(fstatSync(this.#open('fstat'), { bigint: true }))
  }

  readSync(into: Uint8Array, position: number): number {
    const fd = this.#open('read')
    let filled = 0
    while (filled < into.length) {
      const length = readSync(fd, into, filled, into.length - filled, position + filled)
      if (length === 0) break
      filled += length
    }
    return filled
  }

  read(into: Uint8Array, position: number): Promise<number> {
    return this.#hold('read', async (fd) => {
      let filled = 0
      while (filled < into.length) {
        const length = await readOnce(fd, into.subarray(filled), position + filled)
        if (length === 0) break
        filled += length
      }
      return filled
    })
  }

  writeSync(bytes: Uint8Array): number {
    return writeSync(this.#open('write'), bytes, 0, bytes.length, null)
  }

  write(pieces: readonly Uint8Array[]): Promise<number> {
    return this.#hold('write', (fd) => writeOnce(fd, pieces))
  }

  truncateSync(size: number): void {
    ftruncateSync(this.#open('ftruncate'), size)
  }

  datasync(): Promise<void> {
    return this.#hold('fdatasync', fdatasyncAsync)
  }

  datasyncSync(): void {
    fdatasyncSync(this.#open('fdatasync'))
  }

  fsync(): Promise<void> {
    return this.#hold('fsync', fsyncAsync)
  }

  /** While a read or sync is in the thread pool the number stays taken: reused, it would be another file's. */
  closeSync(): void {
    if (this.#closed) return
    this.#closed = true
    if (this.#underWay === 0) closeSync(this.#fd)
  }

  #open(syscall: string): number {
    if (this.#closed) throw errnoError('EBADF', syscall)
    return this.#fd
  }

  async #hold<T>(syscall: string, work: (fd: number) => Promise<T>): Promise<T> {
    const fd = this.#open(syscall)
    this.#underWay++
    try {
      return await work(fd)
    } finally {
      this.#underWay--
      if (this.#closed && this.#underWay === 0) closeSync(fd)
    }
  }
}

function writeOnce(fd: number, pieces: readonly Uint8Array[]): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(fd, pieces, null, (error, length) => (error ? reject(error) : resolve(length)))
  })
}

function readOnce(fd: number, into: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, into, 0, into.length, position, (error, length) => (error ? reject(error) : resolve(length)))
  })
}
