import { findLineEnd, hasSecondHead, type LineEnd, SEAM_BYTES } from './framing.ts'
import { openWindow } from './window.ts'

/** Looks for a second head in a line of which the bytes come piece by piece and need not be kept. */
export class SecondHeadSearch {
  isFound = false
  private readonly end: LineEnd = { at: -1, suspicious: false }
  private before: Uint8Array

  /** `before` is not searched, but a head may begin in it. */
  constructor(before: Uint8Array = new Uint8Array()) {
    this.before = before.slice(-SEAM_BYTES)
  }

  push(piece: Uint8Array): void {
    const { before, end } = this
    if (this.isFound || piece.length === 0) return
    findLineEnd(openWindow(piece), 0, end)
    const seam = Uint8Array.of(...before, ...piece.subarray(0, SEAM_BYTES))
    this.isFound = end.suspicious || (before.length > 0 && hasSecondHead(seam))
    this.before = piece.length < SEAM_BYTES ? seam.slice(-SEAM_BYTES) : piece.slice(-SEAM_BYTES)
  }
}
