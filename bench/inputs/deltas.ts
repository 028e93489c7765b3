// An answer as it is streamed: pieces of about five characters, from a fixed seed, and the two ways they come.
import { createHash } from 'node:crypto'
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { createRandom } from './random.ts'
import { createTexts } from './texts.ts'

export const PROMPT = 'Explain the parser, at length.'
export const MODEL_ID = 'deltas'

export function makeDeltas(count: number): readonly string[] {
  const random = createRandom(66)
  const text = createTexts(random).prose(count * 8)
  const deltas: string[] = []
  for (let at = 0; deltas.length < count; ) {
    const end = at + random.int(3, 7)
    // Nobody streams half a character.
    const cut = /[\ud800-\udbff]/.test(text[end - 1]!) ? end + 1 : end
    deltas.push(text.slice(at, cut))
    at = cut
  }
  return deltas
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** A model in this process that says everything at once: what is left is the work of whoever listens. */
export function createDeltaModel(count: number): LanguageModelV4 {
  const deltas = makeDeltas(count)
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: MODEL_ID,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('This model only streams.')),
    async doStream() {
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] })
          controller.enqueue({ type: 'text-start', id: '0' })
          for (const delta of deltas) controller.enqueue({ type: 'text-delta', id: '0', delta })
          controller.enqueue({ type: 'text-end', id: '0' })
          controller.enqueue({
            type: 'finish',
            finishReason: { unified: 'stop', raw: 'stop' },
            usage: {
              inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
              outputTokens: { total: count, text: count, reasoning: 0 },
            },
          })
          controller.close()
        },
      })
      return { stream }
    },
  }
}

/** The same as chat completions say it: one event for each piece. */
export function deltaEvents(count: number): string {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_750_000_000, model: MODEL_ID }
  const chunk = (delta: object, finish_reason: string | null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  })
  const usage = { prompt_tokens: 10, completion_tokens: count, total_tokens: 10 + count }
  const chunks = [
    chunk({ role: 'assistant', content: '' }, null),
    ...makeDeltas(count).map((content) => chunk({ content }, null)),
    chunk({}, 'stop'),
    { ...head, choices: [], usage },
  ]
  return `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`
}
