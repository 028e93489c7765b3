import type { Entry } from '@treeline/core'
import { isRecord, isUnsafe, type JsonRecord, keepRecord, valueAt } from '../kept-record.ts'
import { isP9Type, metadataOf, toolCallIdOf } from './p9-record.ts'
import type { PlacedRecord } from './place-records.ts'
import { CHANGEABLE, toRecords } from './to-records.ts'

/** The call that a result answers. */
export interface AnsweredCall {
  readonly toolCallId: string
  readonly name: string
}

/** A record of P9 as an entry; what an entry has no field for is kept in `generic`. `timeMs` stands in for a missing time. */
export function toEntry(record: PlacedRecord, timeMs: number, answered: AnsweredCall | undefined): Entry {
  const { value, id, parentId } = record
  const head = { id, parentId, timestamp: new Date(timeMs).toISOString() }
  const entry = isP9Type(value.type)
    ? { type: 'message', ...head, message: { ...toMessage(value, id, answered), timestamp: timeMs } }
    : { type: 'custom', ...head, customType: 'generic' }
  const [derived] = toRecords(entry, parentId)
  const generic = keepRecord(value, derived!, CHANGEABLE)
  return generic === undefined ? entry : { ...entry, generic }
}

function toMessage(record: JsonRecord, id: string, answered: AnsweredCall | undefined): JsonRecord {
  const text = contentOf(record)
  const metadata = metadataOf(record)
  switch (record.type) {
    case 'user':
      return { role: 'user', content: text }
    case 'tool_call': {
      const call = { type: 'toolCall', id: toolCallIdOf(record) ?? id, ...readCall(text, metadata) }
      return { role: 'assistant', content: [call], stopReason: 'toolUse' }
    }
    case 'tool_result': {
      const toolCallId = toolCallIdOf(record) ?? answered?.toolCallId ?? id
      const content = [{ type: 'text', text }]
      const toolName = textAt(metadata, 'name', 'toolName') ?? answered?.name ?? 'tool'
      return { role: 'toolResult', toolCallId, toolName, content, isError: metadata.isError === true }
    }
    default: {
      const { provider, model } = metadata
      const by = { ...(typeof provider === 'string' && { provider }), ...(typeof model === 'string' && { model }) }
      return { role: 'assistant', content: [{ type: 'text', text }], ...by, stopReason: 'stop' }
    }
  }
}

/** Text that is none is shown as the JSON it is. */
function contentOf(record: JsonRecord): string {
  const content = valueAt(record, 'content')
  return typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content)
}

/** `read ./config.json`: the seed's own calls say the tool first and then what it is given. */
const NAMED_CALL = /^\s*([A-Za-z_][\w.-]{0,127})(?:\s+([\s\S]*))?$/

/** What was called, from the metadata, or from the words of the content where that does not say. */
export function readCall(
  text: string,
  metadata: JsonRecord,
): { readonly name: string; readonly arguments: JsonRecord } {
  const words = NAMED_CALL.exec(text)
  const name = textAt(metadata, 'name', 'toolName', 'tool')
  const given = ['arguments', 'args', 'input'].map((key) => valueAt(metadata, key)).find(isRecord)
  const rest = name === undefined && words ? (words[2] ?? '') : text
  const derived = rest.trim() === '' ? {} : { input: rest }
  const safe = given !== undefined && !isUnsafe(given) ? given : undefined
  return { name: name ?? words?.[1] ?? 'tool', arguments: safe ?? derived }
}

function textAt(record: JsonRecord, ...keys: readonly string[]): string | undefined {
  return keys
    .map((key) => valueAt(record, key))
    .find((value): value is string => typeof value === 'string' && value !== '')
}
