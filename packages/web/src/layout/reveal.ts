import { Shown } from './folding.ts'
import { type Forest, isPlace, SLOT } from './forest.ts'

/** What must be opened for a node to stand in sight by itself: `shown` with that added. Costs the way to the root. */
export function reveal(forest: Forest, shown: Uint8Array, place: number): Uint8Array {
  const revealed = new Uint8Array(Math.max(shown.length, forest.end - SLOT))
  revealed.set(shown)
  if (!isPlace(forest, place)) return revealed
  revealed[place]! |= Shown.opened
  for (let slot = place + SLOT; slot >= SLOT; slot = forest.parent[slot]!) {
    const above = forest.parent[slot]!
    if (above >= SLOT) revealed[above - SLOT]! &= ~Shown.closed
    if (above < SLOT || forest.childCount[above]! > 1) revealed[slot - SLOT]! |= Shown.opened
  }
  return revealed
}
