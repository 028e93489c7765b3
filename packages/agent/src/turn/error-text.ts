import { plainText } from '@treeline/core'

const MAX_CHARS = 500
/** What providers say is given a part of that, so that our own words are never cut. */
const MAX_QUOTED_CHARS = 280

const SECRETS = [
  // Keys as OpenAI, Anthropic, OpenRouter, Groq, xAI and Google make them, also when half of one is starred out.
  /\b(?:sk|pk|rk|gsk|xai|nvapi|hf|tvly)[-_][\w*.-]{4,}/gi,
  /\bAIza[\w-]{8,}/g,
  /\b(bearer|basic)\s+[\w+/=.~-]{4,}/gi,
  /([?&](?:key|api[-_]?key|token|access_token)=)[^&\s"']+/gi,
  // Anything else that nobody reads: tokens, base64, bodies.
  /[\w+/=-]{48,}/g,
]

/** Text for a person and for the log: one line, nothing that drives a terminal, no keys, never long. */
export function errorText(text: string): string {
  return cut(clean(text), MAX_CHARS)
}

/** What somebody else said, to be put into such a text. */
export function quoted(text: string): string {
  return cut(clean(text), MAX_QUOTED_CHARS)
}

function clean(text: string): string {
  // Long enough for what is kept, short enough for patterns to be quick on anything.
  let cleaned = plainText(text.slice(0, 4 * MAX_CHARS)).replaceAll('\ufffd', '')
  for (const secret of SECRETS) cleaned = cleaned.replace(secret, (_, head) => (isHead(head) ? `${head} …` : '…'))
  return cleaned.replace(/\s+/g, ' ').trim()
}

function isHead(value: unknown): value is string {
  return typeof value === 'string'
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars
    ? text
    : `${text.slice(0, maxChars - 1).trimEnd()}…`.toWellFormed().replace('\ufffd', '')
}
