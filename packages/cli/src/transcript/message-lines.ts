import { describeToolCall, plainText, preview } from '@treeline/core'
import { bytesText, counted } from '../output/amount.ts'
import { paint } from '../output/style.ts'

export interface LinesOptions {
  /** Nothing is folded. */
  readonly full: boolean
}

type Part = Readonly<Record<string, unknown>>

const INDENT = '  '
/** Lines shown of what is folded. */
const TEXT_LINES = 40
const RESULT_LINES = 5
const THOUGHT_CHARS = 120
/** Of one line, since a file may be one. */
const LINE_CHARS = 1_000

/**
 * A message, as it is stored or as it stands in a line, for reading in a terminal. Words come first: tool calls and results
 * are folded to a few lines, thoughts to one.
 */
export function* messageLines(message: unknown, options: LinesOptions): Generator<string> {
  if (!isObject(message)) return
  const { role } = message
  if (role === 'bashExecution' || role === 'pythonExecution') {
    yield* textLines(`${role === 'bashExecution' ? '$' : '>>>'} ${text(message.command ?? message.code)}`, options)
    yield* textLines(text(message.output), options, RESULT_LINES)
    return
  }
  if (role === 'fileMention') {
    for (const file of listOf(message.files)) if (isObject(file)) yield `${INDENT}@${text(file.path)}`
    return
  }
  yield* contentLines(message.content, options, role === 'toolResult' ? RESULT_LINES : TEXT_LINES)
  if (typeof message.summary === 'string') yield* textLines(message.summary, options)
  if (isObject(message.sections)) {
    for (const section of Object.values(message.sections)) yield* textLines(text(section), options, RESULT_LINES)
  }
  if (typeof message.errorMessage === 'string') yield paint('bad', `${INDENT}failed: ${message.errorMessage}`)
}

function* contentLines(content: unknown, options: LinesOptions, maxLines = TEXT_LINES): Generator<string> {
  if (typeof content === 'string') {
    yield* textLines(content, options, maxLines)
    return
  }
  for (const part of listOf(content)) if (isObject(part)) yield* partLines(part, options, maxLines)
}

function* partLines(part: Part, options: LinesOptions, maxLines: number): Generator<string> {
  switch (part.type) {
    case 'thinking':
    case 'reasoning':
      yield* thoughtLines(text(part.thinking ?? part.text), options)
      return
    case 'redactedThinking':
      yield paint('faint', `${INDENT}thought something that its provider encrypted`)
      return
    case 'toolCall':
    case 'tool_call':
      yield* callLines(part, options)
      return
    case 'tool_result':
      yield `${INDENT}${paint('role', '◂')} ${preview(text(part.name), 40)}${part.isError === true ? paint('bad', ' failed') : ''}`
      yield* contentLines(part.output, options, RESULT_LINES)
      return
    case 'image':
      yield `${INDENT}${imageText(part)}`
      return
    default:
      yield* textLines(text(part.text), options, maxLines)
  }
}

function* thoughtLines(thought: string, { full }: LinesOptions): Generator<string> {
  if (thought.trim() === '') return
  if (!full) yield paint('faint', `${INDENT}thought: ${preview(thought, THOUGHT_CHARS)}`)
  else for (const line of linesOf(thought)) yield `${INDENT}${paint('faint', line)}`
}

function* callLines({ name, arguments: stored, input = stored }: Part, { full }: LinesOptions): Generator<string> {
  const mark = paint('role', '▸')
  if (!full) yield `${INDENT}${mark} ${describeToolCall(name, input)}`
  else {
    yield `${INDENT}${mark} ${preview(text(name), 80)}`
    for (const line of linesOf(JSON.stringify(input ?? null, undefined, 2))) yield `${INDENT}${INDENT}${line}`
  }
}

function* textLines(words: string, { full }: LinesOptions, maxLines = TEXT_LINES): Generator<string> {
  if (words.trim() === '') return
  const lines = linesOf(words.trimEnd())
  // One line more than are shown may as well be shown.
  const shown = full || lines.length <= maxLines + 1 ? lines : lines.slice(0, maxLines)
  for (const line of shown) yield INDENT + (full || line.length <= LINE_CHARS ? line : preview(line, LINE_CHARS))
  if (shown.length < lines.length) {
    yield paint('faint', `${INDENT}… ${counted(lines.length - shown.length, 'more line')} (--full)`)
  }
}

/** Line ends are made alike first: a carriage return is one too. */
function linesOf(words: string): string[] {
  return plainText(words).split('\n')
}

/** `[image png 12.3 KB]` */
function imageText({ data, mimeType }: Part): string {
  const kind = typeof mimeType === 'string' ? ` ${preview(mimeType.replace(/^image\//, ''), 20)}` : ''
  if (typeof data !== 'string') return `[image${kind}]`
  if (data.startsWith('blob:')) return `[image${kind}, missing]`
  return `[image${kind} ${bytesText(Math.floor((data.replace(/=+$/, '').length * 3) / 4))}]`
}

function isObject(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
