import { type Entry, textOf } from '@treeline/core'
import type { Part } from '@treeline/protocol'
import { isObject, type JsonObject, listOr, objectOr, textOr } from './json.ts'

export interface NodeContent {
  /** All that is text, in one. */
  readonly content: string
  /** Where that is not all there is to it. */
  readonly parts?: Part[]
}

type SimplePart = Exclude<Part, { type: 'tool_result' }>

const NOTHING: NodeContent = { content: '' }

export function contentOf(entry: Entry): NodeContent {
  if (entry.type === 'custom_message') return fromBlocks(entry.content, '\n')
  if (entry.type !== 'message') return { content: textOf(entry) }
  const message = objectOr(entry.message)
  switch (message.role) {
    // The offsets of streamed text count what was said and nothing between the blocks.
    case 'assistant':
      return fromBlocks(message.content, '')
    case 'toolResult':
      return fromToolResult(message)
    case 'bashExecution':
    case 'pythonExecution':
    case 'system':
      return { content: textOf(entry) }
    case 'fileMention':
      return { content: textOf(entry), ...imagesOf(message.files) }
    default:
      return fromBlocks(message.content, '\n')
  }
}

function fromBlocks(content: unknown, between: string): NodeContent {
  if (typeof content === 'string') return { content }
  const parts = toParts(content)
  if (parts.length === 0) return NOTHING
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(between)
  return parts.length === 1 && parts[0]!.type === 'text' ? { content: text } : { content: text, parts }
}

function fromToolResult(message: JsonObject): NodeContent {
  const { content, parts } = fromBlocks(message.content, '\n')
  const isPlain = parts === undefined || parts.every(({ type }) => type === 'text')
  return {
    content,
    parts: [
      {
        type: 'tool_result',
        toolCallId: textOr(message.toolCallId),
        name: textOr(message.toolName),
        output: isPlain ? content : (parts as SimplePart[]),
        ...(message.isError === true && { isError: true }),
      },
    ],
  }
}

function imagesOf(files: unknown): { readonly parts?: Part[] } {
  const parts = toParts(listOr(files).map((file) => objectOr(file).image))
  return parts.length === 0 ? {} : { parts }
}

function toParts(content: unknown): SimplePart[] {
  return listOr(content).flatMap((block) => (isObject(block) ? (toPart(block) ?? []) : []))
}

/** Nothing for what only a provider can read, and for what no tool we know writes. */
function toPart(block: JsonObject): SimplePart | undefined {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: textOr(block.text) }
    case 'thinking':
      return { type: 'reasoning', text: textOr(block.thinking) }
    case 'image':
      return { type: 'image', blob: toBlob(block), mimeType: textOr(block.mimeType) }
    case 'toolCall':
      return { type: 'tool_call', toolCallId: textOr(block.id), name: textOr(block.name), input: block.arguments ?? {} }
    default:
      return undefined
  }
}

function toBlob({ data, mimeType }: JsonObject): string {
  const stored = textOr(data)
  return stored.startsWith('blob:') ? stored : `data:${textOr(mimeType)};base64,${stored}`
}
