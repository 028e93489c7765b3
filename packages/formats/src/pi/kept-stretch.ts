import { Flag, Kind, type Tree } from '@treeline/core'
import { KeptFinder } from '@treeline/store'
import type { CopyPlan } from './copy-plan.ts'

/**
 * What the compactions of an edited session keep, by the ids of the copy: the first entry of the stretch that is still
 * there. One with nothing left of it names itself, as Pi has it.
 */
export function createKeptStretches(tree: Tree, { entries }: CopyPlan): (ref: number, firstId: string) => string {
  const idByRef = new Map<number, string>()
  for (const { ref, id, bodyId } of entries) if (id === bodyId) idByRef.set(ref, id)
  const finders = new Map<number, KeptFinder>()
  // From the last up, so that one look at a path serves all compactions on it.
  for (const { ref } of entries.toReversed()) {
    if (tree.columns.kind[ref] !== Kind.compaction || finders.has(ref)) continue
    const finder = new KeptFinder(tree, ref)
    for (const at of finder.path.refs) {
      if (tree.columns.kind[at] === Kind.compaction && !finders.has(at)) finders.set(at, finder)
    }
  }
  return (ref, firstId) => {
    const ownId = tree.ids.textOf(ref)
    const finder = finders.get(ref)
    const start = finder?.find(ref, firstId)
    if (finder === undefined || start === undefined) return isThere(tree, firstId) ? ownId : firstId
    const end = finder.positionOf(ref)!
    for (let at = start; at < end; at++) {
      const id = idByRef.get(finder.path.refs[at]!)
      if (id !== undefined) return id
    }
    return ownId
  }
}

/** What never was there means nothing to any tool; it stays as it is. */
function isThere(tree: Tree, id: string): boolean {
  const ref = tree.ids.find(id)
  return ref > 0 && tree.columns.has(ref, Flag.known)
}
