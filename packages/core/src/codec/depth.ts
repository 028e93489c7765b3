/** Deepest nesting of an entry, itself counted as 1. Beyond it `JSON.stringify` and every recursive reader is at risk. */
export const MAX_DEPTH = 64

/** Whether parsed JSON nests deeper than `limit`. Goes level by level, so hostile depth costs no stack. */
export function isDeeperThan(value: object, limit: number): boolean {
  let level: object[] = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true
    const below: object[] = []
    for (const parent of level) {
      const children: unknown[] = Array.isArray(parent) ? parent : Object.values(parent)
      for (const child of children) if (typeof child === 'object' && child !== null) below.push(child)
    }
    level = below
  }
  return false
}
