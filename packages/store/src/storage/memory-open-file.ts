import { errnoError } from './errno.ts'
import type { MemoryDisk } from './memory-disk.ts'
import { type MemoryFile, statOf } from './memory-node.ts'
import type { FileStat } from './storage.ts'
import type { OpenFile, OpenFlags } from './storage-driver.ts'

/** Holds the node, not its name: it stays good when the file is renamed, replaced or removed. */
export class MemoryOpenFile implements OpenFile {
  readonly #disk: MemoryDisk
  readonly #file: MemoryFile
  readonly #onWrite: (file: MemoryFile) => void
  /** Where the next write goes; `undefined`: to the end. */
  #position: number | undefined
  #closed = false

  constructor(disk: MemoryDisk, file: MemoryFile, flags: OpenFlags, onWrite: (file: MemoryFile) => void) {
    this.#disk = disk
    this.#file = file
    this.#position = flags === 'r+' ? 0 : undefined
    this.#onWrite = onWrite
  }

  statSync(): FileStat {
    return statOf(this.#forReading('fstat'))
  }

  readSync(into: Uint8Array, position: number): number {
    const file = this.#forReading('read')
    const found = file.bytes.subarray(Math.min(position, file.size), Math.min(position + into.length, file.size))
    into.set(found)
    return found.length
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    return this.readSync(into, position)
  }

  writeSync(bytes: Uint8Array): number {
    const file = this.#open('write')
    this.#disk.write(file, this.#position ?? file.size, bytes)
    if (this.#position !== undefined) this.#position += bytes.length
    this.#onWrite(file)
    return bytes.length
  }

  async write(pieces: readonly Uint8Array[]): Promise<number> {
    // Others get their turn, as while another thread writes.
    await new Promise(setImmediate)
    return this.writeSync(Buffer.concat(pieces))
  }

  truncateSync(size: number): void {
    const file = this.#open('ftruncate')
    this.#disk.cut(file, size)
    this.#onWrite(file)
  }

  async datasync(): Promise<void> {
    await this.#disk.sync(this.#open('fdatasync'))
  }

  datasyncSync(): void {
    this.#disk.syncSync(this.#open('fdatasync'))
  }

  async fsync(): Promise<void> {
    await this.#disk.sync(this.#open('fsync'))
  }

  closeSync(): void {
    this.#closed = true
  }

  #open(syscall: string): MemoryFile {
    if (this.#closed) throw errnoError('EBADF', syscall)
    return this.#file
  }

  #forReading(syscall: string): MemoryFile {
    this.#disk.observer?.before('reads')
    return this.#open(syscall)
  }
}
