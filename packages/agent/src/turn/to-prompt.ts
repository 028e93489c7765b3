import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import type { LineImage, LineMessage, LineText, LineToolResult } from '@treeline/core'
import type { Model } from '../models/model.ts'
import { type ReadImage, readImagePart } from './image-part.ts'
import { callSignatureOptions, reasoningOptions } from './signature.ts'
import { type Wire, wireOf } from './wire.ts'

type Part = LanguageModelV4TextPart | LanguageModelV4FilePart
type Of<Role> = Extract<LineMessage, { readonly role: Role }>
type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>

const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } }
/** From the end: what was cached by the call before, and what the next one will find. */
const CACHED_TURNS = 2
const NO_OUTPUT = '(no output)'
const SHOWN = '(an image)'

/** A line in the AI SDK's words, for one model: what only another provider can read stays out. */
export async function toPrompt(
  messages: readonly LineMessage[],
  model: Model,
  readImage: ReadImage,
): Promise<LanguageModelV4Prompt> {
  const wire = wireOf(model)
  const readPart = (part: LineText | LineImage): Promise<Part> =>
    part.type === 'text' ? Promise.resolve(textPart(part.text)) : readImagePart(part, model, wire, readImage)
  const prompt: LanguageModelV4Message[] = []
  /** Images of tools, for those who take them from a user only. */
  let shown: Part[] = []
  for (const message of messages) {
    if (message.role !== 'user' && shown.length > 0) {
      prompt.push({ role: 'user', content: shown })
      shown = []
    }
    switch (message.role) {
      case 'system':
        prompt.push({ role: 'system', content: message.content.map(({ text }) => text.toWellFormed()).join('\n\n') })
        break
      case 'user':
        prompt.push({ role: 'user', content: [...shown, ...(await readAll(message.content, readPart))] })
        shown = []
        break
      case 'assistant': {
        const content = toAssistant(message, model, wire)
        if (content.length > 0) prompt.push({ role: 'assistant', content })
        break
      }
      case 'tool': {
        const content: LanguageModelV4ToolResultPart[] = []
        for (const result of message.content) {
          const parts = await readAll(result.output, readPart)
          content.push(toResult(result, wire === 'chat' ? parts.filter(isText) : parts))
          if (wire === 'chat') shown.push(...introduced(result, parts))
        }
        prompt.push({ role: 'tool', content })
        break
      }
    }
  }
  if (shown.length > 0) prompt.push({ role: 'user', content: shown })
  return wire === 'anthropic' ? markCached(prompt) : prompt
}

function toAssistant({ content }: Of<'assistant'>, model: Model, wire: Wire): Assistant['content'] {
  const parts: Assistant['content'] = []
  for (const part of content) {
    if (part.type === 'text') parts.push(textPart(part.text))
    else if (part.type === 'reasoning') {
      const options = part.provider === model.provider ? reasoningOptions(part, wire) : undefined
      const text = part.text.toWellFormed()
      if (options !== undefined) parts.push({ type: 'reasoning', text, providerOptions: options })
    } else {
      const { toolCallId, name } = part
      const input = wellFormed(part.input)
      const options = part.provider === model.provider ? callSignatureOptions(part, wire) : undefined
      const call = { type: 'tool-call' as const, toolCallId, toolName: name, input }
      parts.push(options === undefined ? call : { ...call, providerOptions: options })
    }
  }
  return parts
}

function toResult(
  { toolCallId, name, isError }: LineToolResult,
  parts: readonly Part[],
): LanguageModelV4ToolResultPart {
  return { type: 'tool-result', toolCallId, toolName: name, output: toOutput(parts, isError) }
}

/** One text, then the images: Google's package makes a result of each text, and of an image alone none. */
function toOutput(parts: readonly Part[], isError: boolean): LanguageModelV4ToolResultOutput {
  const texts = parts.filter(isText).filter(({ text }) => text.trim() !== '')
  const images = parts.filter((part) => !isText(part))
  const value = texts.map(({ text }) => text).join('\n')
  if (images.length === 0) return { type: isError ? 'error-text' : 'text', value: value || NO_OUTPUT }
  // A result with images has no place for its being an error but its text.
  return { type: 'content', value: [textPart(`${isError ? 'The tool failed. ' : ''}${value || SHOWN}`), ...images] }
}

function introduced({ name, toolCallId }: LineToolResult, parts: readonly Part[]): readonly Part[] {
  const images = parts.filter((part) => !isText(part))
  return images.length === 0 ? [] : [textPart(`What ${name} (${toolCallId}) returned besides:`), ...images]
}

/** Anthropic reads what it has cached up to a mark: the system text, and the last turns but one and at all. */
function markCached(prompt: readonly LanguageModelV4Message[]): LanguageModelV4Prompt {
  const asking = prompt.filter(({ role }) => role === 'user' || role === 'tool').slice(-CACHED_TURNS)
  const marked = new Set<LanguageModelV4Message>(asking)
  return prompt.map((message) =>
    message.role === 'system' || marked.has(message) ? { ...message, providerOptions: CACHED } : message,
  )
}

async function readAll(
  content: readonly (LineText | LineImage)[],
  read: (part: LineText | LineImage) => Promise<Part>,
): Promise<Part[]> {
  const parts: Part[] = []
  for (const part of content) parts.push(await read(part))
  return parts
}

function textPart(text: string): LanguageModelV4TextPart {
  return { type: 'text', text: text.toWellFormed() }
}

/** Half a character (a delta or a cut went through it) is no JSON to a provider: it would refuse the line for ever. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(wellFormed)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key.toWellFormed(), wellFormed(part)]))
}

function isText(part: Part): part is LanguageModelV4TextPart {
  return part.type === 'text'
}
