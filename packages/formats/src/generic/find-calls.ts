import { type JsonRecord, valueAt } from '../kept-record.ts'
import { metadataOf, toolCallIdOf } from './p9-record.ts'
import type { PlacedRecord } from './place-records.ts'
import { type AnsweredCall, readCall } from './to-entry.ts'

/** How far above a result without an id its call is looked for: past other results and calls of the same turn. */
const MAX_STEPS = 256

/**
 * The call that each result answers (X65): the one whose `toolCallId` it names, its parent, or of a run of calls without
 * ids the one whose turn it is, from the inside out.
 */
export function findCalls(records: readonly PlacedRecord[]): ReadonlyMap<string, AnsweredCall> {
  const byId = new Map(records.map((record) => [record.id, record]))
  const named = new Map<string, AnsweredCall>()
  for (const record of records) {
    const toolCallId = record.value.type === 'tool_call' ? toolCallIdOf(record.value) : undefined
    if (toolCallId !== undefined && !named.has(toolCallId)) named.set(toolCallId, describe(record, toolCallId))
  }
  const answered = new Map<string, AnsweredCall>()
  for (const record of records) {
    if (record.value.type !== 'tool_result') continue
    const toolCallId = toolCallIdOf(record.value)
    const call = toolCallId === undefined ? findAbove(record, byId) : named.get(toolCallId)
    if (call !== undefined) answered.set(record.id, call)
  }
  return answered
}

function findAbove(result: PlacedRecord, byId: ReadonlyMap<string, PlacedRecord>): AnsweredCall | undefined {
  let taken = 0
  let at = above(result, byId)
  const parent = at
  for (let step = 0; at !== undefined && step < MAX_STEPS; step++, at = above(at, byId)) {
    const { type } = at.value
    const toolCallId = toolCallIdOf(at.value)
    if (type === 'tool_call' && (toolCallId === undefined || at === parent)) {
      if (taken === 0) return describe(at, toolCallId ?? at.id)
      taken--
    } else if (type === 'tool_result') taken += toolCallId === undefined ? 1 : 0
    else if (type !== 'tool_call') return undefined
  }
  return undefined
}

function above({ parentId }: PlacedRecord, byId: ReadonlyMap<string, PlacedRecord>): PlacedRecord | undefined {
  return parentId === null ? undefined : byId.get(parentId)
}

function describe({ value }: PlacedRecord, toolCallId: string): AnsweredCall {
  return { toolCallId, name: readCall(contentOf(value), metadataOf(value)).name }
}

function contentOf(record: JsonRecord): string {
  const content = valueAt(record, 'content')
  return typeof content === 'string' ? content : ''
}
