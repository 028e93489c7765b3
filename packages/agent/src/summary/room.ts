import type { AgentEnv } from '../env.ts'
import type { Model } from '../models/model.ts'

/** What a question about a conversation may hold of it, in tokens, and how long the answer may be. */
export interface Room {
  readonly tokens: number
  /** How much may be added beyond that for something worth it. */
  readonly spare: number
  readonly maxOutput: number
}

/** Of what is kept free, most is for the answer; the rest for our own words. */
const OUTPUT_SHARE = 0.8
const SPARE_SHARE = 0.1

/** The model's window without what is kept free; of a small window, half. */
export function roomFor({ settings }: AgentEnv, { info }: Model, taken = 0): Room {
  const { contextWindow, maxOutput } = info
  const tokens = Math.max(contextWindow - settings.branchSummary.reserveTokens, Math.floor(contextWindow / 2))
  const free = contextWindow - tokens
  return {
    tokens: Math.max(1, tokens - taken),
    spare: Math.floor(free * SPARE_SHARE),
    maxOutput: Math.max(1, Math.min(maxOutput, Math.floor(free * OUTPUT_SHARE))),
  }
}
