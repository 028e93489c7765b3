/** Deepest nesting of an entry, itself counted as 1. Beyond it `JSON.stringify` and every recursive reader is at risk. */
export const MAX_DEPTH = 64

/** Whether parsed JSON nests deeper than `limit`. Descends no further than that, so hostile depth costs no stack. */
export function isDeeperThan(value: object, limit: number): boolean {
  if (limit === 0) return true
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (isObject(value[i]) && isDeeperThan(value[i], limit - 1)) return true
    return false
  }
  // `for in` allocates nothing, and parsed JSON has no inherited keys.
  for (const key in value) {
    const child = (value as Record<string, unknown>)[key]
    if (isObject(child) && isDeeperThan(child, limit - 1)) return true
  }
  return false
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
