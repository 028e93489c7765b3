import { resolve } from 'node:path'
import { errnoError } from './errno.ts'
import {
  cutAt,
  type MemoryDir,
  type MemoryFile,
  type MemoryNode,
  newDir,
  newFile,
  ROOT_ID,
  writeAt,
} from './memory-node.ts'

/** One name in one folder comes to mean another node, or none. */
export interface EntryChange {
  readonly dir: MemoryDir
  readonly name: string
  readonly node: MemoryNode | undefined
}

/** Is told of everything that happens on a memory disk, and may forbid it by throwing from `before`. */
export interface DiskObserver {
  before(operation: 'reads' | 'changes'): void
  wrote(file: MemoryFile, position: number, bytes: Uint8Array): void
  cut(file: MemoryFile, size: number): void
  /** Changes that happen together: a rename takes one name away and gives another. */
  changed(changes: readonly EntryChange[]): void
  /** A sync begins; what it returns is called when it is over. What is written in between is not part of it. */
  syncing(node: MemoryNode): () => void
}

export interface MemoryDiskOptions {
  readonly observer?: DiskObserver
  /** A tree to start with, and the highest number of a node in it. */
  readonly root?: MemoryDir
  readonly lastId?: number
}

/** The tree of folders and files in memory, with the rules of a Unix file system. Paths are absolute. */
export class MemoryDisk {
  readonly root: MemoryDir
  readonly observer: DiskObserver | undefined
  #lastId: number

  constructor(options: MemoryDiskOptions = {}) {
    this.root = options.root ?? newDir(ROOT_ID)
    this.observer = options.observer
    this.#lastId = options.lastId ?? ROOT_ID
  }

  /** The highest node number given so far. */
  get lastId(): number {
    return this.#lastId
  }

  find(path: string, syscall: string): MemoryNode | undefined {
    this.observer?.before('reads')
    return this.#find(path, syscall)
  }

  findDir(path: string, syscall: string): MemoryDir {
    const found = this.find(path, syscall)
    if (!found) throw errnoError('ENOENT', syscall, path)
    if (found.kind !== 'dir') throw errnoError('ENOTDIR', syscall, path)
    return found
  }

  createFile(path: string): MemoryFile {
    const file = newFile(++this.#lastId)
    this.#create(path, 'open', file)
    return file
  }

  createDir(path: string): void {
    this.#create(path, 'mkdir', newDir(++this.#lastId))
  }

  rename(from: string, to: string): void {
    this.observer?.before('changes')
    // In the kernel's order: both parents, the source, rings, what is replaced.
    const source = this.#placeFor(from, 'rename')
    const target = this.#placeFor(to, 'rename')
    const node = source.dir.entries.get(source.name)
    if (!node) throw errnoError('ENOENT', 'rename', from)
    const replaced = target.dir.entries.get(target.name)
    if (isWithin(target.dir, node)) throw errnoError('EINVAL', 'rename', from)
    if (replaced && isWithin(source.dir, replaced)) throw errnoError('ENOTEMPTY', 'rename', to)
    if (replaced === node) return
    if (replaced) checkReplace(node, replaced, to)
    this.#change([
      { ...source, node: undefined },
      { ...target, node },
    ])
  }

  unlink(path: string): void {
    this.observer?.before('changes')
    const node = this.#find(path, 'unlink')
    if (!node?.place) throw errnoError('ENOENT', 'unlink', path)
    if (node.kind === 'dir') throw errnoError('EISDIR', 'unlink', path)
    this.#change([{ ...node.place, node: undefined }])
  }

  removeDir(path: string): void {
    this.observer?.before('changes')
    const node = this.#find(path, 'rmdir')
    if (!node?.place) throw errnoError('ENOENT', 'rmdir', path)
    if (node.kind !== 'dir') throw errnoError('ENOTDIR', 'rmdir', path)
    if (node.entries.size > 0) throw errnoError('ENOTEMPTY', 'rmdir', path)
    this.#change([{ ...node.place, node: undefined }])
  }

  touch(path: string): void {
    this.observer?.before('changes')
    const node = this.#find(path, 'lutime')
    if (!node) throw errnoError('ENOENT', 'lutime', path)
    node.mtimeMs = Date.now()
  }

  write(file: MemoryFile, position: number, bytes: Uint8Array): void {
    this.observer?.before('changes')
    writeAt(file, position, bytes)
    this.observer?.wrote(file, position, bytes)
  }

  cut(file: MemoryFile, size: number): void {
    this.observer?.before('changes')
    cutAt(file, size)
    this.observer?.cut(file, size)
  }

  syncSync(node: MemoryNode): void {
    this.observer?.before('changes')
    this.observer?.syncing(node)()
  }

  async sync(node: MemoryNode): Promise<void> {
    this.observer?.before('changes')
    const finish = this.observer?.syncing(node)
    await Promise.resolve()
    finish?.()
  }

  #create(path: string, syscall: string, node: MemoryNode): void {
    this.observer?.before('changes')
    const { dir, name } = this.#placeFor(path, syscall)
    if (name === '' || dir.entries.has(name)) throw errnoError('EEXIST', syscall, path)
    this.#change([{ dir, name, node }])
  }

  #change(changes: readonly EntryChange[]): void {
    for (const { dir, name, node } of changes) {
      const old = dir.entries.get(name)
      if (old) old.place = undefined
      setEntry(dir, name, node)
      dir.mtimeMs = Date.now()
    }
    this.observer?.changed(changes)
  }

  #placeFor(path: string, syscall: string): { readonly dir: MemoryDir; readonly name: string } {
    const names = namesOf(path)
    const name = names.pop() ?? ''
    const dir = this.#walk(names, path, syscall)
    if (!dir) throw errnoError('ENOENT', syscall, path)
    if (dir.kind !== 'dir') throw errnoError('ENOTDIR', syscall, path)
    return { dir, name }
  }

  #find(path: string, syscall: string): MemoryNode | undefined {
    return this.#walk(namesOf(path), path, syscall)
  }

  #walk(names: readonly string[], path: string, syscall: string): MemoryNode | undefined {
    let at: MemoryNode | undefined = this.root
    for (const name of names) {
      if (at === undefined) return undefined
      if (at.kind !== 'dir') throw errnoError('ENOTDIR', syscall, path)
      at = at.entries.get(name)
    }
    return at
  }
}

export function setEntry(dir: MemoryDir, name: string, node: MemoryNode | undefined): void {
  if (node) {
    dir.entries.set(name, node)
    node.place = { dir, name }
  } else {
    dir.entries.delete(name)
  }
}

function namesOf(path: string): string[] {
  return resolve(path).split('/').filter(Boolean)
}

function isWithin(dir: MemoryDir, node: MemoryNode): boolean {
  for (let at: MemoryDir | undefined = dir; at; at = at.place?.dir) if (at === node) return true
  return false
}

function checkReplace(node: MemoryNode, replaced: MemoryNode, to: string): void {
  if (replaced.kind === 'dir' && node.kind === 'file') throw errnoError('EISDIR', 'rename', to)
  if (replaced.kind === 'file' && node.kind === 'dir') throw errnoError('ENOTDIR', 'rename', to)
  if (replaced.kind === 'dir' && replaced.entries.size > 0) throw errnoError('ENOTEMPTY', 'rename', to)
}
