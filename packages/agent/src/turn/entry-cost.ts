import { type Entry, MERGE_TYPE } from '@treeline/core'

type JsonObject = Readonly<Record<string, unknown>>

/** No call costs more: what says so is not to be believed. */
const MAX_COST = 1e9

/** What a call of a model cost that this entry tells of, in US dollars; 0 when that is not known. */
export function costOf(entry: Entry): number {
  switch (entry.type) {
    case 'message':
      return isObject(entry.message) && entry.message.role === 'assistant' ? costOfAnswer(entry.message) : 0
    case 'compaction':
    case 'branch_summary':
    case 'usage':
    case 'model_usage':
      return readCost(entry.usage)
    case 'custom_message':
      return entry.customType === MERGE_TYPE && isObject(entry.details) ? readCost(entry.details.usage) : 0
    default:
      return 0
  }
}

/** With that of the calls that gave no answer before it. */
function costOfAnswer({ usage, retries }: JsonObject): number {
  const before = Array.isArray(retries) ? retries.map((retry) => (isObject(retry) ? readCost(retry.usage) : 0)) : []
  return before.reduce((sum, cost) => sum + cost, readCost(usage))
}

/** Of a `usage` by whomever. */
export function readCost(usage: unknown): number {
  const cost = isObject(usage) && isObject(usage.cost) ? usage.cost.total : undefined
  return isCost(cost) ? cost : 0
}

export function isCost(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= MAX_COST
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
