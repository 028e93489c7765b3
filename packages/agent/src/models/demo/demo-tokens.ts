import { APICallError, type LanguageModelV4CallOptions, type LanguageModelV4Message } from '@ai-sdk/provider'
import { modelInfo } from '../model-info.ts'

const CHARS_PER_TOKEN = 4
const FILE_TOKENS = 1_000
const { contextWindow } = modelInfo('demo', 'demo', { overrides: {} })

export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN)
}

/** About what a real model would count: of messages and tools all that is text, of a file a fixed amount. */
export function countTokens({ prompt, tools = [] }: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>): number {
  let count = tools.reduce((sum, tool) => sum + tokensOf(JSON.stringify(tool)), 0)
  for (const { content } of prompt) {
    if (typeof content === 'string') count += tokensOf(content)
    else for (const part of content) count += partTokens(part)
  }
  return count
}

function partTokens(part: Exclude<LanguageModelV4Message['content'], string>[number]): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return tokensOf(part.text)
    case 'file':
      return FILE_TOKENS
    default:
      return tokensOf(JSON.stringify({ ...part, providerOptions: undefined }))
  }
}

/** Fails as a provider's server does, so that what follows from it can be tried. */
export function refuseTooLong(inputTokens: number): void {
  if (inputTokens <= contextWindow) return
  const message =
    `This model's maximum context length is ${contextWindow} tokens. ` +
    `However, your messages resulted in ${inputTokens} tokens. Please reduce the length of the messages.`
  const data = { error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' } }
  throw new APICallError({
    message,
    url: 'demo:',
    requestBodyValues: {},
    statusCode: 400,
    responseBody: JSON.stringify(data),
    isRetryable: false,
    data,
  })
}
