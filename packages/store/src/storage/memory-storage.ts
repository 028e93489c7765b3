import { errnoOf } from '../storage-error.ts'
import { createStorage } from './create-storage.ts'
import { errnoError } from './errno.ts'
import { MemoryDisk } from './memory-disk.ts'
import { type MemoryFile, statOf } from './memory-node.ts'
import { MemoryOpenFile } from './memory-open-file.ts'
import { MemoryWatch } from './memory-watch.ts'
import type { SessionStorage } from './storage.ts'
import type { OpenFile, OpenFlags, StorageDriver } from './storage-driver.ts'

/** Behaves as real files do, in memory: for tests and for sessions nobody wants kept. Only `/` exists at first. */
export function createMemoryStorage(): SessionStorage {
  return createStorage(memoryDriver(new MemoryDisk()))
}

export function memoryDriver(disk: MemoryDisk): StorageDriver {
  const watches = new MemoryWatch()

  function open(path: string, flags: OpenFlags): OpenFile {
    return new MemoryOpenFile(disk, openNode(disk, path, flags), flags, (file) => watches.touchNode(file))
  }

  function rename(from: string, to: string): void {
    disk.rename(from, to)
    watches.touch(from)
    watches.touch(to)
  }

  function unlink(path: string): void {
    disk.unlink(path)
    watches.touch(path)
  }

  return {
    open,
    find(path) {
      try {
        const node = disk.find(path, 'lstat')
        return node && { kind: node.kind, stat: statOf(node) }
      } catch (error) {
        if (errnoOf(error) === 'ENOTDIR') return undefined
        throw error
      }
    },
    list: (dir) => [...disk.findDir(dir, 'scandir').entries].map(([name, node]) => ({ name, kind: node.kind })),
    makeDir: (dir) => disk.createDir(dir),
    renameSync: rename,
    rename: async (from, to) => rename(from, to),
    unlinkSync: unlink,
    unlink: async (path) => unlink(path),
    removeDir: async (dir) => disk.removeDir(dir),
    touch: async (path) => disk.touch(path),
    syncDirSync: (dir) => disk.syncSync(disk.findDir(dir, 'open')),
    syncDir: async (dir) => disk.sync(disk.findDir(dir, 'open')),
    watch: (path, onChange) => watches.add(path, onChange),
  }
}

function openNode(disk: MemoryDisk, path: string, flags: OpenFlags): MemoryFile {
  const found = disk.find(path, 'open')
  if (!found) {
    if (flags === 'r' || flags === 'ra' || flags === 'r+') throw errnoError('ENOENT', 'open', path)
    return disk.createFile(path)
  }
  if (flags === 'wx') throw errnoError('EEXIST', 'open', path)
  if (found.kind === 'dir') throw errnoError('EISDIR', 'open', path)
  if (flags === 'w') disk.cut(found, 0)
  return found
}
