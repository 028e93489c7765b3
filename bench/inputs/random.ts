/** Chance that is the same on every run: numbers measured today and tomorrow are about the same bytes. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from `min` to `max`. */
  int(min: number, max: number): number
  /** Like `int`, small numbers more often: each doubling is equally likely. */
  size(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    size: (min, max) => Math.round(min * (max / min) ** next()),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)]!,
  }
}
