import type { Usage } from '@treeline/store'

/** What some part of the sessions amounts to. */
export interface Tally {
  messages: number
  toolCalls: number
  answers: number
  inputTokens: number
  outputTokens: number
  cacheReadTokens: number
  cacheWriteTokens: number
  cost: number
}

export function emptyTally(): Tally {
  return {
    messages: 0,
    toolCalls: 0,
    answers: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cost: 0,
  }
}

export function addTally(sum: Tally, more: Partial<Tally>): void {
  for (const [key, value] of Object.entries(more)) sum[key as keyof Tally] += value
}

export function usageTally(answers: number, usage: Usage): Tally {
  return { ...emptyTally(), answers, ...usage }
}

/** Sums by name, in the order in which the names came. */
export class TallyBy<K> {
  readonly sums = new Map<K, Tally>()

  add(key: K, more: Partial<Tally>): void {
    let sum = this.sums.get(key)
    if (sum === undefined) {
      sum = emptyTally()
      this.sums.set(key, sum)
    }
    addTally(sum, more)
  }

  /** What cost most first, then what has most tokens. */
  byCost(): readonly (readonly [K, Tally])[] {
    return [...this.sums].sort(([, a], [, b]) => b.cost - a.cost || tokensOf(b) - tokensOf(a))
  }
}

export function tokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Tally): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens
}
