import type { Entry } from '@treeline/core'

/** What a node says, piece by piece, for people to read. Texts are as stored: show them through `plainText`. */
export type Part =
  /** Markdown, as models and people write it. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string }
  /** A tool is called: its name, what it is given, as JSON or as a command. */
  | { readonly type: 'call'; readonly name: string; readonly input: string; readonly language: string }
  | { readonly type: 'output'; readonly name: string; readonly text: string; readonly isError: boolean }
  /** Words of ours. */
  | { readonly type: 'remark'; readonly text: string }

type Fields = Readonly<Record<string, unknown>>

/** Survives any shape; what it does not know is shown as JSON rather than left out. */
export function partsOf(entry: Entry): Part[] {
  switch (entry.type) {
    case 'message':
      return isFields(entry.message) ? messageParts(entry.message) : [other('message', entry.message)]
    case 'custom_message':
      return contentParts(entry.content)
    case 'compaction':
    case 'branch_summary':
      return textParts(entry.summary)
    default:
      return []
  }
}

function messageParts(message: Fields): Part[] {
  switch (message.role) {
    case 'toolResult':
      return resultParts(message)
    case 'bashExecution':
      return executionParts('bash', textOf(message.command), 'sh', message)
    case 'pythonExecution':
      return executionParts('python', textOf(message.code), 'python', message)
    case 'fileMention':
      return listOf(message.files).flatMap(fileParts)
    case 'assistant':
      return [...contentParts(message.content), ...failureParts(message)]
    case 'system':
      return [...contentParts(message.content), ...sectionParts(message.sections)]
    default:
      return contentParts(message.content)
  }
}

function contentParts(content: unknown): Part[] {
  return Array.isArray(content) ? content.flatMap(blockParts) : textParts(content)
}

function blockParts(block: unknown): Part[] {
  if (!isFields(block)) return textParts(block)
  switch (block.type) {
    case 'text':
      return textParts(block.text)
    case 'thinking':
      return textOf(block.thinking) === '' ? [] : [{ type: 'thinking', text: textOf(block.thinking) }]
    case 'redactedThinking':
      return [{ type: 'remark', text: 'The provider encrypted what it thought here.' }]
    case 'image':
      return [{ type: 'image', mimeType: textOf(block.mimeType) || 'image', data: textOf(block.data) }]
    case 'toolCall':
      return [{ type: 'call', name: nameOf(block.name), input: inputText(block.arguments), language: 'json' }]
    default:
      return [other(nameOf(block.type), block)]
  }
}

/** All text of a result is one output; images follow. */
function resultParts(message: Fields): Part[] {
  const parts = contentParts(message.content)
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const output: Part = { type: 'output', name: nameOf(message.toolName), text, isError: message.isError === true }
  return [output, ...parts.filter((part) => part.type !== 'text')]
}

function executionParts(name: string, input: string, language: string, message: Fields): Part[] {
  const { exitCode } = message
  const failed = message.cancelled === true || (typeof exitCode === 'number' && exitCode !== 0)
  const remark = message.cancelled === true ? 'Cancelled.' : failed ? `Exit code ${exitCode}.` : undefined
  return [
    { type: 'call', name, input, language },
    { type: 'output', name, text: textOf(message.output), isError: failed },
    ...(remark === undefined ? [] : [{ type: 'remark', text: remark } as const]),
  ]
}

function fileParts(file: unknown): Part[] {
  if (!isFields(file)) return [other('file', file)]
  const text: Part = { type: 'output', name: nameOf(file.path), text: textOf(file.content), isError: false }
  return file.image === undefined ? [text] : [text, ...blockParts(file.image)]
}

function failureParts({ stopReason, errorMessage }: Fields): Part[] {
  if (textOf(errorMessage) !== '') return [{ type: 'remark', text: `Failed: ${textOf(errorMessage)}` }]
  if (stopReason === 'aborted') return [{ type: 'remark', text: 'Stopped before it was finished.' }]
  return stopReason === 'length' ? [{ type: 'remark', text: 'Cut off at the length limit.' }] : []
}

/** Pi's system state: named texts, `null` for one that was withdrawn. */
function sectionParts(sections: unknown): Part[] {
  return isFields(sections) ? Object.values(sections).flatMap(textParts) : []
}

function textParts(text: unknown): Part[] {
  if (text === undefined || text === null || text === '') return []
  return typeof text === 'string' ? [{ type: 'text', text }] : [other('content', text)]
}

function other(name: string, value: unknown): Part {
  return { type: 'output', name, text: inputText(value), isError: false }
}

function inputText(input: unknown): string {
  if (typeof input === 'string') return input
  return input === undefined ? '' : JSON.stringify(input, null, 2)
}

function nameOf(name: unknown): string {
  return typeof name === 'string' && name !== '' ? name : 'tool'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
