import { createHash } from 'node:crypto'
import type { Entry } from '@treeline/core'
import type { Usage } from './session-index.ts'

/** What one call of a model cost, recognised in every fork that holds its line. */
export interface Answer {
  /** 52 bits of a hash. */
  readonly key: number
  /** `provider/model`; a summary does not say who wrote it. */
  readonly model: string | undefined
  readonly usage: Usage
}

type JsonObject = Readonly<Record<string, unknown>>

const KEY_HEX_DIGITS = 13
/** No call costs more. */
const MAX_TOKENS = 1e12
const MAX_COST = 1e9

/** As Pi, xcsh and oh-my-pi record it: in answers, in summaries, and in lines of their own for calls beside the path. */
export function readAnswer(entry: Entry): Answer | undefined {
  const holder = usageHolder(entry)
  if (holder === undefined || !isObject(holder.usage)) return undefined
  const usage = readUsage(holder.usage)
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cost } = usage
  if (inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens + cost === 0) return undefined
  const model = modelName(holder)
  const same = [entry.id, entry.timestamp, model ?? '', inputTokens, outputTokens]
  const key = keyOf(JSON.stringify([...same, cacheReadTokens, cacheWriteTokens, cost]))
  return { key, model, usage }
}

/** `provider/model` of an answer. */
export function readModel(entry: Entry): string | undefined {
  const { message } = entry
  return entry.type === 'message' && isObject(message) && message.role === 'assistant' ? modelName(message) : undefined
}

function usageHolder(entry: Entry): JsonObject | undefined {
  switch (entry.type) {
    case 'message':
      return isObject(entry.message) && entry.message.role === 'assistant' ? entry.message : undefined
    case 'compaction':
    case 'branch_summary':
    case 'usage':
    case 'model_usage':
      return entry
    default:
      return undefined
  }
}

function modelName({ provider, model }: JsonObject): string | undefined {
  if (typeof model !== 'string' || model === '') return undefined
  return typeof provider === 'string' && provider !== '' ? `${provider}/${model}` : model
}

function readUsage(usage: JsonObject): Usage {
  return {
    inputTokens: tokens(usage.input),
    outputTokens: tokens(usage.output),
    cacheReadTokens: tokens(usage.cacheRead),
    cacheWriteTokens: tokens(usage.cacheWrite),
    cost: isObject(usage.cost) ? amount(usage.cost.total, MAX_COST) : 0,
  }
}

function tokens(value: unknown): number {
  return Math.round(amount(value, MAX_TOKENS))
}

function amount(value: unknown, most: number): number {
  return typeof value === 'number' && value > 0 && value <= most ? value : 0
}

function keyOf(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, KEY_HEX_DIGITS), 16)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
