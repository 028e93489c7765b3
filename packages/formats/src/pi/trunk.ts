import { Kind, placeOf, type Tree } from '@treeline/core'
import type { CopiedEntry, CopyPlan } from './copy-plan.ts'

/** Asides that say what something cost; they belong to what they hang under. */
const COSTS: readonly Kind[] = [Kind.usage, Kind.model_usage]

/** Of a copy only the path to its leaf, and what is said about it. */
export function takeTrunk(tree: Tree, plan: CopyPlan, labelTargets: ReadonlyMap<number, string>): CopyPlan {
  const byId = new Map<string, CopiedEntry>()
  for (const entry of plan.entries) if (entry.shadowedRow === undefined) byId.set(entry.id, entry)
  const path = new Set<string>()
  for (let at = byId.get(plan.leafId ?? ''); at !== undefined && !path.has(at.id); at = byId.get(at.parentId ?? '')) {
    path.add(at.id)
  }
  const above = new Map<string, string | null>()
  const entries: CopiedEntry[] = []
  for (const entry of plan.entries) {
    if (entry.shadowedRow !== undefined) continue
    const { id, ref } = entry
    const parentId = entry.parentId ?? null
    const hangs = parentId !== null && above.has(parentId) ? above.get(parentId)! : parentId
    const target = labelTargets.get(ref)
    const isWanted = path.has(id)
      ? target === undefined || path.has(target)
      : COSTS.includes(tree.columns.kind[ref]! as Kind) && hangs !== null && path.has(hangs)
    if (isWanted) entries.push({ ...entry, parentId: hangs })
    else if (path.has(id)) above.set(id, hangs)
  }
  return { ...plan, entries }
}

/** Where a reader lands that takes the last line for the leaf: the entry, or the nearest on a path above it. */
export function findLanding(tree: Tree, entries: readonly CopiedEntry[]): string | null {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  let at = entries.at(-1)
  while (at !== undefined && placeOf(tree.columns.kind[at.ref]! as Kind) === 'aside') at = byId.get(at.parentId ?? '')
  return at?.id ?? null
}
