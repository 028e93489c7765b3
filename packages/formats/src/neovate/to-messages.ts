import type { StoredMessage, ToolResultMessage } from '@treeline/core'
import { readAssistantBlocks, readUserBlocks } from './blocks.ts'
import { COMPACT_MESSAGE, type Fields, isFields } from './record.ts'
import { readUsage } from './usage.ts'

/** What one line says, in our words: a summary, or messages in order. Never none. */
export type Said = { readonly summary: string } | { readonly messages: readonly [StoredMessage, ...StoredMessage[]] }

const NOT_BLANK = /\S/

/**
 * A line may hold several results; a message of ours holds one. So a line becomes as many messages as it takes, of which
 * the last stands for the line.
 */
export function readSaid(record: Fields, timestamp: { readonly timestamp?: number }): Said {
  const summary = readSummary(record)
  if (summary !== undefined) return { summary }
  const messages = readMessages(record).map((message) => ({ ...message, ...timestamp }))
  return { messages: messages as unknown as readonly [StoredMessage, ...StoredMessage[]] }
}

/** What to say of a line that no entry could hold as it is; the line itself is kept beside it. */
export function readOpaque(record: Fields, timestamp: { readonly timestamp?: number }): Said {
  const role = record.role === 'assistant' ? 'assistant' : 'user'
  const said = typeof record.content === 'string' ? record.content : record.text
  const text = typeof said === 'string' && !said.startsWith('blob:') ? said : '[a message that cannot be shown]'
  return { messages: [{ role, content: [{ type: 'text', text }], ...timestamp } as StoredMessage] }
}

/** `/compact` and auto-compaction begin the conversation anew with one of these (N72). */
function readSummary({ role, uiContent, content, parentUuid }: Fields): string | undefined {
  if (role !== 'user' || uiContent !== COMPACT_MESSAGE || parentUuid !== null) return undefined
  const [part, ...others] = Array.isArray(content) ? (content as readonly unknown[]) : []
  const text = isFields(part) && part.type === 'text' ? part.text : undefined
  return typeof text === 'string' && others.length === 0 && NOT_BLANK.test(text) ? text : undefined
}

function readMessages(record: Fields): readonly StoredMessage[] {
  const { role, content } = record
  if (role === 'assistant') return [readAssistant(record)]
  if (role === 'user' && typeof content === 'string') return [{ role, content }]
  if (role === 'system' && typeof content === 'string') return [{ role, content }]
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : []
  if (role === 'user') return readUserParts(parts)
  if (role === 'tool') {
    const results = parts.map(readResult).filter((result) => result !== undefined)
    if (results.length > 0) return results
  }
  const blocks = typeof content === 'string' ? content : readUserBlocks(parts)
  return [{ role: 'custom', customType: `neovate/${textOf(role)}`, content: blocks, display: true }]
}

function readAssistant({ content, text, model, usage }: Fields): StoredMessage {
  const blocks = readAssistantBlocks(content, text)
  const read = readUsage(usage)
  return {
    role: 'assistant',
    content: blocks,
    ...readModel(model),
    ...(read !== undefined && { usage: read }),
    stopReason: blocks.some((block) => block.type === 'toolCall') ? 'toolUse' : 'stop',
  }
}

/** `provider/model`, where the model's own name may have slashes too. */
function readModel(name: unknown): { readonly provider?: string; readonly model?: string } {
  if (typeof name !== 'string' || name === '') return {}
  const at = name.indexOf('/')
  return at > 0 ? { provider: name.slice(0, at), model: name.slice(at + 1) } : { model: name }
}

/** Before October 2025 results were parts of a user's message. */
function readUserParts(parts: readonly unknown[]): readonly StoredMessage[] {
  const messages: StoredMessage[] = []
  let other: unknown[] = []
  const endOther = (): void => {
    if (other.length > 0) messages.push({ role: 'user', content: readUserBlocks(other) })
    other = []
  }
  for (const part of parts) {
    const result = isFields(part) && part.type === 'tool_result' ? readResult(part) : undefined
    if (result === undefined) other.push(part)
    else {
      endOther()
      messages.push(result)
    }
  }
  endOther()
  return messages.length > 0 ? messages : [{ role: 'user', content: [] }]
}

function readResult(part: unknown): ToolResultMessage | undefined {
  if (!isFields(part) || (part.type !== 'tool-result' && part.type !== 'tool_result')) return undefined
  const isLegacy = part.type === 'tool_result'
  const { llmContent, returnDisplay, isError } = isFields(part.result) ? part.result : ({} as Fields)
  return {
    role: 'toolResult',
    toolCallId: textOf(isLegacy ? part.id : part.toolCallId),
    toolName: textOf(isLegacy ? part.name : part.toolName),
    content: readUserBlocks(
      Array.isArray(llmContent) ? llmContent : typeof llmContent === 'string' ? [llmContent] : [],
    ),
    isError: isError === true,
    ...(returnDisplay !== undefined && { details: returnDisplay }),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
