import type { Frame } from './frame.ts'

export const MAX_FRAMES = 2_000
const MAX_BYTES = 8 * 1024 * 1024

/** The frames that were made last, for those who come back a moment later. Bounded in number and bytes. */
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
    this.bytes += bytes
    for (const [seq, oldest] of this.bySeq) {
      if (this.bySeq.size <= MAX_FRAMES && this.bytes <= MAX_BYTES) return
      this.bySeq.delete(seq)
      this.bytes -= oldest.bytes
    }
  }

  clear(): void {
    this.bySeq.clear()
    this.bytes = 0
  }
}
