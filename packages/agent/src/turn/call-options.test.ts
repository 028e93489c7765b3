import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ModelInfo, ThinkingLevel } from '../models/model.ts'
import { type ModelServer, startModelServer } from '../testing/model-server/model-server.ts'
import { modelAt, type ProviderName } from '../testing/provider-models.ts'
import { type CallRequest, callOptions } from './call-options.ts'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
  server.reply(() => ({ text: 'ok' }))
})
afterAll(() => server.close())

const { signal } = new AbortController()
const prompt: LanguageModelV4Prompt = [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }]
const tools = [{ type: 'function' as const, name: 'ls', inputSchema: { type: 'object' as const, properties: {} } }]

/** The body a call with these options has. */
async function body(
  name: ProviderName,
  { info = {}, ...request }: Partial<Omit<CallRequest, 'model'>> & { info?: Partial<ModelInfo> } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const model = modelAt(server, name, info)
  const options = callOptions({ prompt, tools, model, thinking: 'off', sessionId: 'a-session', signal, ...request })
  const { stream } = await model.language.doStream(options)
  for await (const _ of stream);
  return server.requests.at(-1)?.body ?? {}
}

describe('OpenAI', () => {
  test('stores nothing, gives its reasoning encrypted, and finds the cache by the session', async () => {
    expect(await body('openai', { thinking: 'high' })).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'a-session',
      parallel_tool_calls: true,
      reasoning: { effort: 'high', summary: 'auto' },
    })
  })

  test('a model that cannot think is not asked for reasoning, which it would refuse', async () => {
    const model = { ...modelAt(server, 'openai'), id: 'gpt-4.1' }
    const info = { ...model.info, thinking: ['off'] as const }
    const options = callOptions({ prompt, tools: [], model: { ...model, info }, thinking: 'high', signal })
    expect(options.reasoning).toBeUndefined()
    expect(options.tools).toBeUndefined()
    expect(options.providerOptions?.openai).toEqual({ store: false })
  })

  test('a very short limit is one that it accepts', async () => {
    expect(await body('openai', { maxOutput: 3, info: { thinking: ['off'] } })).toMatchObject({ max_output_tokens: 16 })
  })
})

describe('Anthropic', () => {
  test('is told how long an answer may be, and that thinking is off', async () => {
    expect(await body('anthropic')).toMatchObject({ max_tokens: 32_000, thinking: { type: 'disabled' } })
  })

  test('is asked for no more than fits behind a long prompt', async () => {
    const long: LanguageModelV4Prompt = [{ role: 'user', content: [{ type: 'text', text: 'word '.repeat(108_000) }] }]
    const { max_tokens: limit } = await body('anthropic', { prompt: long })
    expect(limit).toBe(200_000 - 180_000)
    const longer: LanguageModelV4Prompt = [{ role: 'system', content: 'word '.repeat(200_000) }, ...prompt]
    expect(await body('anthropic', { prompt: longer })).toMatchObject({ max_tokens: 4_096 })
  })

  test('thinks within a budget', async () => {
    expect(await body('anthropic', { thinking: 'low' })).toMatchObject({ thinking: { type: 'enabled' } })
  })
})

test('Google shows its thoughts when it thinks, and thinks not when told so', async () => {
  expect(await body('google', { thinking: 'low' })).toMatchObject({
    generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: expect.any(Number) } },
  })
  expect(await body('google')).toMatchObject({ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } })
})

test('a compatible server gets an effort only if its model thinks, and nothing it may not know', async () => {
  const keys = (value: object) => Object.keys(value).sort()
  const plain = await body('openai-compatible', { info: { thinking: ['off'] }, thinking: 'high', purpose: 'title' })
  expect(keys(plain)).toEqual(['messages', 'model', 'stream', 'stream_options', 'tools'])
  expect(await body('openai-compatible', { thinking: 'medium' })).toMatchObject({ reasoning_effort: 'medium' })
})

describe('thinking', () => {
  const level = (wanted: ThinkingLevel, thinking: readonly ThinkingLevel[]) =>
    callOptions({ prompt, tools, model: modelAt(server, 'openai', { thinking }), thinking: wanted, signal }).reasoning

  test.each<[ThinkingLevel, readonly ThinkingLevel[], string | undefined]>([
    ['off', ['off', 'low'], 'none'],
    ['low', ['off', 'low'], 'low'],
    ['xhigh', ['off', 'low', 'high'], 'high'],
    ['medium', ['off', 'low', 'high'], 'low'],
    ['minimal', ['off', 'low'], 'none'],
    ['off', ['minimal', 'high'], 'minimal'],
    ['high', ['off'], undefined],
    ['high', [], undefined],
  ])('%s for a model that knows %j is %s', (wanted, known, expected) => {
    expect(level(wanted, known)).toBe(expected)
  })

  test('has room besides a limited answer', () => {
    const limit = (thinking: ThinkingLevel, info: Partial<ModelInfo> = {}) =>
      callOptions({ prompt, tools, model: modelAt(server, 'openai', info), thinking, maxOutput: 100, signal })
        .maxOutputTokens
    expect(limit('off')).toBe(100)
    expect(limit('low')).toBe(100 + 8_192)
    expect(limit('low', { maxOutput: 4_000 })).toBe(4_000)
  })
})

test('what an answer is for is told to the demo', () => {
  const model = modelAt(server, 'openai-compatible')
  expect(callOptions({ prompt, tools, model, thinking: 'off', signal, purpose: 'title' }).providerOptions).toEqual({
    treeline: { purpose: 'title' },
  })
})
