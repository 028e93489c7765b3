import type { CopiedEntry } from './copy-plan.ts'

/** In the given order, but nobody before what it hangs under. */
export function parentsFirst(entries: readonly CopiedEntry[]): CopiedEntry[] {
  const waited = new Set(entries.map(({ id }) => id))
  const waiting = new Map<string, CopiedEntry[]>()
  const ordered: CopiedEntry[] = []
  for (const entry of entries) {
    const { parentId } = entry
    if (typeof parentId === 'string' && waited.has(parentId) && entry.shadowedRow === undefined) {
      const others = waiting.get(parentId)
      if (others === undefined) waiting.set(parentId, [entry])
      else others.push(entry)
      continue
    }
    const open = [entry]
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      ordered.push(one)
      if (one.shadowedRow !== undefined) continue
      waited.delete(one.id)
      for (const other of waiting.get(one.id)?.toReversed() ?? []) open.push(other)
      waiting.delete(one.id)
    }
  }
  return ordered
}
