/** Longer words are no slips. */
const MAX_CHARS = 64

/** The known word that a mistyped one most likely means; `undefined` when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_CHARS) return undefined
  let best: { readonly word: string; readonly distance: number } | undefined
  for (const candidate of known) {
    const distance = candidate.startsWith(word) && word.length > 1 ? 1 : distanceBetween(word, candidate)
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { word: candidate, distance }
  }
  return best !== undefined && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.word : undefined
}

/** Letters to add, take away or exchange, and neighbours that changed places: the slips of somebody who types. */
function distanceBetween(a: string, b: string): number {
  let before: readonly number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const exchanged = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? before[j - 2]! + 1 : exchanged
      next.push(Math.min(exchanged, swapped, row[j]! + 1, next[j - 1]! + 1))
    }
    before = row
    row = next
  }
  return row[b.length]!
}
