import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { Connect } from './connect.ts'

/** Chat completions, which nearly every server of models speaks. */
export const connect: Connect = ({ provider, key, fetch }, modelId) => {
  const { name, baseUrl: baseURL, headers, asksForUsage: includeUsage } = provider
  const apiKey = key === undefined ? {} : { apiKey: key }
  return createOpenAICompatible({ name, baseURL, headers, includeUsage, ...apiKey, ...(fetch && { fetch }) }).chatModel(
    modelId,
  )
}
