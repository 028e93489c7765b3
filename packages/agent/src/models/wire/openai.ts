import { createOpenAI } from '@ai-sdk/openai'
import type { Connect } from './connect.ts'

/** The Responses API. A key is always given, if an empty one: without it the package looks into the environment itself. */
export const connect: Connect = ({ provider, key = '', fetch }, modelId) => {
  const { baseUrl: baseURL, headers } = provider
  return createOpenAI({ baseURL, apiKey: key, headers, ...(fetch && { fetch }) }).responses(modelId)
}
