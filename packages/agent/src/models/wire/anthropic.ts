import { createAnthropic } from '@ai-sdk/anthropic'
import type { Connect } from './connect.ts'

/** A key is always given, if an empty one: without it the package looks into the environment itself. */
export const connect: Connect = ({ provider, key = '', fetch }, modelId) => {
  const { baseUrl: baseURL, headers } = provider
  return createAnthropic({ baseURL, apiKey: key, headers, ...(fetch && { fetch }) }).languageModel(modelId)
}
