import type { Page } from 'playwright-core'
import { median } from '../../statistics.ts'
import type { Facts } from '../job.ts'

/** Of each way of moving. */
const FRAMES = 30

/**
 * Turns the wheel over an element once in every frame, as a hand does that never rests: pans to and fro where things can be
 * read, zooms out, pans to and fro where everything is small, and zooms in to where it began. Gives how long each frame took
 * to come after the one before.
 */
export function driveFrames(page: Page, selector: string): Promise<readonly number[]> {
  return page.evaluate(
    async ([css, count]) => {
      const target = document.querySelector(css)!
      const { left, top, width, height } = target.getBoundingClientRect()
      const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true }
      const zoomOut = { deltaY: 8, ctrlKey: true }
      const zoomIn = { deltaY: -8, ctrlKey: true }
      const [there, back] = [
        { deltaX: 20, deltaY: -20 },
        { deltaX: -20, deltaY: 20 },
      ]
      const moves = [there, back, zoomOut, zoomOut, there, back, zoomIn, zoomIn]
      const stamps: number[] = []
      for (const move of moves) {
        for (let frame = 0; frame < count; frame++) {
          stamps.push(await new Promise<number>((done) => requestAnimationFrame(done)))
          target.dispatchEvent(new WheelEvent('wheel', { ...at, ...move }))
        }
      }
      return stamps.slice(1).map((stamp, i) => stamp - stamps[i]!)
    },
    [selector, FRAMES] as const,
  )
}

/** Facts: frames, medianMs, p95Ms. */
export function frameFacts(frames: readonly number[]): Facts {
  const sorted = [...frames].sort((a, b) => a - b)
  return { frames: frames.length, medianMs: median(sorted), p95Ms: sorted[Math.floor(sorted.length * 0.95)]! }
}
