import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { Model, ThinkingLevel } from '../models/model.ts'
import { wireOf } from './wire.ts'

/** Tokens that thinking may take when the answer itself is limited. */
const THINKING_ROOM = 8_192
/** OpenAI refuses less. */
const LEAST_OUTPUT = 16
/** Characters a token has at least, in all but odd text: the room left for an answer is rather guessed too small. */
const CHARS_PER_TOKEN = 3
const LEAST_ROOM = 4_096
/** An image takes about 1,600 tokens, however many bytes it has. */
const IMAGE_CHARS = 1_600 * CHARS_PER_TOKEN

/** How many tokens an answer may have; `undefined` leaves it to the provider. */
export function outputLimit(
  {
    maxOutput,
    model,
    prompt,
  }: { readonly maxOutput?: number | undefined; readonly model: Model; readonly prompt: LanguageModelV4Prompt },
  level: ThinkingLevel | undefined,
): number | undefined {
  const { info } = model
  if (maxOutput !== undefined) {
    const room = level === undefined || level === 'off' ? 0 : THINKING_ROOM
    return Math.min(info.maxOutput, Math.max(LEAST_OUTPUT, maxOutput) + room)
  }
  // Anthropic alone must be told, and refuses a call whose prompt and limit together are more than it can hold.
  if (wireOf(model) !== 'anthropic') return undefined
  const left = info.contextWindow - Math.ceil(textLength(prompt) / CHARS_PER_TOKEN)
  return Math.min(info.maxOutput, Math.max(LEAST_ROOM, left))
}

function textLength(prompt: LanguageModelV4Prompt): number {
  let length = 0
  for (const { content } of prompt) {
    if (typeof content === 'string') length += content.length
    else for (const part of content) length += partLength(part)
  }
  return length
}

type Part = Exclude<LanguageModelV4Prompt[number]['content'], string>[number]

function partLength(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length
    case 'tool-call':
      return JSON.stringify(part.input)?.length ?? 0
    case 'tool-result': {
      const { output } = part
      if (output.type === 'text' || output.type === 'error-text') return output.value.length
      if (output.type !== 'content') return 0
      return output.value.reduce((sum, piece) => sum + (piece.type === 'text' ? piece.text.length : IMAGE_CHARS), 0)
    }
    case 'file':
      return IMAGE_CHARS
    default:
      return 0
  }
}
