import { describe, expect, test } from 'vitest'
import { neovatePolicy } from './compression.ts'
import { filterMessages } from './filter-messages.ts'
import { History } from './history.ts'
import type { NormalizedMessage } from './normalized-message.ts'

const model = (context: number, output = 8192) => ({ model: { limit: { context, output } } })
const said = (uuid: string, parentUuid: string | null, role: 'user' | 'assistant' | 'tool', tokens?: number) =>
  ({
    uuid,
    parentUuid,
    role,
    content: uuid,
    ...(tokens !== undefined && { usage: { input_tokens: tokens - 10, output_tokens: 10 } }),
    type: 'message',
    timestamp: '2025-01-01T00:00:00.000Z',
  }) as NormalizedMessage

describe('N66–N69 the thresholds of Neovate', () => {
  test.each([
    [32_768, 8192, 25_600],
    [65_536, 8192, (65_536 - 8192) * 0.9],
    [131_072, 8192, (131_072 - 8192) * 0.9],
    [131_072, 64_000, 131_072 - 30_000],
    [200_000, 64_000, 160_000],
    [1_000_000, 64_000, 960_000],
    [100_000, 64_000, 80_000],
  ])('of a context of %d with an output of %d', (context, output, threshold) => {
    expect(neovatePolicy.threshold(model(context, output))).toBe(threshold)
  })

  test('X62 a small context has one that can be reached', () => {
    expect(neovatePolicy.threshold(model(16_000, 4000))).toBeLessThan(16_000)
  })
})

const long = [said('u', null, 'user'), said('a', 'u', 'assistant', 30_000)]

test('N70 nothing to compact, or no need to: nothing happens', async () => {
  const compact = async () => 'never'
  expect(await new History({ compact }).compress(model(32_768))).toEqual({ compressed: false })
  const short = [said('u', null, 'user'), said('a', 'u', 'assistant', 20_000)]
  expect(await new History({ messages: short, compact }).compress(model(32_768))).toEqual({ compressed: false })
})

test('N74 a user may ask for it at any time', async () => {
  const history = new History({
    messages: [said('u', null, 'user'), said('a', 'u', 'assistant', 50)],
    compact: async () => 's',
  })
  expect(await history.compress(model(200_000), { force: true })).toEqual({ compressed: true, summary: 's' })
})

test('N72 X60 the summary is in the history and durable before it, and the waiting prompt is still asked', async () => {
  const written: NormalizedMessage[] = [...long, said('p', 'a', 'user')]
  let inMemory = 0
  const history = new History({
    messages: written,
    onMessage: (message) => {
      inMemory = history.messages.length
      written.push(message)
    },
    compact: async ({ messages }) => ({ summary: `of ${messages.map(({ uuid }) => uuid).join()}` }),
  })
  expect(await history.compress(model(32_768))).toEqual({ compressed: true, summary: 'of u,a' })
  expect(inMemory).toBe(3)
  const [summary, prompt] = history.messages
  expect(history.messages).toHaveLength(2)
  expect(summary).toMatchObject({
    parentUuid: null,
    role: 'user',
    content: [{ type: 'text', text: 'of u,a' }],
    uiContent: 'Chat history compacted successfully.',
    summarizedFrom: 'a',
  })
  expect(prompt).toMatchObject({ parentUuid: summary!.uuid, content: 'p' })
  // What is resumed is what is in memory.
  expect(filterMessages(written)).toEqual(history.messages)
})

test('X63 a prompt that is too long by itself counts', async () => {
  const compact = async () => 'short'
  const prompt = { ...said('p', 'a', 'user'), content: 'x'.repeat(80_000) }
  const history = new History({
    messages: [said('u', null, 'user'), said('a', 'u', 'assistant', 10_000), prompt],
    compact,
  })
  expect(await history.compress(model(32_768))).toMatchObject({ compressed: true })
})

test('X69 results at the end are not parted from their calls', async () => {
  const messages = [...long, { ...said('t', 'a', 'tool'), content: [{ type: 'tool-result', toolCallId: 'c' }] }]
  const history = new History({ messages, compact: async () => 'all of it' })
  await history.compress(model(32_768))
  expect(history.messages).toHaveLength(1)
})

test('N71 failures are told, and the history is as it was', async () => {
  const fails = new History({ messages: long, compact: () => Promise.reject(new Error('no model')) })
  await expect(fails.compress(model(32_768))).rejects.toThrow('History compaction failed: no model')
  const blank = new History({ messages: long, compact: async () => ({ summary: ' \n' }) })
  await expect(blank.compress(model(32_768))).rejects.toThrow('Generated summary is empty')
  await expect(new History({ messages: long }).compress(model(32_768))).rejects.toThrow(/without `compact`/)
  expect([fails.messages, blank.messages]).toEqual([long, long])
})
