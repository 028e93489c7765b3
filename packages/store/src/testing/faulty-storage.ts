import { dirname } from 'node:path'
import { errnoError } from '../storage/errno.ts'
import { ReaderHandle, WriterHandle } from '../storage/handle.ts'
import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import type { OpenFile } from '../storage/storage-driver.ts'
import type { FaultPlan } from './faulty-storage-plan.ts'

/**
 * The inner storage, with calls failing as planned. What takes several steps inside (replacing a text) counts each of
 * them, and fails as a whole: before the rename nothing is seen of it.
 */
export function createFaultyStorage(inner: SessionStorage, plan: FaultPlan): SessionStorage {
  return {
    ensureDirSync(dir) {
      if (plan.run('stat', dir, () => inner.existsSync(dir))) return inner.ensureDirSync(dir)
      plan.run('mkdir', dir, () => inner.ensureDirSync(dir))
      plan.step('syncDir', dirname(dir))
    },
    existsSync: (path) => plan.run('stat', path, () => inner.existsSync(path)),
    exists: (path) => plan.runAsync('stat', path, () => inner.exists(path)),
    statSync: (path) => plan.run('stat', path, () => inner.statSync(path)),
    listFilesSync: (dir, pattern) => plan.run('list', dir, () => inner.listFilesSync(dir, pattern)),
    listDirsSync: (dir) => plan.run('list', dir, () => inner.listDirsSync(dir)),
    writeTextSync(path, text) {
      writeTemp(plan, path)
      plan.run('rename', path, () => inner.writeTextSync(path, text))
      plan.step('syncDir', dirname(path))
    },
    async writeText(path, text) {
      writeTemp(plan, path)
      await plan.runAsync('rename', path, () => inner.writeText(path, text))
      plan.step('syncDir', dirname(path))
    },
    async readText(path) {
      plan.step('open', path)
      return plan.runAsync('read', path, () => inner.readText(path))
    },
    async readTextPrefix(path, bytes) {
      plan.step('open', path)
      return plan.runAsync('read', path, () => inner.readTextPrefix(path, bytes))
    },
    async rename(from, to) {
      await plan.runAsync('rename', from, () => inner.rename(from, to))
      syncBoth(plan, from, to)
    },
    renameSync(from, to) {
      plan.run('rename', from, () => inner.renameSync(from, to))
      syncBoth(plan, from, to)
    },
    unlink: (path) => plan.runAsync('unlink', path, () => inner.unlink(path)),
    removeDir: (dir) => plan.runAsync('rmdir', dir, () => inner.removeDir(dir)),
    touch: (path) => plan.runAsync('touch', path, () => inner.touch(path)),
    openWriter(path, options) {
      const file = openFaulty(plan, path, () => inner.openWriter(path, { flags: options.flags }))
      return new WriterHandle({ ...faultyReader(file, plan, path), ...faultyWrites(file, plan, path) }, options.onError)
    },
    openReader(path) {
      const file = openFaulty(plan, path, () => inner.openReader(path))
      return new ReaderHandle(faultyReader(file, plan, path))
    },
    syncDir: (dir) => plan.runAsync('syncDir', dir, () => inner.syncDir(dir)),
    syncDirSync: (dir) => plan.run('syncDir', dir, () => inner.syncDirSync(dir)),
    watch: (path, onChange) => inner.watch(path, onChange),
  }
}

function writeTemp(plan: FaultPlan, path: string): void {
  plan.step('open', path)
  plan.step('write', path)
  plan.step('datasync', path)
}

function syncBoth(plan: FaultPlan, from: string, to: string): void {
  plan.step('syncDir', dirname(to))
  if (dirname(from) !== dirname(to)) plan.step('syncDir', dirname(from))
}

/** Opened after all and then failing: the file may have been created or emptied, but nobody holds it. */
function openFaulty<T extends StorageReader>(plan: FaultPlan, path: string, open: () => T): T {
  const outcome = plan.next('open', path)
  if (outcome?.type === 'error') throw errnoError(outcome.code, 'open', path)
  const file = open()
  if (outcome?.type !== 'error-after') return file
  file.closeSync()
  throw errnoError(outcome.code, 'open', path)
}

function faultyReader(file: StorageReader, plan: FaultPlan, path: string): StorageReader {
  return {
    statSync: () => plan.run('stat', path, () => file.statSync()),
    readSync: (into, position) => plan.run('read', path, () => file.readSync(into, position)),
    read: (into, position) => plan.runAsync('read', path, () => file.read(into, position)),
    datasync: () => plan.runAsync('datasync', path, () => file.datasync()),
    datasyncSync: () => plan.run('datasync', path, () => file.datasyncSync()),
    closeSync: () => file.closeSync(),
  }
}

type Writes = Pick<OpenFile, 'writeSync' | 'write' | 'truncateSync' | 'fsync'>

function faultyWrites(file: Writes, plan: FaultPlan, path: string): Writes {
  const writeSync = (bytes: Uint8Array): number => {
    const outcome = plan.next('write', path)
    if (outcome?.type === 'error') throw errnoError(outcome.code, 'write', path)
    const written = file.writeSync(outcome?.type === 'short' ? bytes.subarray(0, outcome.bytes) : bytes)
    if (outcome?.type === 'error-after') throw errnoError(outcome.code, 'write', path)
    return written
  }
  return {
    writeSync,
    async write(pieces) {
      // Later, as another thread does it: whoever changes the bytes too early is found out.
      await new Promise(setImmediate)
      return writeSync(Buffer.concat(pieces))
    },
    truncateSync: (size) => plan.run('truncate', path, () => file.truncateSync(size)),
    fsync: () => plan.runAsync('fsync', path, () => file.fsync()),
  }
}
