import type { AgentMessage } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import type { ModelInfo } from '../models/model.ts'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { choosePolicy } from './choose-policy.ts'
import { toItems } from './compaction-items.ts'
import { neovatePolicy } from './neovate-policy.ts'
import { piPolicy } from './pi-policy.ts'
import type { CompactionPolicy } from './policy.ts'

const modelOf = (contextWindow: number, maxOutput = 4_096): ModelInfo => ({
  contextWindow,
  maxOutput,
  thinking: ['off'],
  images: false,
})

/** The least number of tokens at which a policy compacts. */
function thresholdOf(policy: CompactionPolicy, model: ModelInfo, fixedTokens = 0): number {
  let [low, high] = [0, model.contextWindow * 2]
  while (low < high) {
    const tokens = Math.floor((low + high) / 2)
    if (policy.shouldCompact({ tokens, fixedTokens, model })) high = tokens
    else low = tokens + 1
  }
  return low
}

const said = (role: string, chars: number, more: object = {}) =>
  ({
    role,
    content: [{ type: 'text', text: 'x'.repeat(chars) }, ...((more as { calls?: object[] }).calls ?? [])],
    ...more,
  }) as unknown as AgentMessage
const items = (messages: readonly AgentMessage[], pendingId?: string) =>
  toItems(
    messages.map((message, i) => ({ nodeId: `n${i}`, message })),
    1,
    pendingId,
  )
const call = (id: string) => ({ calls: [{ type: 'toolCall', id, name: 'read', arguments: {} }] })
const resultOf = (id: string, chars: number) => said('toolResult', chars, { toolCallId: id })

describe("Pi's policy", () => {
  const policy = piPolicy({ reserveTokens: 16_384, keepRecentTokens: 20_000 })

  test('M11 compacts when more than the window without the reserve is used', () => {
    expect(thresholdOf(policy, modelOf(200_000))).toBe(200_000 - 16_384 + 1)
    expect(thresholdOf(policy, modelOf(32_768))).toBe(16_385)
  })

  test('a model of 8k or 4k has room for a conversation beside its system prompt', () => {
    expect(thresholdOf(policy, modelOf(8_192))).toBe(4_097)
    expect(thresholdOf(policy, modelOf(4_096), 2_000)).toBe(4_096 - 1_048 + 1)
    const list = items(Array.from({ length: 20 }, (_, i) => said(i % 2 === 0 ? 'user' : 'assistant', 1_000)))
    const cut = policy.findCut(list, { tokens: 5_000, fixedTokens: 0, model: modelOf(8_192) })
    expect(cut).toBe(11)
  })

  test('M12 keeps the newest 20,000 tokens, from the first place behind them where a cut may be', () => {
    const size = { tokens: 190_000, fixedTokens: 0, model: modelOf(200_000) }
    const long = items(Array.from({ length: 100 }, (_, i) => said(i % 2 === 0 ? 'user' : 'assistant', 4_000)))
    expect(policy.findCut(long, size)).toBe(80)
    const tools = items([
      said('user', 400),
      said('assistant', 400, call('a')),
      resultOf('a', 100_000),
      said('assistant', 400, call('b')),
      resultOf('b', 40_000),
    ])
    expect(policy.findCut(tools, size)).toBe(3)
  })

  test('M12 never cuts before a tool result, also when nothing else follows', () => {
    const size = { tokens: 190_000, fixedTokens: 0, model: modelOf(200_000) }
    const list = items([said('user', 400), said('assistant', 400, call('a')), resultOf('a', 200_000)])
    expect(list.map(({ canStart }) => canStart)).toEqual([true, true, false])
    expect(policy.findCut(list, size)).toBe(1)
  })

  test('a call and a result far from it are not torn apart', () => {
    const list = items([said('assistant', 4, call('a')), said('user', 4), resultOf('a', 4), said('user', 4)])
    expect(list.map(({ canStart }) => canStart)).toEqual([true, false, false, true])
  })

  test('what is less than is to be kept is not cut', () => {
    const size = { tokens: 190_000, fixedTokens: 0, model: modelOf(200_000) }
    expect(policy.findCut(items([said('user', 400), said('assistant', 400)]), size)).toBe(0)
    expect(policy.findCut([], size)).toBe(0)
  })
})

describe("Neovate's policy", () => {
  const policy = neovatePolicy()

  test.each([
    // window, output, threshold: N66–N69
    [32_768, 4_096, 25_805],
    [32_768, 32_000, 25_600],
    [65_536, 8_192, 51_610],
    [131_072, 8_192, 110_592],
    [200_000, 64_000, 160_000],
    [200_000, 8_192, 172_628],
    [1_000_000, 64_000, 960_000],
    [100_000, 64_000, 80_000],
  ])('N69 compacts a window of %d with %d of output at %d tokens', (contextWindow, maxOutput, tokens) => {
    expect(thresholdOf(policy, modelOf(contextWindow, maxOutput))).toBe(tokens)
  })

  test('X62 a window smaller than the least number of tokens is compacted all the same', () => {
    expect(thresholdOf(policy, modelOf(16_384))).toBe(13_108)
    expect(thresholdOf(policy, modelOf(8_192))).toBe(6_554)
  })

  test('X60 keeps nothing but the prompt that waits', () => {
    const size = { tokens: 1, fixedTokens: 0, model: modelOf(32_768) }
    const answered = [said('user', 4), said('assistant', 4)]
    expect(policy.findCut(items(answered), size)).toBe(2)
    expect(policy.findCut(items([...answered, said('user', 4)]), size)).toBe(2)
    expect(policy.findCut(items(answered, 'n0'), size)).toBe(2)
  })
})

test('M14 the settings choose the policy and its numbers', () => {
  const { compaction } = DEFAULT_SETTINGS
  expect(choosePolicy({ compaction: { ...compaction, policy: 'neovate' } }).name).toBe('neovate')
  const policy = choosePolicy({ compaction: { ...compaction, reserveTokens: 1_000 } })
  expect(policy.name).toBe('pi')
  expect(thresholdOf(policy, modelOf(100_000))).toBe(99_001)
})
