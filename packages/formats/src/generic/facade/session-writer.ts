import { dirname, resolve } from 'node:path'
import { type FlatEntry, TreelineError } from '@treeline/core'
import {
  createFileStorage,
  type SessionStorage,
  type SessionStorageWriter,
  storageError,
  writeWhole,
} from '@treeline/store'

export interface WriterOptions {
  /** Where files are; real ones by default. */
  readonly storage?: SessionStorage | undefined
  /** Told of the first write that failed, once, also when nobody waited for it. */
  readonly onError?: ((error: TreelineError) => void) | undefined
}

/** As text already: what becomes of the entry in its owner's hands afterwards is not our business. */
interface Waiting {
  readonly entry: FlatEntry
  readonly line: string
}

const NEWLINE = 0x0a

/**
 * Appends entries to a file, several in one write (P14). An entry is durable when the `flush` after it has resolved; until
 * then it is in memory, for `flushIntervalMs` at most, and a process that just ends loses it: `close` first. With
 * `maxBufferSize` 1 every `append` waits until its entry is durable (D1), and what is asked for meanwhile shares a write.
 *
 * After a write that failed nothing more is accepted: every call says why, and `unwritten` has what is not in the file.
 *
 * @example
 * await using writer = new SessionWriter('session.jsonl')
 * await writer.append({ id: '1', parentId: null, timestamp: Date.now(), type: 'user', content: 'Hello' })
 */
export class SessionWriter implements AsyncDisposable {
  readonly path: string
  private readonly maxBufferSize: number
  private readonly flushIntervalMs: number
  private readonly storage: SessionStorage
  private readonly onError: (error: TreelineError) => void
  private buffer: Waiting[] = []
  /** On its way to the disk. */
  private writing: readonly Waiting[] = []
  /** Writes one after the other. Never rejects: who asked for a write hears of it. */
  private queue: Promise<void> = Promise.resolve()
  private file: SessionStorageWriter | undefined
  private timer: NodeJS.Timeout | undefined
  private failure: TreelineError | undefined
  private closing: Promise<void> | undefined

  constructor(path: string, maxBufferSize = 10, flushIntervalMs = 1000, options: WriterOptions = {}) {
    this.path = resolve(path)
    this.maxBufferSize = Math.max(1, maxBufferSize)
    this.flushIntervalMs = flushIntervalMs
    this.storage = options.storage ?? createFileStorage()
    this.onError = options.onError ?? (() => {})
  }

  /** What was accepted and is not known to be in the file. */
  get unwritten(): readonly FlatEntry[] {
    return [...this.writing, ...this.buffer].map(({ entry }) => entry)
  }

  /** Resolves at once while there is room in the buffer, else when all of it is durable. */
  async append(entry: FlatEntry): Promise<void> {
    await this.accept(entry)
  }

  /** As `append`, but throws at once where an entry is not accepted: whoever keeps entries too must not keep that one. */
  accept(entry: FlatEntry): Promise<void> {
    if (this.failure !== undefined) throw this.failure
    if (this.closing !== undefined) throw this.closedError()
    this.buffer.push({ entry, line: encodeEntry(entry) })
    if (this.buffer.length >= this.maxBufferSize) return this.flush()
    this.startTimer()
    return Promise.resolve()
  }

  /** Resolves when everything accepted so far is durable. */
  flush(): Promise<void> {
    const done = this.queue.then(() => this.write())
    this.queue = done.catch(() => {})
    return done
  }

  /** Writes what waits, then lets go of the file. */
  close(): Promise<void> {
    this.closing ??= this.flush().finally(() => this.release())
    return this.closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Does not keep the process alive, and what it meets with is told to whoever calls next. */
  private startTimer(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.flush().catch(() => {})
    }, this.flushIntervalMs).unref()
  }

  private async write(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.failure !== undefined) throw this.failure
    const batch = this.buffer
    if (batch.length === 0) return
    this.buffer = []
    this.writing = batch
    try {
      await this.store(batch)
      this.writing = []
    } catch (error) {
      this.writing = []
      this.buffer = [...batch, ...this.buffer]
      this.failure = storageError(error, `${batch.length} entries could not be written`, this.path)
      this.onError(this.failure)
      throw this.failure
    }
  }

  private async store(batch: readonly Waiting[]): Promise<void> {
    const { file, isNew } = this.openFile()
    const { size } = file.statSync()
    const last = new Uint8Array(1)
    // Behind a line that was cut off ours starts on a line of its own.
    const isTorn = size > 0 && file.readSync(last, size - 1) === 1 && last[0] !== NEWLINE
    const lines = batch.map(({ line }) => line).join('')
    writeWhole(file, Buffer.from(isTorn ? `\n${lines}` : lines), size)
    await file.datasync()
    if (isNew) await this.storage.syncDir(dirname(this.path))
  }

  /** A file that was moved or deleted underneath is no place to write to. */
  private openFile(): { readonly file: SessionStorageWriter; readonly isNew: boolean } {
    const { storage, path } = this
    const isThere = storage.existsSync(path)
    if (this.file !== undefined && isThere && storage.statSync(path).identity === this.file.statSync().identity) {
      return { file: this.file, isNew: false }
    }
    this.file?.closeSync()
    this.file = undefined
    this.file = storage.openWriter(path, { flags: 'a' })
    return { file: this.file, isNew: !isThere }
  }

  private async release(): Promise<void> {
    await this.file?.close()
    this.file = undefined
  }

  private closedError(): TreelineError {
    return new TreelineError('bad_request', `The writer of ${this.path} is closed. Make a new one.`)
  }
}

function encodeEntry(entry: FlatEntry): string {
  try {
    return `${JSON.stringify(entry)}\n`
  } catch (error) {
    const message = `Entry ${entry.id} cannot be written as JSON: ${(error as Error).message}. Correct it and try again.`
    throw new TreelineError('invalid_entry', message, { nodeIds: [entry.id] }, { cause: error })
  }
}
