import type { Entry } from '../entry/entry.ts'
import { EDIT_TYPE } from '../entry/kind.ts'
import type { EditData, EditOp } from './op.ts'

/** What other tools have an entry for, too. */
type OwnOp = Extract<EditOp, { readonly op: 'label' | 'name' }>
type Origin = Omit<EditData, 'ops' | 'inverse'>

/**
 * An edit as entries that say the same to other tools too, which know labels and names but no edits: each of these in one of
 * its own, the rest as it was. For edits that nobody undoes, such as those a new log begins with: these are several.
 */
export function withOwnEntries(entry: Entry, newId: () => string): readonly Entry[] {
  if (entry.type !== 'custom' || entry.customType !== EDIT_TYPE) return [entry]
  const { ops, inverse, ...origin } = entry.data as EditData
  const { id, parentId, timestamp } = entry
  const others = ops.filter((op) => !isOwn(op))
  const back = new Map(inverse.filter(isOwn).map((op) => [targetOf(op), op]))
  const own = ops.filter(isOwn).map((op, i): Entry => {
    const ownId = others.length === 0 && i === 0 ? id : newId()
    return ownEntry({ id: ownId, parentId, timestamp }, op, [back.get(targetOf(op))!], origin)
  })
  const rest = { ops: others, inverse: inverse.filter((op) => !isOwn(op)), ...origin }
  return others.length === 0 ? own : [{ ...entry, data: rest }, ...own]
}

/** `inverse` takes it back. */
export function ownEntry(
  head: Pick<Entry, 'id' | 'parentId' | 'timestamp'>,
  op: OwnOp,
  inverse: readonly EditOp[],
  origin: Origin,
): Entry {
  const undone = { inverse, ...origin }
  if (op.op === 'name') {
    return { type: 'session_info', ...head, ...(op.name !== undefined && { name: op.name ?? '' }), ...undone }
  }
  return { type: 'label', ...head, targetId: op.nodeId, ...(op.label !== null && { label: op.label }), ...undone }
}

export function isOwn(op: EditOp): op is OwnOp {
  return op.op === 'label' || op.op === 'name'
}

/** A session has one name. */
function targetOf(op: OwnOp): string | undefined {
  return op.op === 'label' ? op.nodeId : undefined
}
