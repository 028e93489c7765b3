import fc from 'fast-check'
import { expect, test } from 'vitest'
import { THINKING_LEVELS } from './model.ts'
import { modelInfo } from './model-info.ts'
import { MODEL_TABLE } from './model-table.ts'

const overrides = {}

test('a known model has its window, its limit, its prices and its levels', () => {
  expect(modelInfo('anthropic', 'claude-opus-5-5', { overrides })).toEqual({
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    prices: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
    thinking: ['low', 'medium', 'high', 'xhigh'],
    images: true,
  })
})

test.each([
  ['anthropic', 'claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
  ['openai', 'gpt-5.4-mini-2026-03-17', 'gpt-5.4-mini'],
  ['openai', 'gpt-6.1-sol-2026-09-29', 'gpt-6.1-sol'],
  ['google', 'gemini-3.1-pro-preview', 'gemini-3.1-pro'],
  ['google', 'gemini-2.5-flash-preview-05-20', 'gemini-2.5-flash'],
])('%s/%s is an edition of %s', (provider, id, known) => {
  expect(modelInfo(provider, id, { overrides })).toEqual(modelInfo(provider, known, { overrides }))
})

test.each([
  ['openai', 'gpt-6-sol-mini'],
  ['openai', 'gpt-5-pro'],
  ['google', 'gemini-2.5-flash-preview-tts'],
  ['anthropic', 'claude-opus-5-6'],
  ['nobody', 'gpt-5'],
  ['constructor', 'name'],
  ['openai', 'toString'],
])('%s/%s is not taken for one we know, and no price is guessed', (provider, id) => {
  expect(modelInfo(provider, id, { overrides })).toEqual({
    contextWindow: 128_000,
    maxOutput: 8_192,
    thinking: ['off'],
    images: false,
  })
})

test('an edition with a price of its own keeps it', () => {
  expect(modelInfo('openai', 'gpt-4o-2024-05-13', { overrides }).prices?.input).toBe(5)
  expect(modelInfo('openai', 'gpt-4o-2024-08-06', { overrides }).prices?.input).toBe(2.5)
})

test('a model on this machine costs nothing', () => {
  const info = modelInfo('ollama', 'qwen3:8b', { isLocal: true, overrides })
  expect(info.prices).toEqual({ input: 0, output: 0 })
})

test('what the user says wins, field by field, and only for that model', () => {
  const said = { 'openai/gpt-5': { contextWindow: 9, prices: { input: 1, output: 2 } }, 'ollama/x': { images: true } }
  expect(modelInfo('openai', 'gpt-5', { overrides: said })).toMatchObject({
    contextWindow: 9,
    maxOutput: 128_000,
    prices: { input: 1, output: 2 },
  })
  expect(modelInfo('openai', 'gpt-5-mini', { overrides: said }).contextWindow).toBe(400_000)
  expect(modelInfo('ollama', 'x', { isLocal: true, overrides: said }).images).toBe(true)
})

test('every row of the table is one that a call can be made with', () => {
  for (const [provider, rows] of Object.entries(MODEL_TABLE)) {
    for (const [id, { contextWindow, maxOutput, prices, thinking }] of Object.entries(rows)) {
      const at = `${provider}/${id}`
      expect(maxOutput, at).toBeLessThan(contextWindow)
      expect(prices.output, at).toBeGreaterThanOrEqual(prices.input)
      expect(prices.cacheRead ?? 0, at).toBeLessThanOrEqual(prices.input)
      // In the order from little to much, without doubles.
      expect(thinking, at).toEqual(THINKING_LEVELS.filter((level) => thinking.includes(level)))
      expect(thinking, at).not.toEqual([])
    }
  }
})

test('any name gets an answer', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (provider, id) => {
      expect(modelInfo(provider, id, { overrides }).contextWindow).toBeGreaterThan(0)
    }),
  )
})
