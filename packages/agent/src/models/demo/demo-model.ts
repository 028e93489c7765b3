import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Content } from '@ai-sdk/provider'
import { systemClock } from '../../clock.ts'
import { type DemoReply, demoReply } from './demo-reply.ts'
import { callsOf, demoUsage, limitReply, streamReply } from './demo-stream.ts'
import { countTokens, refuseTooLong } from './demo-tokens.ts'

export interface DemoOptions {
  /** Before each word, so that streaming can be watched; 0 for tests. */
  readonly delayMs?: number
}

const DELAY_MS = 12

/**
 * A model that is none: it answers by fixed rules, at once and always the same, and says so. With it every feature can be
 * tried without a key and without a network. It streams, thinks, calls tools, summarises, and refuses what is too long.
 */
export function createDemoModel({ delayMs = DELAY_MS }: DemoOptions = {}): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'demo',
    modelId: 'demo',
    supportedUrls: {},
    async doStream(options) {
      const { reply, inputTokens } = answer(options)
      return { stream: streamReply(reply, inputTokens, { delayMs, signal: options.abortSignal }) }
    },
    async doGenerate(options) {
      const { reply, inputTokens } = answer(options)
      const words = reply.text.split(' ').length
      await systemClock.wait(words * delayMs, options.abortSignal ?? new AbortController().signal)
      return {
        content: contentOf(reply),
        finishReason: reply.finishReason,
        usage: demoUsage(reply, inputTokens),
        warnings: [],
      }
    },
  }
}

function answer(options: LanguageModelV4CallOptions): { readonly reply: DemoReply; readonly inputTokens: number } {
  options.abortSignal?.throwIfAborted()
  const inputTokens = countTokens(options)
  refuseTooLong(inputTokens)
  return { reply: limitReply(demoReply(options), options.maxOutputTokens), inputTokens }
}

function contentOf(reply: DemoReply): LanguageModelV4Content[] {
  const { thinking, text } = reply
  return [
    ...(thinking === '' ? [] : [{ type: 'reasoning' as const, text: thinking }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...callsOf(reply),
  ]
}
