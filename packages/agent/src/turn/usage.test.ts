import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addUsage, readUsage } from './usage.ts'

const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }

const said = (
  input: Partial<LanguageModelV4Usage['inputTokens']>,
  output: Partial<LanguageModelV4Usage['outputTokens']>,
) => ({
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined, ...input },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined, ...output },
})

test('T18 tokens and their price are counted once each', () => {
  const usage = said(
    { total: 1_000_000, noCache: 700_000, cacheRead: 200_000, cacheWrite: 100_000 },
    { total: 50_000, reasoning: 9 },
  )
  expect(readUsage(usage, { prices })).toEqual({
    input: 700_000,
    output: 50_000,
    cacheRead: 200_000,
    cacheWrite: 100_000,
    totalTokens: 1_050_000,
    reasoning: 9,
    cost: { input: 2.1, output: 0.75, cacheRead: 0.06, cacheWrite: 0.375, total: 3.285 },
  })
})

test('what a provider leaves out is taken from what it says', () => {
  expect(readUsage(said({ total: 100, cacheRead: 30 }, { text: 5, reasoning: 2 }), {})).toEqual({
    input: 70,
    output: 7,
    cacheRead: 30,
    cacheWrite: 0,
    totalTokens: 107,
    reasoning: 2,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  })
})

test('without prices the cost is 0, which Pi has to find, and a cache without a price costs what the rest does', () => {
  const usage = said({ noCache: 10, cacheRead: 10 }, { total: 10 })
  expect(readUsage(usage, {}).cost?.total).toBe(0)
  expect(readUsage(usage, { prices: { input: 1, output: 0 } }).cost?.cacheRead).toBe(0.00001)
})

const anything = fc.oneof(
  fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY, -1, -0.5, 1e308, 2 ** 60, 0, 0.4),
  fc.nat(),
  fc.constantFrom('12', null) as unknown as fc.Arbitrary<number>,
)

test('numbers that are none never reach the log', () => {
  const usages = fc.record({
    inputTokens: fc.record({ total: anything, noCache: anything, cacheRead: anything, cacheWrite: anything }),
    outputTokens: fc.record({ total: anything, text: anything, reasoning: anything }),
  })
  fc.assert(
    fc.property(usages, usages, (a, b) => {
      const { cost, ...tokens } = addUsage(readUsage(a, { prices }), readUsage(b, { prices }))
      for (const value of Object.values(tokens)) expect(Number.isInteger(value) && value >= 0).toBe(true)
      for (const value of Object.values(cost ?? {})) expect(Number.isFinite(value) && value >= 0).toBe(true)
      expect(tokens.totalTokens).toBe(tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite)
    }),
  )
})

test('sums keep what only one side knows', () => {
  const bare = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }
  const priced = readUsage(said({ noCache: 1_000_000 }, { total: 0 }), { prices })
  expect(addUsage(bare, bare)).toEqual({ input: 2, output: 4, cacheRead: 6, cacheWrite: 8 })
  expect(addUsage(bare, priced)).toMatchObject({ input: 1_000_001, totalTokens: 1_000_000, cost: { total: 3 } })
  expect(addUsage(priced, priced)).toMatchObject({ totalTokens: 2_000_000, cost: { input: 6, total: 6 } })
})
