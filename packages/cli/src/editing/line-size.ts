import { estimateTokens, type Line } from '@treeline/core'
import { numberText } from '../output/amount.ts'
import { messagesText } from '../output/counted-words.ts'
import { t } from '../output/language.ts'

/** How much a model would get. */
export interface LineSize {
  readonly messages: number
  /** An estimate. */
  readonly tokens: number
}

export function sizeOf({ messages }: Line): LineSize {
  return { messages: messages.length, tokens: estimateTokens(messages) }
}

/** What became of the line, in a sentence. */
export function compareSizes(before: LineSize, after: LineSize): string {
  if (before.messages === after.messages && before.tokens === after.tokens) {
    return t('The line is as before: {size}.', { size: describe(after) })
  }
  return t('The line: {before} → {messages}, about {tokens}.', {
    before: describe(before),
    messages: messagesText(after.messages),
    tokens: numberText(after.tokens),
  })
}

function describe({ messages, tokens }: LineSize): string {
  const values = { messages: messagesText(messages), tokens: numberText(tokens) }
  return tokens === 1 ? t('{messages}, about 1 token', values) : t('{messages}, about {tokens} tokens', values)
}
