/** Which nodes are meant: those selected, and the one where the keys are. */
export interface Selection {
  readonly focus: string | null
  readonly ids: ReadonlySet<string>
}

export const NOTHING_SELECTED: Selection = { focus: null, ids: new Set() }

export function selectOne(id: string | null): Selection {
  return { focus: id, ids: new Set(id === null ? [] : [id]) }
}

export function toggleOne({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { focus: id, ids: next }
}

export function extendTo({ ids }: Selection, id: string): Selection {
  return { focus: id, ids: new Set([...ids, id]) }
}

/** Those of a box that was drawn; with `isMore` beside what was selected before. */
export function selectAll({ focus, ids }: Selection, found: readonly string[], isMore: boolean): Selection {
  const next = new Set([...(isMore ? ids : []), ...found])
  return { focus: found[0] ?? focus, ids: next }
}
