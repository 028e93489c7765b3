import type { View } from '../lay-out.ts'
import type { Places } from '../to-places.ts'

const SIZE = { width: 10, height: 10 }

export const VIEW: View = {
  shown: new Uint8Array(0),
  trunkFirst: true,
  minRun: 3,
  maxFolded: 3,
  sizes: { node: SIZE, segment: { width: 10, height: 15 }, branch: SIZE, more: SIZE },
  gaps: { beside: 3, below: 2, trees: 5 },
}

export function placesOf(parent: Iterable<number>, leaf: number, flags: readonly number[] = []): Places {
  const parents = Int32Array.from(parent)
  return { parent: parents, flags: Uint8Array.from(parents, (_, i) => flags[i] ?? 0), orders: new Int32Array(0), leaf }
}

/** `shown` with this bit at these places. */
export function shownAt(bit: number, ...places: number[]): Uint8Array {
  const shown = new Uint8Array(Math.max(0, ...places) + 1)
  for (const place of places) shown[place]! |= bit
  return shown
}
