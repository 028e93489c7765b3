import type { AssistantBlock, ImageBlock, TextBlock, ToolCallBlock } from '@treeline/core'
import { type Fields, isFields } from './record.ts'

export type UserBlock = TextBlock | ImageBlock

const DATA_URL = /^data:([\w.+/-]*);base64,([A-Za-z0-9+/]*={0,2})$/
/** A part of one of these types is read as what it says or not at all. */
const OUR_TYPES: ReadonlySet<unknown> = new Set(['text', 'image', 'thinking', 'redactedThinking', 'toolCall'])

/** What a user, or a tool, says: text and images. Parts nobody knows are kept as they are, for those who come after us. */
export function readUserBlocks(parts: readonly unknown[]): UserBlock[] {
  return parts.map(readUserBlock).filter((block) => block !== undefined)
}

function readUserBlock(part: unknown): UserBlock | undefined {
  if (typeof part === 'string') return { type: 'text', text: part }
  if (!isFields(part)) return undefined
  return readText(part) ?? readImage(part) ?? unknownBlock<UserBlock>(part)
}

export function readAssistantBlocks(content: unknown, text: unknown): AssistantBlock[] {
  if (!Array.isArray(content)) {
    const said = typeof content === 'string' ? content : text
    return typeof said === 'string' ? [{ type: 'text', text: said }] : []
  }
  return content.map(readAssistantBlock).filter((block) => block !== undefined)
}

function readAssistantBlock(part: unknown): AssistantBlock | undefined {
  if (!isFields(part)) return undefined
  if (part.type === 'reasoning' && typeof part.text === 'string') return { type: 'thinking', thinking: part.text }
  return readText(part) ?? readToolCall(part) ?? unknownBlock<AssistantBlock>(part)
}

function readText(part: Fields): TextBlock | undefined {
  if (part.type !== 'text' || typeof part.text !== 'string') return undefined
  // The very same object is stored once.
  return Object.keys(part).length === 2 ? (part as unknown as TextBlock) : { type: 'text', text: part.text }
}

function readImage(part: Fields): UserBlock | undefined {
  if (part.type !== 'image' || typeof part.data !== 'string') return undefined
  const [, type = '', data] = DATA_URL.exec(part.data) ?? []
  if (data === undefined) return { type: 'text', text: '[image that cannot be shown]' }
  return { type: 'image', data, mimeType: typeof part.mimeType === 'string' ? part.mimeType : type }
}

function readToolCall({ type, id, name, input }: Fields): ToolCallBlock | undefined {
  if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string') return undefined
  return { type: 'toolCall', id, name, arguments: isFields(input) ? input : input === undefined ? {} : { input } }
}

function unknownBlock<T>(part: Fields): T | undefined {
  return typeof part.type === 'string' && !OUR_TYPES.has(part.type) ? (part as unknown as T) : undefined
}
