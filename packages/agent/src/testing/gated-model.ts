import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Model } from '../models/model.ts'
import { partsOf, type ScriptedAnswer, scriptedModel } from './scripted-model.ts'

/** A model that says its answers piece by piece, each when the gate lets it. */
export interface GatedModelOptions {
  readonly ref: string
  /** One per call; the last for all that follow. Texts come word by word. */
  readonly answers: readonly (string | ScriptedAnswer)[]
  /** Asked before every piece; the pieces of a call are numbered from 0. */
  readonly gate: (ref: string, piece: number) => Promise<unknown>
}

export function gatedModel({ ref, answers, gate }: GatedModelOptions): Model {
  const base = scriptedModel({ ref })
  let calls = 0
  const language: LanguageModelV4 = {
    ...base.language,
    async doStream({ abortSignal }) {
      abortSignal?.throwIfAborted()
      const said = answers[Math.min(calls++, answers.length - 1)]!
      const parts = piecesOf(typeof said === 'string' ? { text: said } : said)
      let piece = 0
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        async pull(controller) {
          const { done, value } = parts.next()
          if (done) return controller.close()
          await gate(ref, piece++)
          controller.enqueue(value)
        },
      })
      return { stream }
    },
  }
  return { ...base, language }
}

function* piecesOf(answer: ScriptedAnswer): Generator<LanguageModelV4StreamPart, undefined> {
  for (const part of partsOf(answer)) {
    if (part.type !== 'text-delta') yield part
    else for (const delta of part.delta.split(/(?<= )/)) yield { ...part, delta }
  }
}
