import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import type { FailedSync } from './handle-syncs.ts'

const FIRST_PAUSE_MS = 1000
const LAST_PAUSE_MS = 60_000
/** Of what stood before the lines in doubt, and was durable: enough to tell the file from another. */
const MARK_BYTES = 64

interface Mark {
  /** How long the file is. */
  readonly size: number
  /** Where in it the bytes end. */
  readonly end: number
  readonly bytes: Uint8Array
}

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
  /** What stood before the first of it. */
  private mark: Mark | undefined

  add({ file, lines, durableSize, error }: FailedSync, size: number): void {
    const { from, to } = this.doubtful
    this.owed = [...this.owed, ...lines.map(({ bytes }) => bytes)]
    for (const { bytes, offset } of lines) this.noteOurs(offset, offset + bytes.length)
    this.error = error
    this.failures++
    // Of a handle that has synced nothing yet it is not known what was durable before.
    const end = durableSize > 0 ? durableSize : (lines[0]?.offset ?? 0)
    this.mark ??= readMark(file, end)
    this.doubtful = { from: Math.min(from, durableSize), to: Math.max(to, size) }
  }

  /** Whether the file is the one it was: its number may have been given to another since it was closed. */
  isOf(file: StorageReader): boolean {
    const { mark } = this
    const found = mark && readMark(file, mark.end)
    // What cannot be looked at is not another file for that; whoever reads it next is told.
    if (mark === undefined || found === undefined) return true
    return found.size >= (this.ours.at(-1)?.to ?? 0) && Buffer.compare(found.bytes, mark.bytes) === 0
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

/** The last bytes of the first `end`. Nothing when the disk does not give them. */
function readMark(file: StorageReader, end: number): Mark | undefined {
  const bytes = Buffer.alloc(Math.min(end, MARK_BYTES))
  try {
    const { size } = file.statSync()
    return { size, end, bytes: bytes.subarray(0, file.readSync(bytes, end - bytes.length)) }
  } catch {
    return undefined
  }
}
