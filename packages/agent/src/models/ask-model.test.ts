import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { type ModelServer, startModelServer } from '../testing/model-server/model-server.ts'
import { modelAt, PROVIDERS } from '../testing/provider-models.ts'
import { askModel, type Question } from './ask-model.ts'

let server: ModelServer
let waits: number[]
beforeEach(async () => {
  server = await startModelServer()
  waits = []
})
afterEach(() => server.close())

const env = (stallMs = 0) => ({
  settings: { ...DEFAULT_SETTINGS, stallMs },
  clock: {
    now: Date.now,
    random: () => 0.5,
    wait: (ms: number, signal: AbortSignal) => {
      waits.push(ms)
      return signal.aborted ? Promise.reject(signal.reason) : Promise.resolve()
    },
  },
})

const question = (signal = new AbortController().signal): Question => ({
  system: 'Summarise.',
  prompt: 'A long story.',
  maxOutput: 200,
  signal,
  purpose: 'summary',
})

describe.each(PROVIDERS)('%s', (name) => {
  test('gives its text and what it cost', async () => {
    server.reply({ text: 'A short story.', usage: { input: 1_000, output: 10 } })
    expect(await askModel(env(), modelAt(server, name), question())).toMatchObject({
      text: 'A short story.',
      stopReason: 'stop',
      usage: { input: 1_000, output: 10, totalTokens: 1_010, cost: { total: 0.0011 } },
    })
    expect(server.requests[0]?.body).not.toHaveProperty('tools')
  })

  test('an answer that was cut short says so', async () => {
    server.reply({ text: 'A sho', stop: 'length' })
    expect(await askModel(env(), modelAt(server, name), question())).toMatchObject({
      text: 'A sho',
      stopReason: 'length',
    })
  })

  test('is asked again after a failure, and nothing of the failed answer is kept', async () => {
    server.reply([
      { fault: { type: 'overloaded' } },
      { text: 'half an ans', chunkChars: 4, fault: { type: 'cut', after: 2 } },
      { text: 'interrupted', fault: { type: 'no_finish' } },
      { text: 'whole' },
    ])
    expect(await askModel(env(), modelAt(server, name), question())).toMatchObject({ text: 'whole' })
    expect(waits).toEqual([1_000, 2_000, 4_000])
  })

  test('an empty answer is asked for again, and paid for', async () => {
    server.reply([
      { text: '', usage: { input: 5, output: 0 } },
      { text: 'now', usage: { input: 5, output: 1 } },
    ])
    const { text, usage } = await askModel(env(), modelAt(server, name), question())
    expect([text, usage.input, usage.output]).toEqual(['now', 10, 1])
  })

  test('a call of a tool is no answer', async () => {
    server.reply(() => ({ text: 'let me see', toolCalls: [{ name: 'ls', input: {} }] }))
    await expect(askModel(env(), modelAt(server, name), question())).rejects.toMatchObject({
      code: 'provider_error',
      message: expect.stringContaining('called a tool'),
    })
    expect(server.requests).toHaveLength(4)
  })

  test('what cannot get better is thrown at once, with its code', async () => {
    const model = modelAt(server, name)
    for (const [type, code] of [
      ['overflow', 'context_overflow'],
      ['unauthorized', 'unauthorized'],
      ['no_model', 'validation_failed'],
    ] as const) {
      server.reply({ fault: { type } })
      await expect(askModel(env(), model, question())).rejects.toMatchObject({ name: 'TreelineError', code })
    }
    expect(waits).toEqual([])
  })

  test('a filtered answer is not asked for again', async () => {
    server.reply({ text: 'I can', stop: 'filter' })
    await expect(askModel(env(), modelAt(server, name), question())).rejects.toThrow(/content filter/)
    expect(waits).toEqual([])
  })

  test('silence is waited for only so long', async () => {
    server.reply((_, index) => (index === 0 ? { fault: { type: 'silent' } } : { text: 'here' }))
    expect(await askModel(env(300), modelAt(server, name), question())).toMatchObject({ text: 'here' })
    await server.requests[0]?.closed
  })

  test('a cancel ends it at once, while it speaks and while it waits', async () => {
    const cancel = new AbortController()
    server.reply({ fault: { type: 'silent' } })
    const asked = askModel(env(), modelAt(server, name), question(cancel.signal))
    void server.request(0).then(() => cancel.abort())
    await expect(asked).rejects.toThrow(/was cancelled/)
    server.reply({ fault: { type: 'overloaded' } })
    const later = new AbortController()
    const impatient = env()
    impatient.clock.wait = () => {
      later.abort()
      return Promise.reject(later.signal.reason)
    }
    await expect(askModel(impatient, modelAt(server, name), question(later.signal))).rejects.toThrow(/was cancelled/)
    expect(server.requests).toHaveLength(2)
  })
})

test('a model that spends its whole limit on thinking is not asked the same again', async () => {
  server.reply({ thinking: 'hm', stop: 'length' })
  await expect(askModel(env(), modelAt(server, 'anthropic'), question())).rejects.toThrow(/reached its limit/)
  expect(waits).toEqual([])
})

test('a wait that is longer than allowed is not begun', async () => {
  server.reply({ fault: { type: 'rate_limit', headers: { 'retry-after': '3600' } } })
  await expect(askModel(env(), modelAt(server, 'anthropic'), question())).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('It asks to wait 3600 s.'),
  })
})
