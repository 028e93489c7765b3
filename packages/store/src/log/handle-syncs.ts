import type { StorageReader } from '../storage/storage.ts'
import type { LineBuffer } from './line-buffer.ts'

/** What a sync that failed may have lost. */
export interface FailedSync {
  readonly file: StorageReader
  /** What was written and not made durable, in its order. */
  readonly lines: readonly { readonly bytes: Uint8Array; readonly offset: number }[]
  /** How much of the file was durable before. */
  readonly durableSize: number
  readonly error: unknown
}

interface Written {
  readonly lines: LineBuffer
  /** Where in the file they were written. */
  readonly offset: number
}

interface Sync {
  /** What of the file it covers. One that has not begun covers what is still being written. */
  size: number
  readonly done: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * The syncs of one open file, one after the other: of two at once the system tells only one that bytes of either were
 * lost. While one is under way, more may be written: the next covers all of it. One that fails ends the handle (D5).
 */
export class HandleSyncs {
  /** How much of the file is durable. */
  private syncedSize: number
  private readonly file: StorageReader
  private readonly onFailed: (failed: FailedSync) => void
  private running: Sync | undefined
  private next: Sync | undefined
  private failure: { readonly error: unknown } | undefined
  /** Lines that the sync under way covers, and those written since it began. */
  private covered: Written[] = []
  private written: Written[] = []

  constructor(file: StorageReader, onFailed: (failed: FailedSync) => void, syncedSize = 0) {
    this.file = file
    this.onFailed = onFailed
    this.syncedSize = syncedSize
  }

  /** For a handle of the same file that takes the place of this one, and what waits for a sync with it. */
  replaceBy(file: StorageReader): HandleSyncs {
    const syncs = new HandleSyncs(file, this.onFailed, this.syncedSize)
    syncs.written = this.written
    this.written = []
    return syncs
  }

  isDurable(size: number): boolean {
    return size <= this.syncedSize
  }

  /** Takes the lines over: they are kept until a sync has covered them. */
  keep(lines: LineBuffer, offset: number): void {
    this.written.push({ lines, offset })
  }

  /** The file is not what it was: nothing that was synced counts, nor what is being synced. */
  forget(): void {
    this.syncedSize = 0
    if (this.running !== undefined) this.running.size = 0
    if (this.next !== undefined) this.next.size = 0
  }

  /** Resolves when a sync that began after the first `size` bytes were written has ended well. */
  sync(size: number): Promise<void> {
    if (this.failure !== undefined) return Promise.reject(this.failure.error)
    if (this.isDurable(size)) return Promise.resolve()
    if (this.running === undefined) {
      this.running = createSync(size)
      this.begin(this.running)
      return this.running.done
    }
    if (this.running.size >= size) return this.running.done
    this.next ??= createSync(size)
    this.next.size = Math.max(size, this.next.size)
    return this.next.done
  }

  private begin(sync: Sync): void {
    this.covered = this.written
    this.written = []
    this.file.datasync().then(
      () => this.end(sync),
      (error) => this.fail(error),
    )
  }

  private end(sync: Sync): void {
    this.syncedSize = Math.max(this.syncedSize, sync.size)
    for (const { lines } of this.covered) lines.giveBack()
    this.covered = []
    this.running = this.next
    this.next = undefined
    // The disk goes on before whoever waited does.
    if (this.running !== undefined) this.begin(this.running)
    sync.resolve()
  }

  private fail(error: unknown): void {
    const { running, next } = this
    this.failure = { error }
    const unsynced = [...this.covered, ...this.written]
    const lines = unsynced.map(({ lines, offset }) => ({ bytes: lines.copy(), offset }))
    this.covered = []
    this.written = []
    this.onFailed({ file: this.file, lines, durableSize: this.syncedSize, error })
    running?.reject(error)
    next?.reject(error)
  }
}

function createSync(size: number): Sync {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  // Whoever wrote is told when it waits for it, which may be after it failed.
  done.catch(() => {})
  return { size, done, resolve, reject }
}
