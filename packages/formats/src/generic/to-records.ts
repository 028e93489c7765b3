import type { Entry, FlatEntry } from '@treeline/core'
import { isRecord, type JsonRecord } from '../kept-record.ts'
import { type OnLost, present, textWithoutImages } from '../plain-content.ts'

/** Names the records before the last, which has the entry's own id. */
export type ExtraId = (number: number) => string

/** Fields of a record that edits may change. */
export const CHANGEABLE: readonly string[] = ['parentId']

const PLAIN_ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'toolResult'])

/**
 * An entry in the form of P9. An answer with text and calls becomes a chain of records, of which the last has the entry's
 * id, so that whatever hangs under the entry hangs under all of them.
 */
export function toRecords(
  entry: Entry,
  parentId: string | null,
  onLost: OnLost = () => {},
  extraId: ExtraId = (number) => `${entry.id}-${number}`,
): readonly JsonRecord[] {
  const message: JsonRecord = isRecord(entry.message) ? entry.message : {}
  const said = isAnswer(message) ? answerParts(message, onLost) : [partOf(entry, message, onLost)]
  const timestamp = timeOf(entry, message)
  return said.map(({ type, content, metadata }, i) => {
    const id = i === said.length - 1 ? entry.id : extraId(i + 1)
    const above = i === 0 ? parentId : extraId(i)
    const isBare = Object.keys(metadata).length === 0
    return { id, parentId: above, timestamp, type, content, ...(!isBare && { metadata }) }
  })
}

interface Part {
  readonly type: string
  readonly content: string
  readonly metadata: JsonRecord
}

function isAnswer(message: JsonRecord): boolean {
  return message.role === 'assistant' && Array.isArray(message.content)
}

function answerParts(message: JsonRecord, onLost: OnLost): readonly Part[] {
  const { provider, model, usage, stopReason, errorMessage } = message
  const isFine = stopReason === 'stop' || stopReason === 'toolUse'
  const about = present({ provider, model, usage, stopReason: isFine ? undefined : stopReason, errorMessage })
  const parts: Part[] = []
  const texts: string[] = []
  for (const block of message.content as readonly unknown[]) {
    if (!isRecord(block)) continue
    if (block.type === 'toolCall') parts.push(callPart(block))
    else if (typeof block.text === 'string') texts.push(block.text)
    else onLost('left_out', block.type === 'image' ? 'An image is left out' : 'What the model thought is left out')
  }
  const answer: Part = { type: 'assistant', content: texts.join('\n'), metadata: about }
  return parts.length === 0 || texts.length > 0 ? [answer, ...parts] : parts
}

function callPart({ id, name, arguments: input }: JsonRecord): Part {
  const called = typeof name === 'string' ? name : 'tool'
  const content = isRecord(input) && Object.keys(input).length > 0 ? `${called} ${JSON.stringify(input)}` : called
  return { type: 'tool_call', content, metadata: present({ toolCallId: id, name: called, arguments: input }) }
}

function partOf(entry: Entry, message: JsonRecord, onLost: OnLost): Part {
  if (entry.type === 'custom') return { type: 'custom', content: '', metadata: {} }
  const content = textWithoutImages(entry, onLost)
  const { role, toolCallId, toolName, isError } = message
  if (role === 'toolResult') {
    const metadata = present({ toolCallId, name: toolName, isError: isError === true ? true : undefined })
    return { type: 'tool_result', content, metadata }
  }
  const type: FlatEntry['type'] = role === 'assistant' ? 'assistant' : 'user'
  const kind = entry.type === 'message' ? role : entry.type
  if (entry.type === 'message' && PLAIN_ROLES.has(role)) return { type, content, metadata: {} }
  onLost(
    'changed',
    `This format has no ${String(kind)}: one is written as a user's text, with its kind in the metadata`,
  )
  return { type, content, metadata: { kind } }
}

function timeOf(entry: Entry, message: JsonRecord): number {
  if (typeof message.timestamp === 'number') return message.timestamp
  const time = Date.parse(entry.timestamp)
  return Number.isNaN(time) ? 0 : time
}
