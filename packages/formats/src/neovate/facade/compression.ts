import { neovateThreshold } from '@treeline/core'
import { readUsage } from '../usage.ts'
import type { NormalizedMessage } from './normalized-message.ts'

export interface ModelInfo {
  readonly model: { readonly limit: { readonly context: number; readonly output: number } }
}

/** When a history is to be compacted (N75). */
export interface CompressionPolicy {
  /** Tokens from which on it is. */
  readonly threshold: (model: ModelInfo) => number
}

/** Neovate's own thresholds (N66–N69), for those who want the same sessions to be compacted at the same time. */
export const neovatePolicy: CompressionPolicy = {
  threshold: ({ model: { limit } }) => neovateThreshold(limit.context, limit.output),
}

/** A rule of thumb that errs on the side of too many. */
const CHARS_PER_TOKEN = 4

/** What the next request will take: what the last answer says it took, and what has come since (N65, X63). */
export function estimateTokens(messages: readonly NormalizedMessage[]): number {
  const last = messages.findLastIndex(({ role, usage }) => role === 'assistant' && readUsage(usage) !== undefined)
  const used = last < 0 ? 0 : (readUsage(messages[last]!.usage)?.totalTokens ?? 0)
  const since = messages.slice(last + 1).map(({ content }) => JSON.stringify(content).length)
  return used + Math.ceil(since.reduce((sum, length) => sum + length, 0) / CHARS_PER_TOKEN)
}

/** The prompts at the end that nobody has answered: they stay as they are (X60). */
export function pendingPrompts(messages: readonly NormalizedMessage[]): readonly NormalizedMessage[] {
  const last = messages.findLastIndex((message) => !isPrompt(message))
  return messages.slice(last + 1)
}

function isPrompt({ role, content }: NormalizedMessage): boolean {
  const isResult = Array.isArray(content) && content.some(({ type }) => type === 'tool_result')
  return role === 'user' && !isResult
}
