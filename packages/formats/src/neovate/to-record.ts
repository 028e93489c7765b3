import { type Entry, textOf } from '@treeline/core'
import type { NoteList } from '../note-list.ts'
import { COMPACT_MESSAGE, type Fields, INTERRUPTED, isFields } from './record.ts'
import { writeUsage } from './usage.ts'

/** What a line says between its ids and its type. One entry may be several lines; the last stands for it. */
export type LineBody = Fields

/** An entry of ours as Neovate 0.17 would have written it. Results are lines of their own kind: see `toResultPart`. */
export function toLineBodies(entry: Entry, notes: NoteList): readonly LineBody[] {
  if (entry.type === 'compaction') return [summaryBody(String(entry.summary))]
  if (entry.type === 'branch_summary') {
    notes.count('changed', 'A summary of another branch is written as a message of the user', entry.id)
    return [{ role: 'user', content: textOf(entry) }]
  }
  if (entry.type === 'custom_message') return [customBody(entry, entry.id, notes)]
  const message = isFields(entry.message) ? entry.message : {}
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: userContent(message.content) }]
    case 'assistant':
      return [assistantBody(message, entry.id, notes)]
    case 'system':
    case 'developer':
      if (message.role === 'developer' || isFields(message.sections)) {
        notes.count('changed', 'Instructions are written as a plain system message', entry.id)
      }
      return [{ role: 'system', content: textOf(entry) }]
    case 'bashExecution':
      return bashBodies(message)
    case 'custom':
    case 'hookMessage':
      return [customBody(message, entry.id, notes)]
    default:
      notes.count('changed', 'A message of a kind that Neovate does not have is written as text of the user', entry.id)
      return [{ role: 'user', content: textOf(entry) }]
  }
}

export function summaryBody(summary: string): LineBody {
  return { role: 'user', content: [{ type: 'text', text: summary }], uiContent: COMPACT_MESSAGE }
}

/** A result as a part of the one line that holds all results of an answer. */
export function toResultPart(message: Fields, input: unknown, isMuted: boolean): Fields {
  const { toolCallId, toolName, content, isError, details } = message
  const said = userContent(blocksOf(content))
  const llmContent = Array.isArray(said) && said.length === 0 ? '' : said
  const result = isMuted
    ? { llmContent: MUTED }
    : {
        llmContent,
        ...(typeof details === 'string' && { returnDisplay: details }),
        ...(isError === true && { isError: true }),
      }
  return { type: 'tool-result', toolCallId, toolName, input: input ?? {}, result }
}

/** In place of a result that is left out: the call that asked for it must have one (X69). */
export const MUTED = '[left out]'

export function interruptedPart(call: Fields): Fields {
  const result = { llmContent: INTERRUPTED, returnDisplay: 'Tool execution was canceled by user.', isError: true }
  return { type: 'tool-result', toolCallId: call.id, toolName: call.name, input: call.arguments ?? {}, result }
}

function assistantBody(message: Fields, id: string, notes: NoteList): LineBody {
  const content: Fields[] = []
  for (const block of blocksOf(message.content)) {
    if (block.type === 'redactedThinking') {
      notes.count('left_out', 'A block of hidden thinking has no place in a Neovate file', id)
      continue
    }
    if (typeof (block.thinkingSignature ?? block.textSignature ?? block.thoughtSignature) === 'string') {
      notes.count('left_out', 'A signature of thinking or of a call has no place in a Neovate file', id)
    }
    content.push(toAssistantPart(block))
  }
  const said = content.filter(({ type }) => type === 'text').map(({ text }) => text)
  const { provider, model, usage } = message
  const name = [provider, model].filter((part) => typeof part === 'string' && part !== '').join('/')
  return {
    role: 'assistant',
    content,
    text: said.join(''),
    ...(name !== '' && { model: name }),
    ...(isFields(usage) && { usage: writeUsage(usage) }),
  }
}

function toAssistantPart(block: Fields): Fields {
  if (block.type === 'thinking') return { type: 'reasoning', text: block.thinking }
  if (block.type === 'toolCall') return { type: 'tool_use', id: block.id, name: block.name, input: block.arguments }
  return block.type === 'text' ? { type: 'text', text: block.text } : block
}

function customBody({ content, display }: Fields, id: string, notes: NoteList): LineBody {
  notes.count('changed', 'A message of an extension is written as a message of the user', id)
  return { role: 'user', content: userContent(content), ...(display === false && { hidden: true }) }
}

/** Neovate has plain text as text, and parts only where there is more (0.17). */
function userContent(content: unknown): unknown {
  if (typeof content === 'string') return content
  const blocks = blocksOf(content)
  return blocks.length === 1 && blocks[0]!.type === 'text' ? blocks[0]!.text : blocks.map(toUserPart)
}

function toUserPart(block: Fields): Fields {
  const { type, text, data, mimeType } = block
  if (type === 'image') return { type, data: `data:${mimeType};base64,${data}`, mimeType }
  return type === 'text' ? { type, text } : block
}

/** A log may hold anything. */
function blocksOf(content: unknown): readonly Fields[] {
  return Array.isArray(content) ? content.filter(isFields) : []
}

/** As `!` does it: what was typed, then what came of it. */
function bashBodies({ command, output, exitCode }: Fields): readonly LineBody[] {
  const tag = exitCode === 0 || typeof exitCode !== 'number' ? 'bash-stdout' : 'bash-stderr'
  const said = typeof output === 'string' ? output : ''
  return [
    { role: 'user', content: `<bash-input>${typeof command === 'string' ? command : ''}</bash-input>` },
    { role: 'user', uiContent: said, content: `<${tag}>${said}</${tag}>` },
  ]
}
