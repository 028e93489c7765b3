import { LoadAPIKeyError, NoSuchModelError } from '@ai-sdk/provider'
import { type ErrorCode, TreelineError } from '@treeline/core'
import type { Model } from '../models/model.ts'
import { causesOf, type ErrorFacts, isUnreadable, readFacts } from './error-facts.ts'
import { errorText, quoted } from './error-text.ts'
import { explainNetwork } from './network-error.ts'
import { saysOverflow, saysRateLimit } from './overflow.ts'
import { readRetryAfter } from './retry-after.ts'
import { StallError } from './watchdog.ts'

/** What went wrong with a call, as a person or a retry needs to know it. */
export interface ModelError {
  readonly code: ErrorCode
  /** One line, at most 500 characters, without keys and bodies. */
  readonly message: string
  readonly isRetryable: boolean
  /** Somebody stopped it. */
  readonly isAborted?: true
  readonly retryAfterMs?: number
  readonly status?: number
}

type Judged = Omit<ModelError, 'status'>

/** Any error a call can end with, put into our words. What a provider says is quoted, cleaned and cut. */
export function readModelError(error: unknown, model?: Pick<Model, 'ref'>): ModelError {
  const name = model?.ref ?? 'The model'
  const own = judgeOwn(error, name)
  if (own !== undefined) return { ...own, message: errorText(own.message) }
  const facts = readFacts(error)
  const judged = judgeProvider(facts, name) ?? judgeUnknown(error, facts, name)
  const { status } = facts
  return { ...judged, message: errorText(judged.message), ...(isRefusal(status) && { status }) }
}

/** What did not come from the provider, or not in a form that could be read: ours, a stall, a cancel, half an answer. */
function judgeOwn(error: unknown, name: string): Judged | undefined {
  if (isUnreadable(error)) return failed(`${name} sent an answer that cannot be read, or broke it off.`, true)
  for (const cause of causesOf(error)) {
    if (cause instanceof TreelineError) return { code: cause.code, message: cause.message, isRetryable: false }
    if (cause instanceof StallError) {
      return failed(`${name} said nothing for ${inSeconds(cause.stallMs)}.`, true)
    }
    if (LoadAPIKeyError.isInstance(cause)) {
      return { code: 'unauthorized', message: `There is no key for ${name}. Set one up.`, isRetryable: false }
    }
    if (NoSuchModelError.isInstance(cause)) return noSuchModel(name)
    if (!(cause instanceof Error)) continue
    if (cause.name === 'AbortError') return { ...failed(`The call of ${name} was cancelled.`, false), isAborted: true }
    if (cause.name === 'TimeoutError') return failed(`${name} took too long to answer.`, true)
  }
  return undefined
}

function judgeProvider(facts: ErrorFacts, name: string): Judged | undefined {
  const { status, text, said, names, networkCode, url } = facts
  const network = isRefusal(status) ? undefined : explainNetwork(networkCode, url)
  if (network !== undefined) return failed(`${name}: ${network.message}`, network.isRetryable)
  const quote = quoteOf(said)
  if (status === 401 || status === 403 || /api[_ ]key[_ ](?:not valid|invalid)|authentication_error/i.test(text)) {
    const message = `${name} refuses the key${quote} Check the provider's key.`
    return { code: 'unauthorized', message, isRetryable: false }
  }
  if (saysOverflow(text) || (status === 413 && !saysRateLimit(text))) {
    const message = `The conversation is too long for ${name}${quote}`
    return { code: 'context_overflow', message, isRetryable: false }
  }
  if (status === 429 || (saysRateLimit(text) && !isBeyondStatus(status))) return rateLimited(facts, name, quote)
  if (isMissingModel(facts)) return noSuchModel(name, quote)
  if (/content[_ ](?:filter|policy)|content management policy|prohibited_content|safety system/i.test(text)) {
    return failed(`${name} refused to answer: its content filter stepped in${quote}`, false)
  }
  if (status === 529 || /overloaded|engine_overloaded|unavailable/i.test(names)) {
    return { ...failed(`${name} is overloaded${quote}`, true), ...retryAfter(facts) }
  }
  if (status === 404) return failed(`${url ?? name} answered "not found"${quote} Check the provider's base URL.`, false)
  // Opened well, and then not to be read to its end.
  if (status === 200) return failed(`${name} broke off its answer${quote}`, true)
  if (!isRefusal(status)) return undefined
  const isRetryable = status >= 500 || status === 408 || status === 409 || status === 425
  return { ...failed(`${name} answered with HTTP ${status}${quote}`, isRetryable), ...retryAfter(facts) }
}

function judgeUnknown(error: unknown, { said, isRetryable = false }: ErrorFacts, name: string): Judged {
  const isBug = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  const message = `${name} failed${quoteOf(said)}`
  return isBug ? { code: 'internal', message, isRetryable: false } : failed(message, isRetryable)
}

function rateLimited(facts: ErrorFacts, name: string, quote: string): Judged {
  const { text } = facts
  const waits = retryAfter(facts)
  // Waiting helps against neither an empty purse nor a request that is larger than a minute's allowance. Google speaks of
  // the purse in any case, and tells how long to wait when it is only a minute's.
  const isBroke = waits.retryAfterMs === undefined && /exceeded your current quota|billing/i.test(text)
  const isHopeless = isBroke || /insufficient_quota|request too large/i.test(text)
  const wish = waits.retryAfterMs ? ` It asks to wait ${inSeconds(waits.retryAfterMs)}.` : ''
  return { code: 'rate_limited', message: `${name} limits its use${quote}${wish}`, isRetryable: !isHopeless, ...waits }
}

function retryAfter({ headers, text }: ErrorFacts): { readonly retryAfterMs?: number } {
  const retryAfterMs = readRetryAfter(headers, text, Date.now())
  return retryAfterMs === undefined ? {} : { retryAfterMs }
}

function isMissingModel({ status, text, names, said }: ErrorFacts): boolean {
  if (/model_not_found|not a valid model id|unknown model|no such model/i.test(text)) return true
  return status === 404 && (/model/i.test(said) || /not_found_error/.test(names))
}

/** A server's own failure stays one, whatever it writes about limits. */
function isBeyondStatus(status: number | undefined): boolean {
  return status !== undefined && (status >= 500 || status === 404)
}

function isRefusal(status: number | undefined): status is number {
  return status !== undefined && status >= 400
}

function quoteOf(said: string): string {
  const text = quoted(said)
  if (text === '') return '.'
  return /[.!?…]$/.test(text) ? `: ${text}` : `: ${text}.`
}

function inSeconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.ceil(ms / 1_000)} s`
}

function noSuchModel(name: string, quote = '.'): Judged {
  const message = `The provider has no model ${name}${quote} Choose another one.`
  return { code: 'validation_failed', message, isRetryable: false }
}

function failed(message: string, isRetryable: boolean): Judged {
  return { code: 'provider_error', message, isRetryable }
}
