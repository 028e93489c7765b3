import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Model } from '../../models/model.ts'
import { callModel } from '../../turn/call-model.ts'
import { callOptions } from '../../turn/call-options.ts'
import { readModelError } from '../../turn/model-error.ts'
import { signatureOf } from '../../turn/signature.ts'
import { readUsage } from '../../turn/usage.ts'
import { withWatchdog } from '../../turn/watchdog.ts'
import { modelAt, PROVIDERS } from '../provider-models.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import type { Refusal } from './reply.ts'

let server: ModelServer
beforeEach(async () => {
  server = await startModelServer()
})
afterEach(() => server.close())

interface Asked {
  readonly signal?: AbortSignal
  readonly onPart?: (part: LanguageModelV4StreamPart) => void
  readonly stallMs?: number
}

/** What a model said, and what went wrong, by way of the real provider package. */
async function ask(model: Model, { signal = new AbortController().signal, onPart, stallMs = 0 }: Asked = {}) {
  const parts: LanguageModelV4StreamPart[] = []
  const dog = withWatchdog(signal, stallMs)
  const options = callOptions({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
    tools: [{ type: 'function', name: 'ls', inputSchema: { type: 'object', properties: {} } }],
    model,
    thinking: 'low',
    sessionId: 'a-session',
    signal: dog.signal,
  })
  let error: unknown
  try {
    for await (const part of callModel(model.language, options, dog)) {
      parts.push(part)
      onPart?.(part)
    }
  } catch (thrown) {
    error = thrown
  } finally {
    dog.end()
  }
  const textOf = (type: 'text-delta' | 'reasoning-delta') =>
    parts.flatMap((part) => (part.type === type ? [part.delta] : [])).join('')
  return {
    text: textOf('text-delta'),
    thinking: textOf('reasoning-delta'),
    signatures: parts.flatMap((part) => {
      const found = 'providerMetadata' in part && signatureOf(part.providerMetadata, model.provider)
      return found ? [found] : []
    }),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [part] : [])),
    finish: parts.flatMap((part) => (part.type === 'finish' ? [part] : []))[0],
    error,
    judged: error === undefined ? undefined : readModelError(error, model),
  }
}

describe.each(PROVIDERS)('%s, by its own package', (name) => {
  test('text, thinking, tool calls and usage come through whole', async () => {
    const model = modelAt(server, name)
    server.reply({
      thinking: 'Hm, let me see. 🤔',
      text: 'Grüße aus dem Süden: 東京 👩‍👩‍👧 and more.',
      toolCalls: [
        { id: 'call_a', name: 'ls', input: { path: 'a "b"\n' } },
        { id: 'call_b', name: 'ls', input: {} },
      ],
      usage: { input: 1_000, output: 50, cacheRead: 400, reasoning: 12 },
      chunkChars: 3,
    })
    const said = await ask(model)
    expect(said.error).toBeUndefined()
    expect(said.text).toBe('Grüße aus dem Süden: 東京 👩‍👩‍👧 and more.')
    expect(said.thinking).toBe('Hm, let me see. 🤔')
    expect(said.calls.map(({ toolCallId, toolName, input }) => [toolCallId, toolName, JSON.parse(input)])).toEqual([
      ['call_a', 'ls', { path: 'a "b"\n' }],
      ['call_b', 'ls', {}],
    ])
    expect(said.finish?.finishReason.unified).toBe('tool-calls')
    expect(said.finish && readUsage(said.finish.usage, model.info)).toMatchObject({
      input: 600,
      output: 50,
      cacheRead: 400,
      totalTokens: 1_050,
    })
  })

  test('an answer of a megabyte in small pieces comes through whole', async () => {
    const text = 'All work and no play makes Jack a dull boy. '.repeat(24_000)
    server.reply({ text, chunkChars: 500 })
    const said = await ask(modelAt(server, name))
    expect(said.text.length).toBe(text.length)
    expect(said.text === text).toBe(true)
  })

  test('an answer that reached its limit says so', async () => {
    server.reply({ text: 'Once upon a', stop: 'length' })
    const said = await ask(modelAt(server, name))
    expect(said).toMatchObject({ text: 'Once upon a', finish: { finishReason: { unified: 'length' } } })
  })

  test('an answer that was filtered says so', async () => {
    server.reply({ text: 'I', stop: 'filter' })
    expect((await ask(modelAt(server, name))).finish?.finishReason.unified).toBe('content-filter')
  })

  test('an empty answer ends in good order with nothing in it', async () => {
    server.reply({})
    const said = await ask(modelAt(server, name))
    expect(said).toMatchObject({ text: '', calls: [], finish: { finishReason: { unified: 'stop' } } })
  })

  test('a slow answer is passed on piece by piece', async () => {
    let open: () => void = () => {}
    const seen: string[] = []
    const gate = (index: number) => (index === 0 ? Promise.resolve() : new Promise<void>((resolve) => (open = resolve)))
    server.reply({ text: 'onetwo', chunkChars: 3, fault: { type: 'slow', gate } })
    const said = await ask(modelAt(server, name), {
      onPart: (part) => {
        if (part.type !== 'text-delta') return
        seen.push(part.delta)
        // The second piece is still held back: this one cannot have waited for it.
        open()
      },
    })
    expect(seen).toEqual(['one', 'two'])
    expect(said.text).toBe('onetwo')
  })

  test('a connection that is cut keeps what came and may be retried', async () => {
    server.reply({ text: 'one two three four', chunkChars: 4, fault: { type: 'cut', after: 2 } })
    const said = await ask(modelAt(server, name))
    expect(said.text).toBe('one two ')
    expect(said.judged).toMatchObject({ code: 'provider_error', isRetryable: true })
    expect(said.judged?.message).toMatch(/broke/)
  })

  test('a stream that just ends is no finished answer', async () => {
    server.reply({ text: 'one two three', chunkChars: 4, fault: { type: 'no_finish' } })
    const said = await ask(modelAt(server, name))
    expect(said.text).toBe('one two three')
    const isWhole = said.error === undefined && said.finish?.finishReason.unified === 'stop'
    expect(isWhole).toBe(false)
    if (said.error === undefined) expect(said.finish?.finishReason.unified).toBe('interrupted')
    else expect(said.judged).toMatchObject({ code: 'provider_error', isRetryable: true })
  })

  test.each([0, 2])('half an event after %i pieces is an error that may be retried', async (after) => {
    server.reply({ text: 'one two three four', chunkChars: 4, fault: { type: 'malformed_json', after } })
    const said = await ask(modelAt(server, name))
    expect(said.text.length).toBeLessThanOrEqual(8)
    expect(said.judged).toMatchObject({ code: 'provider_error', isRetryable: true })
    expect(said.judged?.message).not.toContain('half of')
  })

  test('bytes that are no UTF-8 do not lose the rest', async () => {
    server.reply({ text: 'before', fault: { type: 'bad_utf8' } })
    const said = await ask(modelAt(server, name))
    expect(said.text).toMatch(/^before\ufffd+\(?$/)
    expect(said.finish?.finishReason.unified).toBe('stop')
  })

  test.each([0, 2])('an overload told of after %i pieces may be retried', async (after) => {
    server.reply({ text: 'one two three four', chunkChars: 4, fault: { type: 'stream_error', after } })
    const said = await ask(modelAt(server, name))
    expect(said.judged).toMatchObject({ code: 'provider_error', isRetryable: true })
    expect(said.text.length).toBeLessThanOrEqual(8)
  })

  test('a page instead of a stream is no answer', async () => {
    server.reply({ fault: { type: 'wrong_type' } })
    const said = await ask(modelAt(server, name))
    expect(said.text).toBe('')
    if (said.error === undefined) expect(said.finish?.finishReason.unified).not.toBe('stop')
    else expect(said.judged).toMatchObject({ code: 'provider_error', isRetryable: true })
  })

  const REFUSALS: readonly (readonly [Refusal, string, boolean])[] = [
    ['rate_limit', 'rate_limited', true],
    ['overloaded', 'provider_error', true],
    ['server_error', 'provider_error', true],
    ['overflow', 'context_overflow', false],
    ['unauthorized', 'unauthorized', false],
    ['no_model', 'validation_failed', false],
    ['content_filter', 'provider_error', false],
  ]
  test.each(REFUSALS)('refused with %s: %s, may be retried: %s', async (type, code, isRetryable) => {
    server.reply({ fault: { type } })
    const { judged } = await ask(modelAt(server, name))
    expect(judged).toMatchObject({ code, isRetryable })
    expect(judged?.message).not.toMatch(/sk-test|<html|<h1/)
    expect(judged?.message.startsWith('The provider has no model') || judged?.message.includes(name)).toBe(true)
  })

  test('the wait a provider asks for is read from its headers', async () => {
    server.reply([
      { fault: { type: 'rate_limit', headers: { 'retry-after': '7' } } },
      { fault: { type: 'rate_limit', headers: { 'retry-after-ms': '1500' } } },
      { fault: { type: 'overloaded', headers: { 'retry-after': '3' } } },
    ])
    const model = modelAt(server, name)
    expect((await ask(model)).judged?.retryAfterMs).toBe(7_000)
    expect((await ask(model)).judged?.retryAfterMs).toBe(1_500)
    expect((await ask(model)).judged?.retryAfterMs).toBe(3_000)
  })

  test('a cancelled call is told from a failed one, and the server hears of it', async () => {
    const cancel = new AbortController()
    const never = (index: number) => (index < 1 ? Promise.resolve() : new Promise<void>(() => {}))
    server.reply({ text: 'one two', chunkChars: 4, fault: { type: 'slow', gate: never } })
    const said = await ask(modelAt(server, name), {
      signal: cancel.signal,
      onPart: ({ type }) => type === 'text-delta' && cancel.abort(),
    })
    expect(said.text).toBe('one ')
    expect(said.judged).toMatchObject({ isAborted: true, isRetryable: false })
    await (await server.request(0)).closed
  })

  test('where nothing listens, the message says where', async () => {
    const model = modelAt(server, name)
    const { url } = server
    await server.close()
    const { judged } = await ask(model)
    expect(judged).toMatchObject({ code: 'provider_error', isRetryable: true })
    expect(judged?.message).toContain(`nothing answers at ${url}; is it running?`)
  })

  test('a base URL that leads nowhere is said to be one', async () => {
    // All that is asked for lands in the query, and the path is nobody's.
    const { judged } = await ask(modelAt({ url: `${server.url}/elsewhere?` }, name))
    expect(judged).toMatchObject({ code: 'provider_error', isRetryable: false, status: 404 })
    expect(judged?.message).toBe(
      `${server.url}/elsewhere answered "not found": Not Found. Check the provider's base URL.`,
    )
  })
})

/** Long enough that a busy machine is not taken for a silent server; all providers wait at once. */
const STALL_MS = 1_000

test('a server that never answers is given up, and hears of it', async () => {
  server.reply(() => ({ fault: { type: 'silent' } }))
  const answers = await Promise.all(PROVIDERS.map((name) => ask(modelAt(server, name), { stallMs: STALL_MS })))
  for (const { judged } of answers) {
    expect(judged).toMatchObject({ code: 'provider_error', isRetryable: true })
    expect(judged?.message).toMatch(/said nothing for 1 s/)
  }
  await Promise.all(PROVIDERS.map(async (_, index) => (await server.request(index)).closed))
})

test('an answer that stalls in the middle is given up, and what came of it is there', async () => {
  const gate = (index: number) => (index < 2 ? Promise.resolve() : new Promise<void>(() => {}))
  server.reply(() => ({ text: 'one two three', chunkChars: 4, fault: { type: 'slow', gate } }))
  const answers = await Promise.all(PROVIDERS.map((name) => ask(modelAt(server, name), { stallMs: STALL_MS })))
  expect(answers.map(({ text }) => text)).toEqual(PROVIDERS.map(() => 'one two '))
  for (const { judged } of answers) expect(judged?.message).toMatch(/said nothing/)
  await Promise.all(PROVIDERS.map(async (_, index) => (await server.request(index)).closed))
})

test('what is signed comes with its signature from those who sign', async () => {
  const reply = { thinking: 'why', signature: 'SIG', text: 'so', toolCalls: [{ name: 'ls', input: {} }] }
  server.reply(() => reply)
  expect((await ask(modelAt(server, 'anthropic'))).signatures).toEqual(['SIG'])
  expect(new Set((await ask(modelAt(server, 'google'))).signatures)).toEqual(new Set(['SIG']))
  const [item] = (await ask(modelAt(server, 'openai'))).signatures
  expect(JSON.parse(item ?? '')).toEqual({ type: 'reasoning', id: 'rs_0', summary: [], encrypted_content: 'SIG' })
  expect((await ask(modelAt(server, 'openai-compatible'))).signatures).toEqual([])
})
