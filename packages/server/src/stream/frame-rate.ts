import type { StreamLimits } from './stream-limits.ts'

/** How many frames a client may still send: many at once when it comes back, few a second for good. */
export class FrameRate {
  private readonly limits: Pick<StreamLimits, 'frameBurst' | 'framesPerSecond'>
  private left: number
  private atMs = performance.now()

  constructor(limits: Pick<StreamLimits, 'frameBurst' | 'framesPerSecond'>) {
    this.limits = limits
    this.left = limits.frameBurst
  }

  /** Takes one; false when there is none left. */
  take(): boolean {
    const { frameBurst, framesPerSecond } = this.limits
    const now = performance.now()
    this.left = Math.min(frameBurst, this.left + ((now - this.atMs) / 1_000) * framesPerSecond)
    this.atMs = now
    if (this.left < 1) return false
    this.left--
    return true
  }
}
