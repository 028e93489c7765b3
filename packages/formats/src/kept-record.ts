import { isDeeperThan } from '@treeline/core'
import { canHold } from './can-hold.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

/**
 * What of a foreign record our own fields cannot say, so that the record can be given back as it was, its keys in their
 * order. `derived` below is always what our fields do say.
 */
export interface KeptRecord {
  /** The keys in their order, where that is not the order of `derived`. */
  readonly keys?: readonly string[]
  /** Values that are not the derived ones. */
  readonly values?: JsonRecord
  /** For what may change here and is not as derived: what was derived then. Once that changes, the kept value is void. */
  readonly was?: JsonRecord
  /** The whole record as text, where a log would not take it as it is. */
  readonly json?: string
}

/** A log holds 64 levels, some of which are taken by the entry around what is kept. */
const MAX_DEPTH = 48

/** `undefined` when nothing has to be kept. `changeable` are the keys whose derived value edits may change. */
export function keepRecord(
  original: JsonRecord,
  derived: JsonRecord,
  changeable: readonly string[],
): KeptRecord | undefined {
  const was = Object.fromEntries(
    changeable.filter((key) => !isSameAt(original, derived, key)).map((key) => [key, valueAt(derived, key) ?? null]),
  )
  const kept = isUnsafe(original) ? { json: JSON.stringify(original) } : keepFields(original, derived)
  const all = { ...kept, ...(Object.keys(was).length > 0 && { was }) }
  return Object.keys(all).length === 0 ? undefined : all
}

/** Whether a log would not give this back as it is. */
export function isUnsafe(value: object): boolean {
  return !canHold(value, MAX_DEPTH)
}

function keepFields(original: JsonRecord, derived: JsonRecord): KeptRecord {
  const keys = Object.keys(original)
  const values = Object.fromEntries(
    keys.filter((key) => !isSameAt(original, derived, key)).map((key) => [key, original[key]]),
  )
  const isInOrder = isSame(keys, Object.keys(derived))
  return { ...(!isInOrder && { keys }), ...(Object.keys(values).length > 0 && { values }) }
}

/** The record as it was, but for what has changed here since. `kept` comes from a log and may be anything. */
export function restoreRecord(kept: unknown, derived: JsonRecord, changeable: readonly string[]): JsonRecord {
  if (!isRecord(kept)) return derived
  const was = isRecord(kept.was) ? kept.was : {}
  const now = new Map(Object.entries(restoreFields(kept, derived)))
  for (const key of changeable) {
    const isAsThen = Object.hasOwn(was, key) && isSame(valueAt(derived, key) ?? null, was[key])
    if (isAsThen) continue
    if (Object.hasOwn(derived, key)) now.set(key, derived[key])
    else now.delete(key)
  }
  return Object.fromEntries(now)
}

function restoreFields(kept: JsonRecord, derived: JsonRecord): JsonRecord {
  if (typeof kept.json === 'string') return parseRecord(kept.json) ?? derived
  const values = isRecord(kept.values) ? kept.values : {}
  const keys = Array.isArray(kept.keys) ? kept.keys.filter((key) => typeof key === 'string') : Object.keys(derived)
  const present = keys.filter((key) => Object.hasOwn(values, key) || Object.hasOwn(derived, key))
  return Object.fromEntries(present.map((key) => [key, Object.hasOwn(values, key) ? values[key] : derived[key]]))
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Beyond it writing JSON again is at risk. No tool nests like that. */
export const MAX_JSON_DEPTH = 256

/** `undefined` for text that is no JSON object, or one that is nested without end. */
export function parseRecord(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && !isDeeperThan(value, MAX_JSON_DEPTH + 1) ? value : undefined
  } catch {
    // Not a record, which is what was asked.
    return undefined
  }
}

/** Inherited names such as `constructor` are no fields. */
export function valueAt(record: JsonRecord, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function isSameAt(left: JsonRecord, right: JsonRecord, key: string): boolean {
  return Object.hasOwn(left, key) === Object.hasOwn(right, key) && isSame(valueAt(left, key), valueAt(right, key))
}

/** As JSON, the order of keys included. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  // What is derived is shallow: of two that nest to a different depth one is not it.
  return isDeeperThan(left, MAX_DEPTH) || isDeeperThan(right, MAX_DEPTH)
    ? false
    : JSON.stringify(left) === JSON.stringify(right)
}
