import type { WritableStore } from '../state/store.ts'
import { between, type Camera, type Size } from './camera.ts'

export const GLIDE_MS = 160

export function wantsMotion(): boolean {
  return !matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Of a way that begins quickly, how much of it is behind one after a part of the time. */
export function easeOut(part: number): number {
  return 1 - (1 - Math.min(1, Math.max(0, part))) ** 3
}

/** Takes the camera to another place, briefly; at once for who wants no motion. Gives what stops it. */
export function glide(camera: WritableStore<Camera>, to: Camera, size: Size): () => void {
  const from = camera.get()
  if (!wantsMotion() || size.width === 0) {
    camera.set(to)
    return () => {}
  }
  const start = performance.now()
  let frame = 0
  const step = (now: number): void => {
    const part = (now - start) / GLIDE_MS
    camera.set(between(from, to, easeOut(part), size))
    if (part < 1) frame = requestAnimationFrame(step)
  }
  frame = requestAnimationFrame(step)
  return () => cancelAnimationFrame(frame)
}
