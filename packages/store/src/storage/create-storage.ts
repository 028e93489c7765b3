import { dirname, join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { errnoOf } from '../storage-error.ts'
import { errnoError } from './errno.ts'
import { ReaderHandle, WriterHandle } from './handle.ts'
import { matchName } from './match-name.ts'
import { replaceText, replaceTextSync } from './replace-text.ts'
import type { SessionStorage } from './storage.ts'
import type { OpenFile, StorageDriver } from './storage-driver.ts'

/** The whole port, from the single steps a driver can do. */
export function createStorage(driver: StorageDriver): SessionStorage {
  return {
    ensureDirSync: (dir) => ensureDirSync(driver, dir),
    existsSync: (path) => driver.find(path) !== undefined,
    exists: async (path) => driver.find(path) !== undefined,
    writeTextSync: (path, text) => replaceTextSync(driver, path, text),
    writeText: (path, text) => replaceText(driver, path, text),
    statSync(path) {
      const found = driver.find(path)
      if (!found) throw errnoError('ENOENT', 'lstat', path)
      return found.stat
    },
    listFilesSync(dir, pattern) {
      const files = listSorted(driver, dir).filter((node) => node.kind === 'file' && matchName(node.name, pattern))
      return files.map((node) => join(dir, node.name))
    },
    listDirsSync(dir) {
      const dirs = listSorted(driver, dir).filter((node) => node.kind === 'dir')
      return dirs.map((node) => node.name)
    },
    async readText(path) {
      const bytes = await readBytes(driver, path, Number.POSITIVE_INFINITY)
      return bytes.toString('utf8')
    },
    async readTextPrefix(path, bytes) {
      // A decoder that is never ended keeps a cut character to itself.
      return new StringDecoder('utf8').write(await readBytes(driver, path, bytes))
    },
    async rename(from, to) {
      await driver.rename(from, to)
      // The new name first: should power fail in between, the file has two names rather than none.
      await driver.syncDir(dirname(to))
      if (dirname(from) !== dirname(to)) await driver.syncDir(dirname(from))
    },
    renameSync(from, to) {
      driver.renameSync(from, to)
      driver.syncDirSync(dirname(to))
      if (dirname(from) !== dirname(to)) driver.syncDirSync(dirname(from))
    },
    unlink: (path) => driver.unlink(path),
    removeDir: (dir) => driver.removeDir(dir),
    touch: (path) => driver.touch(path),
    openWriter: (path, options) => new WriterHandle(driver.open(path, options.flags), options.onError),
    openReader: (path) => new ReaderHandle(driver.open(path, 'r')),
    syncDir: (dir) => driver.syncDir(dir),
    syncDirSync: (dir) => driver.syncDirSync(dir),
    watch: (path, onChange) => driver.watch(path, onChange),
  }
}

function ensureDirSync(driver: StorageDriver, dir: string): void {
  let found = driver.find(dir)
  if (!found) {
    makeDirs(driver, dir)
    found = driver.find(dir)
  }
  // Whoever takes empty folders away was quicker.
  if (!found) throw errnoError('ENOENT', 'mkdir', dir)
  // Folders above may be links, a whole home moved to another disk for one; the last may not (K3).
  if (found.kind === 'link') throw errnoError('ELOOP', 'mkdir', dir)
  if (found.kind !== 'dir') throw errnoError('ENOTDIR', 'mkdir', dir)
}

/** Called for folders just seen missing; when another process was quicker its sync may be still to come, so we sync too. */
function makeDirs(driver: StorageDriver, dir: string): void {
  const above = dirname(dir)
  try {
    makeDirUnlessThere(driver, dir)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || above === dir) throw error
    makeDirs(driver, above)
    makeDirUnlessThere(driver, dir)
  }
  driver.syncDirSync(above)
}

function makeDirUnlessThere(driver: StorageDriver, dir: string): void {
  try {
    driver.makeDir(dir)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
}

function listSorted(driver: StorageDriver, dir: string): ReturnType<StorageDriver['list']> {
  try {
    return driver.list(dir).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
}

async function readBytes(driver: StorageDriver, path: string, limit: number): Promise<Buffer> {
  const file = driver.open(path, 'r')
  try {
    return await readUpTo(file, limit)
  } finally {
    file.closeSync()
  }
}

async function readUpTo(file: OpenFile, limit: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.min(file.statSync().size, limit))
  const length = await file.read(bytes, 0)
  return bytes.subarray(0, length)
}
