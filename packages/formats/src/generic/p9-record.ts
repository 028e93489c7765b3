import type { FlatEntry } from '@treeline/core'
import { isUsableId } from '../foreign-ids.ts'
import { isRecord, type JsonRecord, valueAt } from '../kept-record.ts'

const TYPES: ReadonlySet<unknown> = new Set<FlatEntry['type']>(['user', 'assistant', 'tool_call', 'tool_result'])

export function isP9Type(type: unknown): type is FlatEntry['type'] {
  return TYPES.has(type)
}

/** A record in the form of P9, as far as anything can be done with it; times and parents may be missing. */
export function isP9Record(record: JsonRecord): boolean {
  return typeof valueAt(record, 'id') === 'string' && isP9Type(record.type) && typeof record.content === 'string'
}

export function metadataOf(record: JsonRecord): JsonRecord {
  const metadata = valueAt(record, 'metadata')
  return isRecord(metadata) ? metadata : {}
}

/** The id by which calls and results find each other; `undefined` where their place in the tree has to do. */
export function toolCallIdOf(record: JsonRecord): string | undefined {
  const id = valueAt(metadataOf(record), 'toolCallId')
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** No parent, `null` and `''` all mean a root (X39). */
export function parentOf(record: JsonRecord): string | null {
  const parent = valueAt(record, 'parentId')
  return isUsableId(parent) ? parent : null
}
