// The AI SDK's own loop, and a consumer that takes every part and keeps nothing but the text.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { streamText } from 'ai'
import { createDeltaModel, hashOf, MODEL_ID, PROMPT } from '../inputs/deltas.ts'
import { startDeltaServer } from './delta-server.ts'
import { type Action, type Job, prepared } from './job.ts'
import { runChild } from './run-child.ts'

/** Facts: deltas, text. */
const stream: Action = async (job) => {
  const model = await makeModel(job)
  const listen = async () => {
    let text = ''
    let deltas = 0
    for await (const part of streamText({ model, prompt: PROMPT }).stream) {
      if (part.type !== 'text-delta') continue
      text += part.text
      deltas++
    }
    return { text, deltas }
  }
  for (let i = 0; i < job.stream!.earlier; i++) await listen()
  return prepared(listen, ({ text, deltas }) => ({ deltas, text: hashOf(text) }))
}

async function makeModel({ stream: options }: Job): Promise<LanguageModelV4> {
  const { from, count } = options!
  if (from === 'memory') return createDeltaModel(count)
  const baseURL = await startDeltaServer(count)
  return createOpenAICompatible({ name: 'bench', baseURL, includeUsage: true }).chatModel(MODEL_ID)
}

await runChild({ stream })
