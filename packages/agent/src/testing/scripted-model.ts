import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Model, ModelInfo } from '../models/model.ts'

/** What a scripted model says when it is asked: text, calls of tools, or an error. */
export interface ScriptedAnswer {
  readonly text?: string
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
  /** By default `tool-calls` with calls, else `stop`. */
  readonly finish?: 'stop' | 'length' | 'tool-calls'
  readonly usage?: { readonly input: number; readonly output: number }
  /** Thrown by the call itself. */
  readonly error?: unknown
}

export type Script = (
  question: LanguageModelV4CallOptions,
  index: number,
) => string | ScriptedAnswer | Promise<string | ScriptedAnswer>

export interface ScriptedModel extends Model {
  /** Every call it got, in order. */
  readonly calls: readonly LanguageModelV4CallOptions[]
}

export interface ScriptedModelOptions {
  readonly script?: Script
  readonly info?: Partial<ModelInfo>
  readonly ref?: string
}

const INFO: ModelInfo = { contextWindow: 128_000, maxOutput: 8_192, thinking: ['off'], images: false }

/** A model that says what a test tells it to. The same questions get the same answers. */
export function scriptedModel({
  script = () => 'Done.',
  info = {},
  ref = 'scripted/one',
}: ScriptedModelOptions = {}): ScriptedModel {
  const calls: LanguageModelV4CallOptions[] = []
  const [provider, id] = [ref.slice(0, ref.indexOf('/')), ref.slice(ref.indexOf('/') + 1)]
  const language: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider,
    modelId: id,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('A scripted model only streams.')),
    async doStream(question) {
      question.abortSignal?.throwIfAborted()
      calls.push(question)
      const said = await script(question, calls.length - 1)
      const answer = typeof said === 'string' ? { text: said } : said
      if (answer.error !== undefined) throw answer.error
      return { stream: streamOf(partsOf(answer)) }
    },
  }
  return { ref, provider, id, api: 'scripted', info: { ...INFO, ...info }, language, calls }
}

/** All text of a question, system text first, so that a test can look for what was asked. */
export function askedText({ prompt }: LanguageModelV4CallOptions): string {
  const texts = prompt.flatMap(({ content }) => {
    if (typeof content === 'string') return [content]
    return content.flatMap((part) => ('text' in part ? [part.text] : []))
  })
  return texts.join('\n')
}

export function* partsOf(answer: ScriptedAnswer): Generator<LanguageModelV4StreamPart> {
  const { text = '', toolCalls = [], usage = { input: 100, output: 20 } } = answer
  yield { type: 'stream-start', warnings: [] }
  if (text !== '') {
    yield { type: 'text-start', id: '0' }
    yield { type: 'text-delta', id: '0', delta: text }
    yield { type: 'text-end', id: '0' }
  }
  for (const { id, name, input } of toolCalls) {
    yield { type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) }
  }
  const unified = answer.finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop')
  yield {
    type: 'finish',
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: usage.input, noCache: usage.input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: usage.output, text: usage.output, reasoning: 0 },
    },
  }
}

function streamOf(parts: Iterable<LanguageModelV4StreamPart>): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}
