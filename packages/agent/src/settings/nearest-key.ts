/** Longer words are no slips of the keyboard. */
const MAX_CHARS = 40

/** The known key somebody most likely meant; `undefined` when none is near. Case does not matter. */
export function findNearestKey(key: string, known: readonly string[]): string | undefined {
  if (key.length > MAX_CHARS) return undefined
  const allowed = Math.max(1, Math.floor(key.length / 3))
  const ranked = known.map((candidate) => ({
    candidate,
    slips: countSlips(key.toLowerCase(), candidate.toLowerCase()),
  }))
  const best = ranked.sort((a, b) => a.slips - b.slips)[0]
  return best !== undefined && best.slips <= allowed ? best.candidate : undefined
}

/** How many letters have to be added, taken away or exchanged. */
function countSlips(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++) {
      next.push(Math.min(row[j]! + (from[i] === to[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
