import type { WritableStore } from '../state/store.ts'
import { between, type Camera, type Size } from './camera.ts'

const GLIDE_MS = 160

/** Takes the camera to another place, briefly; at once for who wants no motion. Gives what stops it. */
export function glide(camera: WritableStore<Camera>, to: Camera, size: Size): () => void {
  const from = camera.get()
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || size.width === 0) {
    camera.set(to)
    return () => {}
  }
  const start = performance.now()
  let frame = 0
  const step = (now: number): void => {
    const part = Math.min(1, Math.max(0, (now - start) / GLIDE_MS))
    camera.set(between(from, to, 1 - (1 - part) ** 3, size))
    if (part < 1) frame = requestAnimationFrame(step)
  }
  frame = requestAnimationFrame(step)
  return () => cancelAnimationFrame(frame)
}
