import type { FileStat } from './storage.ts'

export type MemoryNode = MemoryFile | MemoryDir

interface Placed {
  readonly id: number
  mtimeMs: number
  /** Where it is now; undefined once removed, while handles may still be open. No node has two names. */
  place: { readonly dir: MemoryDir; readonly name: string } | undefined
}

export interface MemoryFile extends Placed {
  readonly kind: 'file'
  /** Zeros from `size` on. */
  bytes: Uint8Array
  size: number
}

export interface MemoryDir extends Placed {
  readonly kind: 'dir'
  readonly entries: Map<string, MemoryNode>
}

export function newFile(id: number): MemoryFile {
  return { kind: 'file', id, mtimeMs: Date.now(), place: undefined, bytes: new Uint8Array(0), size: 0 }
}

export function newDir(id: number): MemoryDir {
  return { kind: 'dir', id, mtimeMs: Date.now(), place: undefined, entries: new Map() }
}

/** Grows by doubling; a gap before `position` reads as zeros. */
export function writeAt(file: MemoryFile, position: number, bytes: Uint8Array): void {
  const end = position + bytes.length
  if (end > file.bytes.length) {
    const grown = new Uint8Array(Math.max(end, 2 * file.bytes.length))
    grown.set(file.bytes.subarray(0, file.size))
    file.bytes = grown
  }
  file.bytes.set(bytes, position)
  file.size = Math.max(file.size, end)
  file.mtimeMs = Date.now()
}

export function cutAt(file: MemoryFile, size: number): void {
  if (size > file.size) {
    writeAt(file, file.size, new Uint8Array(size - file.size))
    return
  }
  file.bytes.fill(0, size, file.size)
  file.size = size
  file.mtimeMs = Date.now()
}

export function pathOf(node: MemoryNode): string | undefined {
  const names: string[] = []
  for (let at: MemoryNode = node; at.id !== ROOT_ID; at = at.place.dir) {
    if (!at.place) return undefined
    names.unshift(at.place.name)
  }
  return `/${names.join('/')}`
}

export const ROOT_ID = 1

export function statOf(node: MemoryNode): FileStat {
  const size = node.kind === 'file' ? node.size : 0
  return { size, mtimeMs: node.mtimeMs, mtime: new Date(node.mtimeMs), identity: `0:${node.id}` }
}
