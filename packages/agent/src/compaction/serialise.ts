import type { AgentMessage } from '@treeline/core'

export interface SerialiseOptions {
  /** How much is kept of what a tool printed, of a long argument and of a file that was shown. */
  readonly maxResultChars?: number
}

const MAX_RESULT_CHARS = 2_000

type Stored = Readonly<Record<string, unknown>>

/**
 * A conversation as text for a summariser: one tagged piece for each message, tool calls with their arguments, long
 * results cut, no thinking, images by their name. What is said cannot close a tag or open one. Any shape is survived.
 */
export function serialiseMessages(messages: readonly AgentMessage[], options: SerialiseOptions = {}): string {
  return messages
    .map((message) => serialiseMessage(message, options))
    .filter((text) => text !== '')
    .join('\n\n')
}

/** One of them; empty when it has nothing that may be shown. */
export function serialiseMessage(
  message: AgentMessage,
  { maxResultChars = MAX_RESULT_CHARS }: SerialiseOptions = {},
): string {
  const stored = message as unknown as Stored
  // A `!!` command was kept from the model on purpose: also from the one that summarises.
  if (stored.excludeFromContext === true) return ''
  switch (message.role) {
    case 'assistant':
      return piece('assistant', assistantText(stored, maxResultChars))
    case 'toolResult': {
      const tool = `tool="${attribute(stored.toolName)}"${stored.isError === true ? ' error="true"' : ''}`
      return `<result ${tool}>\n${escapeTags(cut(contentText(stored.content), maxResultChars)) || '(no output)'}\n</result>`
    }
    case 'bashExecution':
    case 'pythonExecution':
      return piece('user', executionText(stored, maxResultChars))
    case 'fileMention':
      return piece(
        'user',
        listOf(stored.files)
          .map((file) => fileText(file, maxResultChars))
          .join('\n\n'),
      )
    case 'branchSummary':
      return piece('summary of another branch', escapeTags(asText(stored.summary)))
    case 'compactionSummary':
      return piece('summary of what came before', escapeTags(asText(stored.summary)))
    case 'system':
    case 'developer':
      return piece(message.role, escapeTags(contentText(stored.content)))
    default:
      return piece('user', escapeTags(contentText(stored.content)))
  }
}

/** Tags that stand for something in a question of ours. */
const TAG = /<(?=[\s/]*(?:conversation|message|call|result|summary|instructions|read-files|modified-files)\b)/gi

/** Makes text unable to open or close a tag of ours; everything else in it stays as it is. */
export function escapeTags(text: string): string {
  return text.replace(TAG, '&lt;')
}

/** The beginning of a text and how much is missing; never half a character. */
export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const start = text.slice(0, maxChars)
  const kept = /[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start
  return `${kept}\n[${text.length - kept.length} more characters not shown]`
}

function piece(from: string, text: string): string {
  return text.trim() === '' ? '' : `<message from="${from}">\n${text}\n</message>`
}

function assistantText(stored: Stored, maxChars: number): string {
  if (typeof stored.content === 'string') return escapeTags(stored.content)
  const parts: string[] = []
  for (const block of listOf(stored.content)) {
    if (!isObject(block)) continue
    if (block.type === 'toolCall') {
      parts.push(`<call tool="${attribute(block.name)}">${escapeTags(argumentsText(block.arguments, maxChars))}</call>`)
    } else if (block.type === 'text' && asText(block.text).trim() !== '') parts.push(escapeTags(asText(block.text)))
  }
  return parts.join('\n')
}

/** Each long text in it is cut by itself, so that a path beside it is never lost. */
function argumentsText(value: unknown, maxChars: number): string {
  try {
    return JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? cut(inner, maxChars) : inner)) ?? ''
  } catch {
    // Nested deeper than JSON can be written; there is nobody to tell, and the call itself is shown.
    return '(arguments not shown)'
  }
}

function executionText(stored: Stored, maxChars: number): string {
  const ran = stored.role === 'bashExecution' ? asText(stored.command) : asText(stored.code)
  const end = typeof stored.exitCode === 'number' && stored.exitCode !== 0 ? `\n(exit code ${stored.exitCode})` : ''
  return escapeTags(`Ran: ${ran}\n${cut(asText(stored.output), maxChars) || '(no output)'}${end}`)
}

function fileText(file: unknown, maxChars: number): string {
  if (!isObject(file)) return ''
  const image = file.image === undefined ? '' : '\n[image]'
  return escapeTags(`File ${asText(file.path)}:\n${cut(asText(file.content), maxChars)}${image}`)
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((block) => {
      if (!isObject(block)) return ''
      return block.type === 'image' ? `[image ${asText(block.mimeType)}]` : asText(block.text)
    })
    .filter((text) => text !== '')
    .join('\n')
}

/** A name as an attribute: it comes from a model, so it may be anything. */
function attribute(value: unknown): string {
  return asText(value)
    .replace(/[^\w.:/-]/g, '_')
    .slice(0, 64)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isObject(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
