import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Model, ModelInfo } from '../models/model.ts'

export const PROVIDERS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const
export type ProviderName = (typeof PROVIDERS)[number]

interface Known {
  readonly id: string
  readonly api: string
  readonly at: (url: string, id: string) => LanguageModelV4
}

const apiKey = 'test-key-that-is-none'

const KNOWN: Readonly<Record<ProviderName, Known>> = {
  openai: {
    id: 'gpt-5-mini',
    api: 'openai-responses',
    at: (url, id) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses(id),
  },
  anthropic: {
    id: 'claude-sonnet-4-5',
    api: 'anthropic-messages',
    at: (url, id) => createAnthropic({ baseURL: `${url}/v1`, apiKey })(id),
  },
  google: {
    id: 'gemini-2.5-flash',
    api: 'google-generative-ai',
    at: (url, id) => createGoogle({ baseURL: `${url}/v1beta`, apiKey })(id),
  },
  'openai-compatible': {
    id: 'llama-3',
    api: 'openai-completions',
    at: (url, id) =>
      createOpenAICompatible({ name: 'openai-compatible', baseURL: `${url}/v1`, apiKey, includeUsage: true })(id),
  },
}

const INFO: ModelInfo = {
  contextWindow: 200_000,
  maxOutput: 32_000,
  prices: { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 1.25 },
  thinking: ['off', 'low', 'medium', 'high'],
  images: true,
}

/** A model of a real provider package that asks the server of a test. */
export function modelAt(
  { url }: { readonly url: string },
  provider: ProviderName,
  info: Partial<ModelInfo> = {},
): Model {
  const { id, api, at } = KNOWN[provider]
  return { ref: `${provider}/${id}`, provider, id, api, info: { ...INFO, ...info }, language: at(url, id) }
}
