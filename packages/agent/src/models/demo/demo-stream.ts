import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall, LanguageModelV4Usage } from '@ai-sdk/provider'
import { systemClock } from '../../clock.ts'
import type { DemoReply } from './demo-reply.ts'
import { tokensOf } from './demo-tokens.ts'

export interface StreamOptions {
  readonly delayMs: number
  readonly signal: AbortSignal | undefined
}

/** Word by word, as fast as they are read and no faster than the delay. An abort ends it at once, with its reason. */
export function streamReply(
  reply: DemoReply,
  inputTokens: number,
  { delayMs, signal = new AbortController().signal }: StreamOptions,
): ReadableStream<LanguageModelV4StreamPart> {
  const parts = partsOf(reply, inputTokens)
  let stop: () => void
  return new ReadableStream({
    start(controller) {
      stop = () => controller.error(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
    },
    async pull(controller) {
      const { value, done } = parts.next()
      if (done) {
        signal.removeEventListener('abort', stop)
        controller.close()
        return
      }
      if (delayMs > 0 && value.type.endsWith('-delta')) await systemClock.wait(delayMs, signal)
      if (!signal.aborted) controller.enqueue(value)
    },
    cancel: () => signal.removeEventListener('abort', stop),
  })
}

function* partsOf(reply: DemoReply, inputTokens: number): Generator<LanguageModelV4StreamPart, undefined> {
  yield { type: 'stream-start', warnings: [] }
  if (reply.thinking !== '') {
    yield { type: 'reasoning-start', id: 'thinking' }
    for (const delta of wordsOf(reply.thinking)) yield { type: 'reasoning-delta', id: 'thinking', delta }
    yield { type: 'reasoning-end', id: 'thinking' }
  }
  if (reply.text !== '') {
    yield { type: 'text-start', id: 'text' }
    for (const delta of wordsOf(reply.text)) yield { type: 'text-delta', id: 'text', delta }
    yield { type: 'text-end', id: 'text' }
  }
  for (const call of callsOf(reply)) {
    const { toolCallId: id, toolName, input } = call
    yield { type: 'tool-input-start', id, toolName }
    yield { type: 'tool-input-delta', id, delta: input }
    yield { type: 'tool-input-end', id }
    yield call
  }
  yield { type: 'finish', finishReason: reply.finishReason, usage: demoUsage(reply, inputTokens) }
  return undefined
}

export function callsOf({ calls }: DemoReply): readonly LanguageModelV4ToolCall[] {
  return calls.map(({ id, name, input }) => {
    return { type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) }
  })
}

export function demoUsage(reply: DemoReply, inputTokens: number): LanguageModelV4Usage {
  const reasoning = tokensOf(reply.thinking)
  const text = tokensOf(reply.text) + callsOf(reply).reduce((sum, { input }) => sum + tokensOf(input), 0)
  return {
    inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: reasoning + text, text, reasoning },
  }
}

/** Cut where a real model would have to stop. */
export function limitReply(reply: DemoReply, maxOutputTokens: number | undefined): DemoReply {
  const room = (maxOutputTokens ?? Number.POSITIVE_INFINITY) * 4
  if (reply.text.length <= room) return reply
  const text = reply.text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '')
  return { ...reply, text, calls: [], finishReason: { unified: 'length', raw: 'length' } }
}

function wordsOf(text: string): readonly string[] {
  return text.split(/(?<=\s)(?=\S)/)
}
