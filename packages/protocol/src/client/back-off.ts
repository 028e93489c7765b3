const FIRST_MS = 500
const MAX_MS = 30_000

/** How long to wait before the n-th try, from 0: twice as long each time, and never all clients at once. */
export function backOffMs(tries: number, random: () => number = Math.random): number {
  const longest = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(tries, 16))
  return longest / 2 + (random() * longest) / 2
}
