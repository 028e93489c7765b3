import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  fsync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  open,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
} from 'node:fs'
import { lutimes, rename, rmdir, unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { errnoOf } from '../storage-error.ts'
import { createStorage } from './create-storage.ts'
import { openDescriptor, toFileStat } from './file-descriptor.ts'
import { createFileWatch } from './file-watch.ts'
import type { SessionStorage } from './storage.ts'
import type { FoundNode, ListedNode, NodeKind } from './storage-driver.ts'

// Not by `fs/promises`: its handle nearly doubles what the first folder takes to sync.
const openAsync = promisify(open)
const fsyncAsync = promisify(fsync)

/** Real files: 0600 in folders 0700 whatever the umask (K5), no link followed at the end of a path. */
export function createFileStorage(): SessionStorage {
  return createStorage({
    open: openDescriptor,
    find,
    list,
    makeDir,
    renameSync,
    rename,
    unlinkSync,
    unlink,
    removeDir: rmdir,
    touch,
    syncDirSync,
    syncDir,
    watch: createFileWatch(),
  })
}

function find(path: string): FoundNode | undefined {
  try {
    const stats = lstatSync(path, { bigint: true })
    return { kind: kindOf(stats), stat: toFileStat(stats) }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

function list(dir: string): ListedNode[] {
  return readdirSync(dir, { withFileTypes: true }).map((node) => ({ name: node.name, kind: kindOf(node) }))
}

function kindOf(node: BigIntStats | Dirent): NodeKind {
  if (node.isFile()) return 'file'
  if (node.isDirectory()) return 'dir'
  return node.isSymbolicLink() ? 'link' : 'other'
}

function makeDir(dir: string): void {
  mkdirSync(dir, 0o700)
  chmodSync(dir, 0o700)
}

async function touch(path: string): Promise<void> {
  const now = new Date()
  await lutimes(path, now, now)
}

// Without O_NOFOLLOW: the folder may be a home that is a link, and a sync neither reads nor writes through it.
const folder = constants.O_RDONLY | constants.O_DIRECTORY

function syncDirSync(dir: string): void {
  const fd = openSync(dir, folder)
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

async function syncDir(dir: string): Promise<void> {
  const fd = await openAsync(dir, folder)
  try {
    await fsyncAsync(fd)
  } finally {
    closeSync(fd)
  }
}
