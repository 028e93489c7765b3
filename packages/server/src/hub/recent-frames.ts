import type { Frame } from './frame.ts'

export const MAX_FRAMES = 2_000
const MAX_BYTES = 8 * 1024 * 1024
/** Of all sessions together: one client can follow a thousand. */
const MAX_BYTES_OF_ALL = 64 * 1024 * 1024

/** Those that hold something, the one that something was added to last at the end. */
const holding = new Set<RecentFrames>()
let bytesOfAll = 0

/** The frames that were made last, for those who come back a moment later. Bounded in number and bytes, alone and together. */
export class RecentFrames {
  private readonly bySeq = new Map<number, { readonly frame: Frame; readonly bytes: number }>()
  private bytes = 0

  get(seq: number): Frame | undefined {
    return this.bySeq.get(seq)?.frame
  }

  add(frame: Frame): void {
    if (this.bySeq.has(frame.seq)) return
    const bytes = frame.bytes.byteLength
    this.bySeq.set(frame.seq, { frame, bytes })
    this.count(bytes)
    for (const [seq, oldest] of this.bySeq) {
      if (this.bySeq.size <= MAX_FRAMES && this.bytes <= MAX_BYTES) break
      this.bySeq.delete(seq)
      this.count(-oldest.bytes)
    }
    holding.delete(this)
    holding.add(this)
    for (const other of holding) {
      if (bytesOfAll <= MAX_BYTES_OF_ALL) return
      other.clear()
    }
  }

  clear(): void {
    this.bySeq.clear()
    this.count(-this.bytes)
    holding.delete(this)
  }

  private count(bytes: number): void {
    this.bytes += bytes
    bytesOfAll += bytes
  }
}
