import { estimateTokens, type Line } from '@treeline/core'
import { counted, numberText } from '../output/amount.ts'

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
    return `The line is as before: ${describe(after)}.`
  }
  return `The line: ${describe(before)} → ${counted(after.messages, 'message')}, about ${numberText(after.tokens)}.`
}

function describe({ messages, tokens }: LineSize): string {
  return `${counted(messages, 'message')}, about ${counted(tokens, 'token')}`
}
