import type { Refusal, WireFormat } from './reply.ts'

interface RefusalAnswer {
  readonly status: number
  readonly type: string
  readonly body: string
}

type Told = readonly [status: number, name: string, message: string]

/** Status, name and words as each provider has them. */
const TOLD: Readonly<Record<WireFormat, Readonly<Record<Exclude<Refusal, 'server_error'>, Told>>>> = {
  'openai-responses': {
    rate_limit: [
      429,
      'rate_limit_exceeded',
      'Rate limit reached for gpt-5-mini in organization org-1 on tokens per min (TPM): Limit 30000, Used 29500, Requested 900.',
    ],
    overloaded: [503, 'server_error', 'The server is currently overloaded with other requests. Sorry about that!'],
    overflow: [
      400,
      'context_length_exceeded',
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ],
    unauthorized: [
      401,
      'invalid_api_key',
      'Incorrect API key provided: sk-test-1234567890abcdef. You can find your key there.',
    ],
    no_model: [404, 'model_not_found', 'The model `gpt-0` does not exist or you do not have access to it.'],
    content_filter: [400, 'content_policy_violation', 'Your request was rejected as a result of our safety system.'],
  },
  'openai-chat': {
    rate_limit: [429, 'rate_limit_exceeded', 'Too many requests, please slow down.'],
    overloaded: [503, 'overloaded', 'The model is overloaded.'],
    overflow: [
      400,
      'BadRequestError',
      "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens in the messages.",
    ],
    unauthorized: [401, 'invalid_request_error', 'No auth credentials found'],
    no_model: [404, 'not_found_error', 'model "llama-0" not found, try pulling it first'],
    content_filter: [
      400,
      'content_filter',
      'The response was filtered due to the prompt triggering the content management policy.',
    ],
  },
  anthropic: {
    rate_limit: [
      429,
      'rate_limit_error',
      "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
    ],
    overloaded: [529, 'overloaded_error', 'Overloaded'],
    overflow: [400, 'invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum'],
    unauthorized: [401, 'authentication_error', 'invalid x-api-key'],
    no_model: [404, 'not_found_error', 'model: claude-0'],
    content_filter: [400, 'invalid_request_error', 'Output blocked by content filtering policy'],
  },
  google: {
    rate_limit: [
      429,
      'RESOURCE_EXHAUSTED',
      'You exceeded your current quota, please check your plan and billing details. Please retry in 34.5s.',
    ],
    overloaded: [503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'],
    overflow: [
      400,
      'INVALID_ARGUMENT',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ],
    unauthorized: [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'],
    no_model: [404, 'NOT_FOUND', 'models/gemini-0 is not found for API version v1beta.'],
    content_filter: [400, 'INVALID_ARGUMENT', 'Request blocked: PROHIBITED_CONTENT'],
  },
}

const PAGE = '<!doctype html><html><head><title>502</title></head><body><h1>Something went wrong</h1></body></html>'

export function refusal(format: WireFormat, kind: Refusal): RefusalAnswer {
  // What stands before a provider answers in HTML.
  if (kind === 'server_error') return { status: 500, type: 'text/html', body: PAGE }
  const [status] = TOLD[format][kind]
  return { status, type: 'application/json', body: JSON.stringify(errorBody(format, kind)) }
}

/** The same as `wrong_type` answers: a page where a stream should be. */
export const wrongPage = PAGE

/** An overload that is told of when the stream is open already. */
export function streamError(format: WireFormat): string {
  const body = JSON.stringify(
    format === 'openai-responses'
      ? { type: 'error', sequence_number: 99, code: 'server_error', message: 'The server had an error.', param: null }
      : errorBody(format, 'overloaded'),
  )
  return format === 'anthropic' || format === 'openai-responses'
    ? `event: error\ndata: ${body}\n\n`
    : `data: ${body}\n\n`
}

function errorBody(format: WireFormat, kind: Exclude<Refusal, 'server_error'>): object {
  const [status, name, message] = TOLD[format][kind]
  switch (format) {
    case 'anthropic':
      return { type: 'error', error: { type: name, message }, request_id: 'req_1' }
    case 'google':
      return { error: { code: status, message, status: name } }
    default:
      return { error: { message, type: 'invalid_request_error', param: null, code: name } }
  }
}
