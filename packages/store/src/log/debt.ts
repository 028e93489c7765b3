import type { StorageReader } from '../storage/storage.ts'

const FIRST_PAUSE_MS = 1000
const LAST_PAUSE_MS = 60_000
/** Of what stands before the lines: enough to tell the file from another. */
const MARK_BYTES = 64

export interface OwedLines {
  readonly bytes: Uint8Array
  /** Where in the file they stand. */
  readonly offset: number
}

/** Lines of a file that syncs that failed may have lost: they can be read, and may never reach the disk (D5). */
export class Debt {
  /** Why they could not be made durable. */
  error: unknown
  private owed: readonly OwedLines[] = []
  /** What stands before the first of them. Nothing where the disk did not give it. */
  private mark: Uint8Array | undefined
  private pauseMs = FIRST_PAUSE_MS
  private pausesUntilMs = 0

  /** Whether there are lines that have to be written again before anything else. */
  get isOwed(): boolean {
    return this.owed.length > 0
  }

  /** Where the first of them stands. */
  get offset(): number {
    return this.owed[0]?.offset ?? Number.POSITIVE_INFINITY
  }

  get lines(): readonly Uint8Array[] {
    return this.owed.map(({ bytes }) => bytes)
  }

  add(lines: readonly OwedLines[], file: StorageReader, error: unknown): void {
    this.error = error
    if (!this.isOwed && lines.length > 0) this.mark = readMark(file, lines[0]!.offset)
    this.owed = [...this.owed, ...lines]
  }

  /** They are written again, and kept with what is to be synced; or they are not of this file. */
  clear(): void {
    this.owed = []
  }

  /** What a file that was here before owed is not written into another that was given its number, or was put in its place. */
  forgetUnlessOf(file: StorageReader): void {
    const last = this.owed.at(-1)
    if (last === undefined) return
    const end = last.offset + last.bytes.length
    const mark = this.mark && readMark(file, this.owed[0]!.offset)
    // What cannot be looked at is not another file for that.
    const isSame = mark === undefined || Buffer.compare(mark, this.mark!) === 0
    if (!isSame || isShorterThan(file, end)) this.clear()
  }

  /** Every attempt to pay makes the file longer: where nobody asks for more to be written, there are pauses. */
  get isPausing(): boolean {
    return this.isOwed && performance.now() < this.pausesUntilMs
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
}

/** The last bytes of the first `end`. Nothing when the disk does not give them. */
function readMark(file: StorageReader, end: number): Uint8Array | undefined {
  const bytes = Buffer.alloc(Math.min(end, MARK_BYTES))
  try {
    return bytes.subarray(0, file.readSync(bytes, end - bytes.length))
  } catch {
    return undefined
  }
}

function isShorterThan(file: StorageReader, size: number): boolean {
  try {
    return file.statSync().size < size
  } catch {
    return false
  }
}
