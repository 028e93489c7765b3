import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Usage } from '@treeline/core'
import type { ModelInfo, Prices } from '../models/model.ts'

type Tokens = Pick<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>
type Cost = NonNullable<Usage['cost']>

const PRICED_TOKENS = 1_000_000
const FREE: Prices = { input: 0, output: 0 }

/** Of a call that told nothing. Pi counts the cost of every answer, and xcsh does not open a session where one has none. */
export const NO_USAGE: Usage = {
  ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

/**
 * What a call took, as logs keep it: `input` without what came from a cache, `output` with the thinking. What has no known
 * price costs 0, as other tools write it.
 */
export function readUsage({ inputTokens, outputTokens }: LanguageModelV4Usage, info: Pick<ModelInfo, 'prices'>): Usage {
  const cacheRead = count(inputTokens.cacheRead)
  const cacheWrite = count(inputTokens.cacheWrite)
  const input =
    inputTokens.noCache === undefined
      ? Math.max(0, count(inputTokens.total) - cacheRead - cacheWrite)
      : count(inputTokens.noCache)
  const reasoning = count(outputTokens.reasoning)
  const output = outputTokens.total === undefined ? count(outputTokens.text) + reasoning : count(outputTokens.total)
  const tokens = { input, output, cacheRead, cacheWrite }
  return {
    ...tokens,
    totalTokens: input + output + cacheRead + cacheWrite,
    ...(reasoning > 0 && { reasoning }),
    cost: priceOf(tokens, info.prices ?? FREE),
  }
}

/** What is known of only one of them is counted as that one says. */
export function addUsage(a: Usage, b: Usage): Usage {
  const { totalTokens, reasoning, cost } = {
    totalTokens: addKnown(a.totalTokens, b.totalTokens),
    reasoning: addKnown(a.reasoning, b.reasoning),
    cost: a.cost && b.cost ? addCost(a.cost, b.cost) : (a.cost ?? b.cost),
  }
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    ...(totalTokens !== undefined && { totalTokens }),
    ...(reasoning !== undefined && { reasoning }),
    ...(cost !== undefined && { cost }),
  }
}

/** A provider's numbers are foreign input: what is no count is none. */
function count(value: number | null | undefined): number {
  return typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER ? Math.floor(value) : 0
}

function priceOf(tokens: Tokens, prices: Prices): Cost {
  const price = (amount: number, each: number): number => (amount * each) / PRICED_TOKENS
  const input = price(tokens.input, prices.input)
  const output = price(tokens.output, prices.output)
  const cacheRead = price(tokens.cacheRead, prices.cacheRead ?? prices.input)
  const cacheWrite = price(tokens.cacheWrite, prices.cacheWrite ?? prices.input)
  return { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite }
}

function addCost(a: Cost, b: Cost): Cost {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    total: a.total + b.total,
  }
}

function addKnown(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0)
}
