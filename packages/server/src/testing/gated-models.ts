import type { Model, ModelCatalogue } from '@treeline/agent'
import { TreelineError } from '@treeline/core'

type Language = Model['language']
type Question = Parameters<Language['doStream']>[0]
type StreamPart = Awaited<ReturnType<Language['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

/** What a model says when it is asked: words, tools to call, or that it cannot. */
export interface Answer {
  readonly text?: string
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: object }[]
  readonly error?: Error
}

/** Answers a question, once it wants to. */
export type Script = (question: Question, text: string) => AsyncGenerator<string, Answer | undefined>

export interface GatedModels {
  readonly models: ModelCatalogue
  /** The text of every question, in the order they came. */
  readonly asked: readonly string[]
}

/** Models that say what a test tells them to, piece by piece. Every name of the provider `test` is one, `test/locked` without a key. */
export function gatedModels(script: Script, info: Partial<Model['info']> = {}): GatedModels {
  const asked: string[] = []
  const open = async (ref: string): Promise<Model> => {
    const [provider = '', id = ''] = ref.split('/')
    if (provider !== 'test') throw new TreelineError('validation_failed', `There is no model ${ref} in this test.`)
    if (id === 'locked') throw new TreelineError('unauthorized', `There is no key for ${ref}.`)
    const language: Language = {
      ...{ specificationVersion: 'v4', provider, modelId: id, supportedUrls: {} },
      doGenerate: () => Promise.reject(new Error('This model only streams.')),
      async doStream(question) {
        const text = textOf(question)
        asked.push(text)
        const parts = partsOf(script(question, text))
        return { stream: ReadableStream.from(parts) as ReadableStream<StreamPart> }
      },
    }
    const known = { contextWindow: 128_000, maxOutput: 8_192, thinking: ['off'], images: true } as const
    return { ref, provider, id, api: 'test', info: { ...known, ...info }, language }
  }
  return { models: { open, defaultRef: async () => 'test/one' }, asked }
}

async function* partsOf(said: AsyncGenerator<string, Answer | undefined>): AsyncGenerator<StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id: '0' }
  let next = await said.next()
  for (; !next.done; next = await said.next()) yield { type: 'text-delta', id: '0', delta: next.value }
  yield { type: 'text-end', id: '0' }
  const { calls = [], error } = next.value ?? {}
  if (error !== undefined) throw error
  for (const { id, name, input } of calls) {
    yield { type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) }
  }
  const unified = calls.length === 0 ? 'stop' : 'tool-calls'
  const count = { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 }
  const usage = { inputTokens: count, outputTokens: { total: 5, text: 5, reasoning: 0 } }
  yield { type: 'finish', finishReason: { unified, raw: unified }, usage }
}

/** All that was said to it, what the system says first. */
function textOf({ prompt }: Question): string {
  const texts = prompt.flatMap(({ content }): string[] => {
    if (typeof content === 'string') return [content]
    return content.flatMap((part) => ('text' in part ? [part.text] : []))
  })
  return texts.join('\n')
}
