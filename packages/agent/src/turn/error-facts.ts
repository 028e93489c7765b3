import {
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  TypeValidationError,
} from '@ai-sdk/provider'

/** What can be told from an error, whoever made it. */
export interface ErrorFacts {
  /** HTTP's, or the one a provider gave an error in its stream. */
  readonly status: number | undefined
  /** What the provider said went wrong. */
  readonly said: string
  /** Names of the error: `overloaded_error`, `insufficient_quota` … */
  readonly names: string
  /** All its words, to be searched, never to be shown. */
  readonly text: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Without query and credentials. */
  readonly url: string | undefined
  /** The innermost that has one: `ECONNREFUSED` … */
  readonly networkCode: string | undefined
  readonly isRetryable: boolean | undefined
}

type Fields = Readonly<Record<string, unknown>>

const MAX_SEARCHED_CHARS = 8_192
const MAX_CAUSES = 8

/** An error and what caused it, outermost first. */
export function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = []
  let current = error
  while (current !== undefined && current !== null && chain.length < MAX_CAUSES && !chain.includes(current)) {
    chain.push(current)
    current = asFields(current)?.cause
  }
  return chain
}

/** Not an error that was told of, but something that makes no sense. Its words are the model's and mean nothing here. */
export function isUnreadable(error: unknown): boolean {
  if (TypeValidationError.isInstance(error)) return asFields(error.value)?.error === undefined
  return (
    JSONParseError.isInstance(error) ||
    InvalidResponseDataError.isInstance(error) ||
    EmptyResponseBodyError.isInstance(error) ||
    // What Anthropic's package says of a first event it cannot read.
    (error instanceof Error && error.message.startsWith('Expected a normalized'))
  )
}

export function readFacts(error: unknown): ErrorFacts {
  const chain = causesOf(error)
  const call = chain.find((cause) => APICallError.isInstance(cause))
  const body = bodyOf(error, call)
  const fields = errorFields(body) ?? {}
  const outer = asFields(error) ?? {}
  // The message of a chunk that has the wrong shape repeats all of the chunk.
  const said =
    textOf(fields.message) ?? textOf(fields.detail) ?? (TypeValidationError.isInstance(error) ? '' : messageOf(error))
  const names = [fields.type, fields.code, fields.status, outer.type, outer.code].filter(isNameOrNumber).join(' ')
  return {
    status: statusOf(call, outer, fields),
    said,
    names,
    text: [names, said, call?.responseBody ?? ''].join('\n').slice(0, MAX_SEARCHED_CHARS),
    headers: call?.responseHeaders ?? {},
    url: call && plainUrl(call.url),
    networkCode: chain.map((cause) => textOf(asFields(cause)?.code)).findLast((code) => code !== undefined),
    isRetryable: typeof outer.isRetryable === 'boolean' ? outer.isRetryable : call?.isRetryable,
  }
}

/** The object in which a provider says what is wrong, parsed, if there is one. */
function bodyOf(error: unknown, call: APICallError | undefined): unknown {
  if (call !== undefined) return call.data ?? parse(call.responseBody)
  // A chunk that is an error in a shape the package does not know.
  if (TypeValidationError.isInstance(error)) return error.value
  return asFields(error)?.data ?? error
}

/** `{error: {…}}`, `{error: "…"}`, `[{error: …}]`, `{response: {error: …}}`, or the fields themselves. */
function errorFields(body: unknown): Fields | undefined {
  const fields = asFields(Array.isArray(body) ? body[0] : body)
  if (fields === undefined) return undefined
  const { error = asFields(fields.response)?.error } = fields
  if (typeof error === 'string') return { ...fields, message: error }
  return asFields(error) ?? fields
}

function statusOf(call: APICallError | undefined, outer: Fields, fields: Fields): number | undefined {
  const said = [outer.statusCode, fields.code, fields.status].find(isErrorStatus)
  const { statusCode } = call ?? {}
  // A stream that was opened well and then told of an error.
  return isErrorStatus(statusCode) ? statusCode : (said ?? statusCode)
}

function isErrorStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599
}

function messageOf(error: unknown): string {
  return typeof error === 'string' ? error : (textOf(asFields(error)?.message) ?? '')
}

function plainUrl(text: string): string | undefined {
  const url = URL.parse(text)
  return url === null ? undefined : `${url.origin}${url.pathname}`
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    // A page for people, or half an answer: its status says enough.
    return undefined
  }
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isNameOrNumber(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
