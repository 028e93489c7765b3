/** Deeper values are seldom, and read back as they were written. */
const MAX_DEPTH = 16

/** What `JSON.parse(JSON.stringify(value))` gives, or `undefined` where that may be something else than the value itself. */
export function copyJson<T extends object>(value: T): T | undefined {
  const copy = copyValue(value, MAX_DEPTH)
  return copy === NO_JSON ? undefined : (copy as T)
}

const NO_JSON = Symbol('no JSON')

function copyValue(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : NO_JSON
    case 'object':
      if (value === null) return null
      if (depth === 0 || 'toJSON' in value) return NO_JSON
      return Array.isArray(value) ? copyArray(value, depth) : copyObject(value, depth)
    default:
      return NO_JSON
  }
}

function copyArray(value: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = []
  for (const child of value) {
    const copied = copyValue(child, depth - 1)
    if (copied === NO_JSON) return NO_JSON
    copy.push(copied)
  }
  return copy
}

function copyObject(value: object, depth: number): unknown {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return NO_JSON
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const copied = copyValue((value as Record<string, unknown>)[key], depth - 1)
    // Set as any other, this one would become the copy's prototype.
    if (copied === NO_JSON || key === '__proto__') return NO_JSON
    copy[key] = copied
  }
  return copy
}
