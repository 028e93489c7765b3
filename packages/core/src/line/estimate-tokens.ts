import { isObject, type JsonObject } from '../context/json.ts'
import type { AgentMessage } from '../entry/message.ts'
import type { LineMessage, LinePart } from './line-message.ts'

/** As Pi counts (formats of the field agree on it): four characters to a token, and an image as much as this many. */
const CHARS_PER_TOKEN = 4
const CHARS_PER_IMAGE = 4800

/**
 * About how many tokens a line is. Nobody but the provider knows, so whoever shows this says that it is an estimate. The same
 * line gives the same number.
 */
export function estimateTokens(messages: readonly LineMessage[]): number {
  let tokens = 0
  for (const { content } of messages) {
    let chars = 0
    for (const part of content) chars += partChars(part)
    tokens += Math.ceil(chars / CHARS_PER_TOKEN)
  }
  return tokens
}

function partChars(part: LinePart): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length
    case 'image':
      return CHARS_PER_IMAGE
    case 'tool_call':
      return part.name.length + jsonChars(part.input)
    case 'tool_result':
      return part.output.reduce((chars, piece) => chars + partChars(piece), 0)
  }
}

/** The same for one message as it is stored. Any shape is survived; what has no words counts nothing. */
export function estimateMessageTokens(message: AgentMessage): number {
  return Math.ceil(messageChars(message as unknown as JsonObject) / CHARS_PER_TOKEN)
}

function messageChars(message: JsonObject): number {
  switch (message.role) {
    case 'bashExecution':
      return charsOf(message.command) + charsOf(message.output)
    case 'pythonExecution':
      return charsOf(message.code) + charsOf(message.output)
    case 'branchSummary':
    case 'compactionSummary':
      return charsOf(message.summary)
    case 'system':
      return contentChars(message.content) + sectionChars(message)
    case 'fileMention':
      return listOf(message.files).reduce<number>((chars, file) => chars + (isObject(file) ? fileChars(file) : 0), 0)
    default:
      return contentChars(message.content)
  }
}

function contentChars(content: unknown): number {
  if (typeof content === 'string') return content.length
  return listOf(content).reduce<number>((chars, block) => chars + (isObject(block) ? blockChars(block) : 0), 0)
}

function blockChars(block: JsonObject): number {
  switch (block.type) {
    case 'text':
      return charsOf(block.text)
    case 'thinking':
      return charsOf(block.thinking)
    case 'image':
      return CHARS_PER_IMAGE
    case 'toolCall':
      return charsOf(block.name) + (block.arguments === undefined ? 0 : jsonChars(block.arguments))
    default:
      return 0
  }
}

function sectionChars({ sections, toolsAdded }: JsonObject): number {
  const texts = isObject(sections) ? Object.values(sections) : []
  const said = texts.reduce<number>((chars, text) => chars + charsOf(text), 0)
  return said + (Array.isArray(toolsAdded) ? jsonChars(toolsAdded) : 0)
}

function fileChars(file: JsonObject): number {
  return charsOf(file.path) + charsOf(file.content) + (file.image === undefined ? 0 : CHARS_PER_IMAGE)
}

function jsonChars(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}

function charsOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
