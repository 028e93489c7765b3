import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Home, openHome } from '@treeline/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS, type Settings } from '../settings/settings.ts'
import { freePort, serveLoopback } from '../testing/loopback-server.ts'
import { createCatalogue } from './catalogue.ts'
import { createKeys } from './keys.ts'

let folder: string
let home: Home
/** Where no local server is. */
let nowhere: Readonly<Record<string, string>>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-catalogue-'))
  home = openHome({ home: folder })
  const port = await freePort()
  nowhere = { OLLAMA_HOST: `127.0.0.1:${port}`, LMSTUDIO_BASE_URL: `http://127.0.0.1:${port}/v1` }
})

afterEach(() => {
  home[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
})

function catalogue(env: Readonly<Record<string, string>> = {}, settings: Partial<Settings> = {}) {
  const all = { ...nowhere, ...env }
  return createCatalogue({
    settings: { ...DEFAULT_SETTINGS, ...settings },
    keys: createKeys({ env: all, home }),
    env: all,
  })
}

const listed = (...ids: readonly string[]) => JSON.stringify({ data: ids.map((id) => ({ id })) })

describe('open', () => {
  test('gives a model with what is known of it', async () => {
    const model = await catalogue({ ANTHROPIC_API_KEY: 'k' }).open('anthropic/claude-opus-5-5')
    expect(model).toMatchObject({
      ref: 'anthropic/claude-opus-5-5',
      provider: 'anthropic',
      id: 'claude-opus-5-5',
      api: 'anthropic-messages',
      info: { contextWindow: 1_000_000 },
      language: { specificationVersion: 'v4', modelId: 'claude-opus-5-5' },
    })
  })

  test.each([
    ['openai/gpt-6.1-sol', 'openai-responses'],
    ['google/gemini-3.8-flash', 'google-generative-ai'],
    ['openrouter/meta/llama-4:free', 'openai-completions'],
    ['ollama/hf.co/some/model:Q4', 'openai-completions'],
    ['demo/demo', 'demo'],
  ])('%s speaks %s', async (ref, api) => {
    const env = { OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k', OPENROUTER_API_KEY: 'k' }
    const model = await catalogue(env).open(ref)
    expect(model).toMatchObject({ ref, api, id: ref.slice(ref.indexOf('/') + 1) })
  })

  test.each([
    '',
    'gpt-5',
    '/gpt-5',
    'openai/',
    'openai/a b',
    'openai/a?b',
    'google/../../x',
    'openai/x\u0000',
    'demo/other',
  ])('refuses %j', async (ref) => {
    await expect(catalogue({ OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' }).open(ref)).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  test('refuses a provider that is none and names the one that is near', async () => {
    await expect(catalogue().open('opnai/gpt-5')).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('Did you mean openai?'),
    })
  })

  test('without a key says which variable or which command', async () => {
    await expect(catalogue().open('openai/gpt-5')).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'There is no key for openai: set OPENAI_API_KEY or run `treeline auth set openai`.',
    })
  })

  test.each([
    ['demo', 'demo/demo'],
    ['openai', 'openai/'],
    ['constructor', 'anthropic/'],
    ['what', 'anthropic/'],
  ])('%s alone names no model, and one is named for it', async (ref, example) => {
    await expect(catalogue().open(ref)).rejects.toThrow(`for example ${example}`)
  })

  test('what cannot be used as a key file is told, and needed by nobody who has a key elsewhere', async () => {
    writeFileSync(home.paths.authFile, 'sk-oops', { mode: 0o600 })
    await expect(catalogue().open('openai/gpt-5')).rejects.toMatchObject({ code: 'damaged' })
    await expect(catalogue({ OPENAI_API_KEY: 'k' }).open('openai/gpt-5')).resolves.toMatchObject({ id: 'gpt-5' })
    await expect(catalogue().open('demo/demo')).resolves.toMatchObject({ id: 'demo' })
  })

  test('opens a model once, until its key changes', async () => {
    const models = catalogue()
    const keys = createKeys({ env: {}, home })
    await keys.set('openai', 'first')
    const first = await models.open('openai/gpt-5')
    expect(await models.open('openai/gpt-5')).toBe(first)
    await keys.set('openai', 'second')
    expect(await models.open('openai/gpt-5')).not.toBe(first)
    await keys.remove('openai')
    await expect(models.open('openai/gpt-5')).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('what the settings say of a model counts', async () => {
    const models = { 'vllm/mine': { contextWindow: 4_096 } }
    const providers = { vllm: { baseUrl: 'http://127.0.0.1:9/v1' } }
    const { info } = await catalogue({}, { models, providers }).open('vllm/mine')
    expect(info).toEqual({ contextWindow: 4_096, maxOutput: 8_192, thinking: ['off'], images: false })
  })
})

describe('what is sent', () => {
  const providers = (url: string): Settings['providers'] => ({
    openai: { baseUrl: url, headers: { 'x-own': 'yes' } },
    anthropic: { baseUrl: url, headers: { 'x-own': 'yes' } },
    google: { baseUrl: url, headers: { 'x-own': 'yes' } },
    mine: { baseUrl: url, keyVariable: 'MY_KEY', headers: { 'x-own': 'yes' } },
    mistral: { baseUrl: url, headers: { 'x-own': 'yes' } },
    open: { baseUrl: url, headers: { 'x-own': 'yes' } },
  })
  const env = {
    OPENAI_API_KEY: 'key-o',
    ANTHROPIC_API_KEY: 'key-a',
    GEMINI_API_KEY: 'key-g',
    MY_KEY: 'key-m',
    MISTRAL_API_KEY: 'key-i',
  }

  test.each([
    ['openai/gpt-5', '/responses', 'authorization', 'Bearer key-o'],
    ['anthropic/claude-opus-5-5', '/v1/messages', 'x-api-key', 'key-a'],
    ['google/gemini-3.8-flash', '/models/gemini-3.8-flash:streamGenerateContent?alt=sse', 'x-goog-api-key', 'key-g'],
    ['mine/some/model', '/chat/completions', 'authorization', 'Bearer key-m'],
    ['mistral/x', '/chat/completions', 'authorization', 'Bearer key-i'],
    ['open/x', '/chat/completions', 'authorization', undefined],
  ])('%s goes to %s of its own server with its own key', async (ref, url, header, key) => {
    await using server = await serveLoopback((_, response) => response.writeHead(400).end('{}'))
    const { language } = await catalogue(env, { providers: providers(server.url) }).open(ref)
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
    await expect(language.doStream({ prompt })).rejects.toMatchObject({ statusCode: 400 })
    const [asked] = server.asked
    expect(asked).toMatchObject({ method: 'POST', url, headers: { 'x-own': 'yes' } })
    expect(asked?.headers[header]).toBe(key)
    const others = Object.values(env).filter((other) => !key?.endsWith(other))
    for (const other of others) expect(JSON.stringify(asked)).not.toContain(other)
    // One of them refuses the question for usage.
    const asksForUsage = asked?.body.includes('include_usage')
    expect(asksForUsage).toBe(['mine/some/model', 'open/x'].includes(ref))
  })
})

describe('defaultRef', () => {
  test('is what the settings say, whether it can be used or not', async () => {
    expect(await catalogue({ OPENAI_API_KEY: 'k' }, { model: 'groq/x' }).defaultRef()).toBe('groq/x')
  })

  test('else of the first provider with a key: anthropic, openai, google, others', async () => {
    const env: Record<string, string> = {}
    const order = ['GROQ_API_KEY', 'GEMINI_API_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY']
    const refs: string[] = []
    for (const variable of order) {
      env[variable] = 'k'
      refs.push(await catalogue(env).defaultRef())
    }
    expect(refs.map((ref) => ref.split('/')[0])).toEqual(['groq', 'google', 'openai', 'anthropic'])
    await createKeys({ env: {}, home }).set('xai', 'k')
    expect(await catalogue().defaultRef()).toBe('xai/grok-4.7')
  })

  test('a provider of the settings counts when they also name a model of it', async () => {
    const providers = { mine: { baseUrl: 'https://mine.test', keyVariable: 'MY_KEY' }, broken: {} }
    const env = { MY_KEY: 'k' }
    expect(await catalogue(env, { providers }).defaultRef()).toBe('demo/demo')
    expect(await catalogue(env, { providers, models: { 'mine/big': {} } }).defaultRef()).toBe('mine/big')
  })

  test('else the first model of a server on this machine, else the demo', async () => {
    await using server = await serveLoopback((_, response) => response.end(listed('qwen3:8b', 'other')))
    expect(await catalogue({ LMSTUDIO_BASE_URL: `${server.url}/v1` }).defaultRef()).toBe('lmstudio/qwen3:8b')
    expect(await catalogue().defaultRef()).toBe('demo/demo')
  })

  test('keys that cannot be read are told rather than passed over', async () => {
    writeFileSync(home.paths.authFile, '{}', { mode: 0o644 })
    await expect(catalogue().defaultRef()).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('list', () => {
  test('says of each what it costs, whether it can be used, and why not', async () => {
    await using server = await serveLoopback((_, response) => response.end(listed('qwen3:8b')))
    const env = { OPENAI_API_KEY: 'k', OLLAMA_HOST: `127.0.0.1:${server.port}` }
    const models = await catalogue(env, { model: 'ollama/gone', roles: { title: 'openai/gpt-unknown' } }).list()
    const of = (ref: string) => models.find((model) => model.ref === ref)
    expect(of('openai/gpt-6.1-sol')).toMatchObject({ isUsable: true, where: 'OPENAI_API_KEY', isOld: false })
    expect(of('openai/gpt-unknown')).toMatchObject({ isUsable: true, info: { contextWindow: 128_000 } })
    expect(of('anthropic/claude-opus-5-5')).toMatchObject({ isUsable: false, where: 'no key: ANTHROPIC_API_KEY' })
    expect(of('ollama/qwen3:8b')).toMatchObject({ isUsable: true, info: { prices: { input: 0, output: 0 } } })
    expect(of('ollama/gone')).toMatchObject({ isUsable: false, where: expect.stringContaining('not found at http') })
    expect(of('demo/demo')).toMatchObject({ isUsable: true, where: 'built in, not a real model' })
    expect(new Set(models.map(({ ref }) => ref)).size).toBe(models.length)
    expect(JSON.stringify(models)).not.toContain('"k"')
  })

  test('what is wrong with one provider is said there and hides no other (I7)', async () => {
    writeFileSync(home.paths.authFile, 'sk-oops', { mode: 0o600 })
    const models = await catalogue(
      { OPENAI_API_KEY: 'k' },
      { providers: { mine: {} }, models: { 'mine/x': {} } },
    ).list()
    const of = (ref: string) => models.find((model) => model.ref === ref)
    expect(of('mine/x')).toMatchObject({ isUsable: false, where: expect.stringContaining('has no base URL') })
    expect(of('google/gemini-3.8-flash')).toMatchObject({ isUsable: false, where: expect.stringContaining('not JSON') })
    expect(of('openai/gpt-6.1-sol')?.isUsable).toBe(true)
    expect(JSON.stringify(models)).not.toContain('sk-oops')
  })
})
