import type { CopiedEntry } from './copy-plan.ts'

export interface WithoutRings {
  readonly entries: readonly CopiedEntry[]
  /** Those that are roots now. */
  readonly cutIds: readonly string[]
}

/** Hostile edits can make entries stand for each other: whatever came of that, nobody hangs under itself (G1). */
export function cutRings(entries: readonly CopiedEntry[]): WithoutRings {
  const parents = new Map<string, string | null>()
  for (const { id, parentId, shadowedRow } of entries) if (shadowedRow === undefined) parents.set(id, parentId ?? null)
  /** By id, the walk that came by first. */
  const walks = new Map<string, number>()
  const cut = new Set<string>()
  let walk = 0
  for (const start of parents.keys()) {
    walk++
    let at: string | null | undefined = start
    while (typeof at === 'string' && !walks.has(at)) {
      walks.set(at, walk)
      const above: string | null | undefined = parents.get(at)
      if (typeof above === 'string' && walks.get(above) === walk) {
        cut.add(at)
        break
      }
      at = above
    }
  }
  if (cut.size === 0) return { entries, cutIds: [] }
  const whole = entries.map((one) =>
    cut.has(one.id) && one.shadowedRow === undefined ? { ...one, parentId: null } : one,
  )
  return { entries: whole, cutIds: [...cut] }
}
