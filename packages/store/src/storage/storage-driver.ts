import type { FileStat, SessionStorageWriter, WriterOptions } from './storage.ts'

/**
 * The single steps that differ between real files and memory. `createStorage` builds the whole port from them, so what
 * takes several steps (replacing a text, making folders) is written once and can be crashed between any two of them.
 */
export interface StorageDriver {
  open(path: string, flags: OpenFlags): OpenFile
  /** What is at the path itself, no link followed; undefined when nothing is. */
  find(path: string): FoundNode | undefined
  /** Throws ENOENT when the folder is missing. */
  list(dir: string): ListedNode[]
  /** One level, mode 0700. Throws EEXIST or, when the level above is missing, ENOENT. */
  makeDir(dir: string): void
  renameSync(from: string, to: string): void
  rename(from: string, to: string): Promise<void>
  unlinkSync(path: string): void
  unlink(path: string): Promise<void>
  /** Throws ENOTEMPTY, ENOENT or, for a file, ENOTDIR. */
  removeDir(dir: string): Promise<void>
  /** Throws ENOENT. */
  touch(path: string): Promise<void>
  syncDirSync(dir: string): void
  syncDir(dir: string): Promise<void>
  watch(path: string, onChange: () => void): () => void
}

export type OpenFlags = 'r' | WriterOptions['flags']

/** An open file without queue and without memory of its errors: a writer less what `StorageWriter` adds. */
export type OpenFile = Omit<SessionStorageWriter, 'writeLine' | 'flush' | 'close' | 'getError'>

export type NodeKind = 'file' | 'dir' | 'link' | 'other'

export interface FoundNode {
  readonly kind: NodeKind
  readonly stat: FileStat
}

export interface ListedNode {
  readonly name: string
  readonly kind: NodeKind
}
