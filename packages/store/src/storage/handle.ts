import type { FileStat, SessionStorageWriter, StorageReader } from './storage.ts'
import type { OpenFile } from './storage-driver.ts'
import { writeAll } from './write-all.ts'

/** A file open for reading. */
export class ReaderHandle implements StorageReader {
  readonly #file: StorageReader
  #syncError: Error | undefined

  constructor(file: StorageReader) {
    this.#file = file
  }

  statSync(): FileStat {
    return this.#file.statSync()
  }

  readSync(into: Uint8Array, position: number): number {
    return this.#file.readSync(into, position)
  }

  read(into: Uint8Array, position: number): Promise<number> {
    return this.#file.read(into, position)
  }

  datasync(): Promise<void> {
    return this.sync(() => this.#file.datasync())
  }

  datasyncSync(): void {
    this.throwIfUntrusted()
    try {
      this.#file.datasyncSync()
    } catch (error) {
      throw this.distrust(error)
    }
  }

  closeSync(): void {
    this.#file.closeSync()
  }

  protected async sync(work: () => Promise<void>): Promise<void> {
    this.throwIfUntrusted()
    try {
      await work()
    } catch (error) {
      throw this.distrust(error)
    }
    // The kernel tells of a failed write-back once: of two syncs under way the other may come out well for nothing.
    this.throwIfUntrusted()
  }

  /** After a failed sync the dirty pages may be gone while a second sync says all is well, so there is none (D5). */
  protected throwIfUntrusted(): void {
    if (this.#syncError) throw this.#syncError
  }

  protected remember(thrown: unknown): Error {
    return thrown instanceof Error ? thrown : new Error(String(thrown))
  }

  private distrust(thrown: unknown): Error {
    const error = this.remember(thrown)
    this.#syncError ??= error
    return error
  }
}

/**
 * A file open for writing. `writeLine`, `flush`, `fsync` and `close` happen in the order they were called, and after the
 * first error all but `close` throw it. `writeSync` and `truncateSync` happen at once and can be used again after they
 * failed, since a short write can be taken back; after a failed sync `writeSync` throws too.
 */
export class WriterHandle extends ReaderHandle implements SessionStorageWriter {
  readonly #file: OpenFile
  readonly #onError: ((error: Error) => void) | undefined
  #error: Error | undefined
  #queue: Promise<void> = Promise.resolve()
  #closing: Promise<void> | undefined

  constructor(file: OpenFile, onError?: (error: Error) => void) {
    super(file)
    this.#file = file
    this.#onError = onError
  }

  writeSync(bytes: Uint8Array): number {
    this.throwIfUntrusted()
    return this.#attempt(() => this.#file.writeSync(bytes))
  }

  async write(pieces: readonly Uint8Array[]): Promise<number> {
    this.throwIfUntrusted()
    try {
      return await this.#file.write(pieces)
    } catch (error) {
      throw this.remember(error)
    }
  }

  truncateSync(size: number): void {
    this.#attempt(() => this.#file.truncateSync(size))
  }

  writeLine(line: string): Promise<void> {
    if (line.includes('\n')) return Promise.reject(new TypeError('a line to write holds a line end; escape it first'))
    return this.#enqueue(async () => this.#attempt(() => writeAll(this.#file, Buffer.from(`${line}\n`))))
  }

  flush(): Promise<void> {
    return this.#enqueue(async () => {})
  }

  fsync(): Promise<void> {
    return this.#enqueue(() => this.sync(() => this.#file.fsync()))
  }

  close(): Promise<void> {
    this.#closing ??= this.#queue.then(() => this.closeSync())
    return this.#closing
  }

  override closeSync(): void {
    this.#attempt(() => this.#file.closeSync())
  }

  getError(): Error | undefined {
    return this.#error
  }

  protected override remember(thrown: unknown): Error {
    const error = super.remember(thrown)
    if (!this.#error) {
      this.#error = error
      this.#onError?.(error)
    }
    return error
  }

  #attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw this.remember(error)
    }
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(() => {
      if (this.#error) throw this.#error
      return work()
    })
    // The caller holds `done` and hears of the failure; the queue only has to go on.
    this.#queue = done.catch(() => {})
    return done
  }
}
