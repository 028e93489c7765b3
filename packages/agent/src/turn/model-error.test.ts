import {
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  NoSuchModelError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import { TreelineError } from '@treeline/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readModelError } from './model-error.ts'
import { StallError } from './watchdog.ts'

const model = { ref: 'someone/a-model' }
const url = 'https://user:pass@api.example.com/v1/chat?key=topsecret'

function refused(
  statusCode: number | undefined,
  body: unknown,
  responseHeaders: Record<string, string> = {},
): APICallError {
  const responseBody = typeof body === 'string' ? body : JSON.stringify(body)
  const request = { requestBodyValues: { messages: ['private words'] }, url, responseHeaders, responseBody }
  return new APICallError({ message: 'Bad Request', ...request, ...(statusCode !== undefined && { statusCode }) })
}
const judge = (error: unknown) => readModelError(error, model)
const saying = (status: number, message: string, extra: object = {}) =>
  judge(refused(status, { error: { message, ...extra } }))

describe('a prompt that is too long is told from a limit on tokens', () => {
  test.each([
    [
      'OpenAI',
      400,
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    ],
    [
      'OpenAI Responses',
      400,
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ],
    ['Anthropic', 400, 'prompt is too long: 213462 tokens > 200000 maximum'],
    [
      'Anthropic',
      400,
      'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length',
    ],
    ['Anthropic, bytes', 413, 'Request exceeds the maximum size'],
    ['Google', 400, 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
    [
      'vLLM',
      400,
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
    ],
    [
      'llama.cpp',
      400,
      'the request exceeds the available context size. try increasing the context size or enable context shift',
    ],
    [
      'LM Studio',
      400,
      'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. The number of tokens to keep from the initial prompt is greater than the context length.',
    ],
    ['Ollama', 500, 'input length exceeds maximum context length'],
    ['Ollama', 400, 'prompt too long; exceeded max context length by 12 tokens: context length exceeded'],
    [
      'OpenRouter',
      400,
      'This endpoint\'s maximum context length is 32768 tokens. However, you requested about 40000 tokens. Please reduce the length of either one, or use the "middle-out" transform.',
    ],
    ['xAI', 400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    [
      'Mistral',
      400,
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    ],
    ['Groq', 400, 'Please reduce the length of the messages or completion.'],
  ])('%s (%i): %s', (_, status, message) => {
    expect(saying(status, message)).toMatchObject({ code: 'context_overflow', isRetryable: false })
  })

  test.each([
    ['by its code', refused(400, { error: { message: 'Too long.', code: 'context_length_exceeded' } })],
    ['by its type', refused(400, { error: { message: 'no', type: 'exceed_context_size_error', n_ctx: 4096 } })],
    [
      'in another shape',
      refused(400, { object: 'error', message: "This model's maximum context length is 10 tokens", code: 400 }),
    ],
    [
      'in the stream',
      { message: 'Your input exceeds the context window of this model.', code: 'context_length_exceeded' },
    ],
    [
      'in a chunk of no known shape',
      new TypeValidationError({ value: { error: 'context length exceeded' }, cause: 'x' }),
    ],
  ])('%s', (_, error) => {
    expect(judge(error)).toMatchObject({ code: 'context_overflow', isRetryable: false })
  })

  test.each([
    [
      429,
      'Rate limit reached on tokens per min (TPM): Limit 30000, Used 29500. Maximum context length is not the point.',
    ],
    [429, 'Number of request tokens has exceeded your per-minute rate limit; prompt is too long for it'],
    [
      413,
      'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce your message size',
    ],
  ])('%i %s', (status, message) => {
    expect(saying(status, message).code).toBe('rate_limited')
  })
})

describe('limits', () => {
  test.each([
    [
      'no money',
      saying(429, 'You exceeded your current quota, please check your plan and billing details.', {
        code: 'insufficient_quota',
      }),
    ],
    [
      'no money, said by Google',
      saying(429, 'You exceeded your current quota, please check your plan and billing details.'),
    ],
    [
      'a request that never fits',
      saying(429, 'Request too large for gpt-5 on tokens per min (TPM): Limit 10000, Requested 20000.'),
    ],
  ])('waiting does not help against %s', (_, judged) => {
    expect(judged).toMatchObject({ code: 'rate_limited', isRetryable: false })
  })

  test.each<[string, unknown, Record<string, string>, number | undefined]>([
    ['seconds', {}, { 'retry-after': '12' }, 12_000],
    ['milliseconds before seconds', {}, { 'retry-after': '12', 'retry-after-ms': '250.5' }, 251],
    ['a date that has passed', {}, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
    ['Google’s details', { error: { details: [{ retryDelay: '34.5s' }] } }, {}, 34_500],
    ['words', { error: { message: 'Please try again in 1m2.5s.' } }, {}, 62_500],
    ['words with milliseconds', { error: { message: 'Please try again in 20ms.' } }, {}, 20],
    ['nonsense', {}, { 'retry-after': '-5' }, undefined],
    ['more nonsense', {}, { 'retry-after': 'NaN', 'retry-after-ms': 'soon' }, undefined],
    ['a flood of digits', {}, { 'retry-after': '9'.repeat(400) }, undefined],
    ['silence', {}, {}, undefined],
  ])('the wait is read from %s', (_, body, headers, expected) => {
    expect(judge(refused(429, body, headers)).retryAfterMs).toBe(expected)
  })

  test('a wait that is too long is told', () => {
    expect(judge(refused(429, {}, { 'retry-after': '3600' })).message).toContain('It asks to wait 3600 s.')
  })
})

describe('other refusals', () => {
  test.each<[number, string, object, string, boolean]>([
    [401, 'invalid x-api-key', {}, 'unauthorized', false],
    [403, 'Your account has no access', {}, 'unauthorized', false],
    [400, 'API key not valid. Please pass a valid API key.', {}, 'unauthorized', false],
    [404, 'The model `x` does not exist', { code: 'model_not_found' }, 'validation_failed', false],
    [400, 'foo/bar is not a valid model ID', {}, 'validation_failed', false],
    [404, 'Not here', {}, 'provider_error', false],
    [400, 'messages: roles must alternate', {}, 'provider_error', false],
    [402, 'Insufficient credits', {}, 'provider_error', false],
    [422, 'Unprocessable', {}, 'provider_error', false],
    [408, 'Timeout', {}, 'provider_error', true],
    [500, 'Internal', {}, 'provider_error', true],
    [502, 'Bad gateway', {}, 'provider_error', true],
    [503, 'Overloaded', { status: 'UNAVAILABLE' }, 'provider_error', true],
    [529, 'Overloaded', { type: 'overloaded_error' }, 'provider_error', true],
    [500, 'worker hit its rate limiter assertion', {}, 'provider_error', true],
    [400, 'flagged', { code: 'content_filter' }, 'provider_error', false],
  ])('%i %s', (status, message, extra, code, isRetryable) => {
    expect(saying(status, message, extra)).toMatchObject({ code, isRetryable, status })
  })

  test('an overload told of in the stream', () => {
    const told = { type: 'overloaded_error', message: 'Overloaded' }
    expect(judge({ ...told, statusCode: 529, isRetryable: true, data: told })).toMatchObject({
      code: 'provider_error',
      isRetryable: true,
      status: 529,
    })
    expect(judge(told)).toMatchObject({ code: 'provider_error', isRetryable: true })
  })
})

describe('what is no refusal', () => {
  test.each<[string, unknown, object]>([
    [
      'ours',
      new TreelineError('rate_limited', 'Spent.'),
      { code: 'rate_limited', message: 'Spent.', isRetryable: false },
    ],
    ['a stall', new StallError(90_000), { isRetryable: true, message: 'someone/a-model said nothing for 90 s.' }],
    ['a cancel', new DOMException('stop', 'AbortError'), { isAborted: true, isRetryable: false }],
    ['a timeout', new DOMException('slow', 'TimeoutError'), { isRetryable: true }],
    ['no key', new LoadAPIKeyError({ message: 'missing' }), { code: 'unauthorized', isRetryable: false }],
    ['no model', new NoSuchModelError({ modelId: 'x', modelType: 'languageModel' }), { code: 'validation_failed' }],
    [
      'half a JSON',
      new JSONParseError({ text: '{"rate limit', cause: 'x' }),
      { code: 'provider_error', isRetryable: true },
    ],
    [
      'a strange chunk',
      new TypeValidationError({ value: { message: 'rate limit' }, cause: 'x' }),
      { code: 'provider_error', isRetryable: true },
    ],
    ['a strange stream', new InvalidResponseDataError({ data: {} }), { code: 'provider_error', isRetryable: true }],
    ['no body', new EmptyResponseBodyError({}), { code: 'provider_error', isRetryable: true }],
    [
      'something unsupported',
      new UnsupportedFunctionalityError({ functionality: 'x' }),
      { code: 'provider_error', isRetryable: false },
    ],
    ['a bug', new TypeError('x is not a function'), { code: 'internal', isRetryable: false }],
    ['a text', 'boom', { code: 'provider_error', message: 'someone/a-model failed: boom.', isRetryable: false }],
    ['nothing', undefined, { code: 'provider_error', message: 'someone/a-model failed.' }],
  ])('%s', (_, error, expected) => {
    expect(judge(error)).toMatchObject(expected)
  })

  test('what caused an error counts, however deep', () => {
    const wrapped = new APICallError({
      message: 'Failed',
      url,
      requestBodyValues: {},
      statusCode: 200,
      cause: new StallError(1_000),
    })
    expect(judge(wrapped).message).toContain('said nothing for 1 s')
    const ring = new Error('ring')
    ring.cause = ring
    expect(judge(ring)).toMatchObject({ code: 'provider_error' })
  })

  test.each<[string, string, boolean]>([
    ['ECONNREFUSED', 'nothing answers at https://api.example.com; is it running?', true],
    ['ENOTFOUND', 'https://api.example.com cannot be found; is there a network?', true],
    ['UND_ERR_SOCKET', 'the connection to https://api.example.com broke.', true],
    ['UND_ERR_HEADERS_TIMEOUT', 'https://api.example.com did not answer in time.', true],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'https://api.example.com cannot be trusted (DEPTH_ZERO_SELF_SIGNED_CERT).', false],
  ])('%s', (code, message, isRetryable) => {
    const cause = Object.assign(new Error('low level'), { code })
    const error = new APICallError({ message: 'Cannot connect', url, requestBodyValues: {}, cause, isRetryable: true })
    expect(judge(error)).toEqual({ code: 'provider_error', message: `someone/a-model: ${message}`, isRetryable })
  })
})

describe('messages', () => {
  test.each([
    'sk-proj-abcdef1234567890',
    'sk-ant-api03-AbCdEf_123-456',
    'sk-1234********cdef',
    'AIzaSyA1234567890abcdef',
    'Bearer abc.def.ghi',
    'gsk_abcdefghijklmnop',
    'https://x.test/v1?key=topsecret&alt=sse',
  ])('never contain %s', (secret) => {
    const { message } = saying(400, `Wrong: ${secret} was given`)
    expect(message).not.toMatch(/abcdef|AbCdEf|cdef|abc\.def|abcdefgh|topsecret/)
    expect(message).toContain('was given')
  })

  test('never contain the request, the credentials of a URL or a page', () => {
    for (const status of [400, 404, 500]) {
      const { message } = judge(refused(status, '<html><body>private words</body></html>'))
      expect(message).not.toMatch(/private words|pass|topsecret|<html/)
    }
  })

  test('are one short line that drives no terminal, whatever was said', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4_000 }),
      fc.constantFrom(
        '\u001b]52;c;aGk=\u0007',
        'a\r\nb',
        '\u202eevil',
        '😀'.repeat(400),
        'x'.repeat(100_000),
        '\ud800',
      ),
    )
    const statuses = fc.constantFrom(400, 401, 404, 413, 429, 500, 529, undefined)
    fc.assert(
      fc.property(hostile, statuses, (said, status) => {
        for (const error of [refused(status, { error: { message: said } }), new Error(said), { message: said }, said]) {
          const { message } = judge(error)
          expect(message.length).toBeLessThanOrEqual(500)
          expect(message).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
          expect(message.isWellFormed()).toBe(true)
          expect(message).not.toBe('')
        }
      }),
    )
  })

  test('anything at all can be thrown', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }), (thrown) => {
        expect(judge(thrown).message).toContain('someone/a-model')
      }),
    )
  })
})
