import { expect, test } from 'vitest'
import type { ProviderSettings } from '../settings/settings.ts'
import { findProvider, findProviders, providerNames } from './providers.ts'

const none = { providers: {} }
const refused = expect.objectContaining({ code: 'validation_failed' })

function given(name: string, provider: ProviderSettings) {
  return { providers: { [name]: provider } }
}

test.each([
  ['openai', 'openai-responses', 'https://api.openai.com/v1', ['OPENAI_API_KEY']],
  ['anthropic', 'anthropic-messages', 'https://api.anthropic.com/v1', ['ANTHROPIC_API_KEY']],
  [
    'google',
    'google-generative-ai',
    'https://generativelanguage.googleapis.com/v1beta',
    ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  ],
  ['ollama', 'openai-completions', 'http://localhost:11434/v1', []],
  ['lmstudio', 'openai-completions', 'http://localhost:1234/v1', []],
  ['openrouter', 'openai-completions', 'https://openrouter.ai/api/v1', ['OPENROUTER_API_KEY']],
])('%s speaks %s', (name, api, baseUrl, keyVariables) => {
  expect(findProvider(name, none, {})).toMatchObject({ name, api, baseUrl, keyVariables })
})

test('a provider that is none is refused, with the one that is likely meant or with all', () => {
  expect(() => findProvider('antropic', none, {})).toThrow(/no provider "antropic"\. Did you mean anthropic\?/)
  expect(() => findProvider('whoever', none, {})).toThrow(/There are anthropic, openai, google, .*Others can be added/)
  expect(() => findProvider('__proto__', none, {})).toThrow(refused)
  expect(() => findProvider('constructor', none, {})).toThrow(refused)
  expect(() => findProvider('x'.repeat(10_000), none, {})).toThrow(/^.{0,400}$/s)
})

test('the settings change a provider that is known', () => {
  const changed = given('openai', {
    baseUrl: 'https://proxy.test/openai/',
    keyVariable: 'WORK_KEY',
    headers: { a: 'b' },
  })
  expect(findProvider('openai', changed, {})).toMatchObject({
    api: 'openai-responses',
    baseUrl: 'https://proxy.test/openai',
    keyVariables: ['WORK_KEY'],
    needsKey: true,
    headers: { a: 'b' },
  })
})

test('the settings add one: compatible with OpenAI unless they say otherwise, and without a key unless they name one', () => {
  const vllm = given('vllm', { baseUrl: 'http://10.0.0.5:8000/v1' })
  expect(findProvider('vllm', vllm, {})).toMatchObject({ api: 'openai-completions', needsKey: false, isLocal: false })
  expect(providerNames(vllm).at(-1)).toBe('vllm')
  const claude = given('work', { api: 'anthropic', baseUrl: 'https://claude.test', keyVariable: 'K' })
  expect(findProvider('work', claude, {})).toMatchObject({
    api: 'anthropic-messages',
    baseUrl: 'https://claude.test/v1',
    needsKey: true,
  })
})

test('one that leads nowhere is refused and does not hide the others (I7)', () => {
  for (const baseUrl of ['', 'ftp://x', 'not a url', 'https://me:secret@x.test']) {
    const bad = given('mine', { baseUrl })
    expect(() => findProvider('mine', bad, {})).toThrow(refused)
    expect(() => findProvider('mine', bad, {})).not.toThrow(/secret/)
    expect(findProviders(bad, {}).map(({ name }) => name)).toEqual(providerNames(none))
  }
  expect(() => findProvider('mine', given('mine', {}), {})).toThrow(/has no base URL/)
})

test('the demo is what it is, whatever the settings say', () => {
  const changed = given('demo', { api: 'openai', baseUrl: 'https://evil.test' })
  expect(findProvider('demo', changed, {})).toMatchObject({ api: 'demo', baseUrl: 'demo:', needsKey: false })
})

test.each([
  ['127.0.0.1:9999', 'http://127.0.0.1:9999/v1'],
  ['0.0.0.0', 'http://localhost:11434/v1'],
  ['[::]:8080', 'http://localhost:8080/v1'],
  [':1234', 'http://localhost:1234/v1'],
  ['box.lan', 'http://box.lan:11434/v1'],
  ['https://box.lan', 'https://box.lan/v1'],
  ['http://box.lan:99/ollama/v1', 'http://box.lan:99/ollama/v1'],
  ['  ', 'http://localhost:11434/v1'],
])('OLLAMA_HOST=%s leads to %s', (host, url) => {
  expect(findProvider('ollama', none, { OLLAMA_HOST: host }).baseUrl).toBe(url)
})

test('an environment that names no server is refused; the settings win over it', () => {
  expect(() => findProvider('ollama', none, { OLLAMA_HOST: 'http://[' })).toThrow(refused)
  const env = { OPENAI_BASE_URL: 'https://env.test/v1', ANTHROPIC_BASE_URL: 'https://env.test' }
  expect(findProvider('openai', none, env).baseUrl).toBe('https://env.test/v1')
  expect(findProvider('anthropic', none, env).baseUrl).toBe('https://env.test/v1')
  expect(findProvider('openai', given('openai', { baseUrl: 'https://set.test' }), env).baseUrl).toBe('https://set.test')
})
