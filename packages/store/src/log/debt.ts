import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import type { FailedSync } from './handle-syncs.ts'

const FIRST_PAUSE_MS = 1000
const LAST_PAUSE_MS = 60_000
/** Of what stood before the lines in doubt, and was durable: enough to tell the file from another. */
const MARK_BYTES = 64

/**
 * What syncs that failed may have lost of a file: it can be read, and may never reach the disk (D5). Every log of the file
 * in this process has the same, also one that is opened later; of a process that is killed nothing of it is left.
 */
export class Debt {
  /** Lines of ours, to be written again before anything else. */
  owed: readonly Uint8Array[] = []
  /** Why they could not be made durable. */
  error: unknown
  /** How many syncs failed. */
  failures = 0
  private pauseMs = FIRST_PAUSE_MS
  private pausesUntilMs = 0
  /** What syncs that failed covered. */
  private doubtful = { from: Number.POSITIVE_INFINITY, to: 0 }
  /** What of it is ours: that is owed, or was written again. */
  private readonly ours: { readonly from: number; to: number }[] = []
  /** What stood before it. */
  private mark: Uint8Array = Buffer.alloc(0)

  add({ file, lines, durableSize, error }: FailedSync, size: number): void {
    const { from, to } = this.doubtful
    this.owed = [...this.owed, ...lines.map(({ bytes }) => bytes)]
    for (const { bytes, offset } of lines) this.noteOurs(offset, offset + bytes.length)
    this.error = error
    this.failures++
    if (durableSize < from) this.mark = readMark(file, durableSize)
    this.doubtful = { from: Math.min(from, durableSize), to: Math.max(to, size) }
  }

  /** Whether the file is the one it was: its number may have been given to another since it was closed. */
  isOf(file: StorageReader): boolean {
    const end = this.ours.at(-1)?.to ?? 0
    try {
      return file.statSync().size >= end && Buffer.compare(readMark(file, this.doubtful.from), this.mark) === 0
    } catch {
      // Whoever reads it next is told.
      return true
    }
  }

  /** Whether a line at this place may be on no disk, and stay so: whoever wrote it may have been killed before their sync. */
  isInDoubt(offset: number): boolean {
    return isIn(offset, this.doubtful) && !this.ours.some((range) => isIn(offset, range))
  }

  /** Every attempt to pay makes the file longer: where nobody asks for more to be written, there are pauses. */
  get isPausing(): boolean {
    return performance.now() < this.pausesUntilMs
  }

  pause(error: unknown): void {
    this.error = error
    this.pausesUntilMs = performance.now() + this.pauseMs
    this.pauseMs = Math.min(this.pauseMs * 2, LAST_PAUSE_MS)
  }

  endPauses(): void {
    this.pauseMs = FIRST_PAUSE_MS
    this.pausesUntilMs = 0
  }

  private noteOurs(from: number, to: number): void {
    const last = this.ours.at(-1)
    if (last?.to === from) last.to = to
    else this.ours.push({ from, to })
  }
}

const debtsIn = new WeakMap<SessionStorage, Map<string, Debt>>()

/** Of the file of one session: another may come to have its number. */
export function findDebt(storage: SessionStorage, identity: string, sessionId: string): Debt | undefined {
  const debts = debtsIn.get(storage)
  return debts === undefined || debts.size === 0 ? undefined : debts.get(keyOf(identity, sessionId))
}

export function takeOnDebt(storage: SessionStorage, identity: string, sessionId: string): Debt {
  const debts = debtsIn.get(storage) ?? new Map<string, Debt>()
  debtsIn.set(storage, debts)
  const debt = debts.get(keyOf(identity, sessionId)) ?? new Debt()
  debts.set(keyOf(identity, sessionId), debt)
  return debt
}

/** When another file took the place of this one: whoever replaced it has read it, and left out what it left out. */
export function forgetDebt(storage: SessionStorage, identity: string, sessionId: string): void {
  debtsIn.get(storage)?.delete(keyOf(identity, sessionId))
}

function keyOf(identity: string, sessionId: string): string {
  return `${identity} ${sessionId}`
}

function isIn(offset: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
  return offset >= from && offset < to
}

/** The last bytes of the first `size`. Nothing when the disk does not give them. */
function readMark(file: StorageReader, size: number): Uint8Array {
  const bytes = Buffer.alloc(Math.min(size, MARK_BYTES))
  try {
    return bytes.subarray(0, file.readSync(bytes, size - bytes.length))
  } catch {
    return Buffer.alloc(0)
  }
}
