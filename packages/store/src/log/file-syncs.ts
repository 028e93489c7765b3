import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import { Debt } from './debt.ts'
import type { LineBuffer } from './line-buffer.ts'

interface Written {
  readonly lines: LineBuffer
  /** Where in the file they were written. */
  readonly offset: number
}

interface Sync {
  /** What of the file it covers. One that has not begun covers what is still being written. */
  size: number
  /** Through which it is made: the handle of whoever asked last. */
  file: StorageReader
  readonly done: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * The syncs of one file, one after the other, whichever of the logs that have it open here asks: of two at once the system
 * tells only one that bytes of either were lost. While one is under way, more may be written: the next covers all of it. When
 * one fails, none that was asked for counts, no handle that was open is used again, and what was written is owed (D5).
 */
export class FileSyncs {
  readonly debt = new Debt()
  /** How many syncs failed. A handle that was opened when it was less is not used again. */
  failures = 0
  /** How many logs have the file open. */
  users = 0
  /** Whether a sync is under way, also one that nobody counts on any more. */
  isBusy = false
  /** How much of the file is durable. */
  private durableSize = 0
  private running: Sync | undefined
  private next: Sync | undefined
  /** Lines that the sync under way covers, and those written since it began. */
  private covered: Written[] = []
  private written: Written[] = []

  isDurable(size: number): boolean {
    return size <= this.durableSize
  }

  /** Takes the lines over: they are kept until a sync has covered them. */
  keep(lines: LineBuffer, offset: number): void {
    // Another log may have synced more, which was cut off since.
    this.durableSize = Math.min(this.durableSize, offset)
    if (this.running !== undefined) this.running.size = Math.min(this.running.size, offset)
    this.written.push({ lines, offset })
  }

  /** The file is not what it was: nothing that was synced counts, nor what is being synced. */
  forget(): void {
    this.durableSize = 0
    if (this.running !== undefined) this.running.size = 0
    if (this.next !== undefined) this.next.size = 0
  }

  /** Somebody saw how long the file is. */
  noteSize(size: number): void {
    if (size < this.durableSize) this.forget()
  }

  /** Resolves when a sync that began after the first `size` bytes were written has ended well. */
  sync(size: number, file: StorageReader): Promise<void> {
    if (this.isDurable(size)) return Promise.resolve()
    if (!this.isBusy) {
      this.running = createSync(size, file)
      this.begin(this.running)
      return this.running.done
    }
    if (this.running !== undefined && this.running.size >= size) return this.running.done
    this.next ??= createSync(size, file)
    this.next.size = Math.max(size, this.next.size)
    this.next.file = file
    return this.next.done
  }

  /** A sync of the file failed, one of these or another. */
  fail(file: StorageReader, error: unknown): void {
    const { running, next, covered, written } = this
    this.failures++
    this.running = undefined
    this.next = undefined
    this.covered = []
    this.written = []
    const lost = [...covered, ...written]
    const owed = lost.map(({ lines, offset }) => ({ bytes: lines.copy(), offset }))
    this.debt.add(owed, file, error)
    running?.reject(error)
    next?.reject(error)
  }

  private begin(sync: Sync): void {
    this.covered = this.written
    this.written = []
    this.isBusy = true
    sync.file.datasync().then(
      () => {
        this.isBusy = false
        this.end(sync)
      },
      (error) => {
        this.isBusy = false
        this.fail(sync.file, error)
      },
    )
  }

  private end(sync: Sync): void {
    // Otherwise one failed beside it, and it counts for nothing.
    if (sync === this.running) {
      this.durableSize = Math.max(this.durableSize, sync.size)
      for (const { lines } of this.covered) lines.giveBack()
      this.covered = []
    }
    this.running = this.next
    this.next = undefined
    // The disk goes on before whoever waited does.
    if (this.running !== undefined) this.begin(this.running)
    sync.resolve()
  }
}

const syncsIn = new WeakMap<SessionStorage, Map<string, FileSyncs>>()

/** Of the file that `file` is a handle of. To be given back with `leaveSyncs`. */
export function shareSyncs(storage: SessionStorage, file: StorageReader, identity: string): FileSyncs {
  const known = syncsIn.get(storage) ?? new Map<string, FileSyncs>()
  syncsIn.set(storage, known)
  const syncs = known.get(identity) ?? new FileSyncs()
  known.set(identity, syncs)
  // What those who have it open do not know yet, or nobody saw, may have changed it; another may have come to have its number.
  syncs.forget()
  syncs.users++
  syncs.debt.forgetUnlessOf(file)
  return syncs
}

/** What is owed stays owed, by whoever opens the file next. A process that is killed leaves nothing of it. */
export function leaveSyncs(storage: SessionStorage, identity: string, syncs: FileSyncs): void {
  syncs.users--
  if (syncs.users === 0 && !syncs.debt.isOwed && !syncs.isBusy) syncsIn.get(storage)?.delete(identity)
}

function createSync(size: number, file: StorageReader): Sync {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  // Whoever wrote is told when it waits for it, which may be after it failed.
  done.catch(() => {})
  return { size, file, done, resolve, reject }
}
