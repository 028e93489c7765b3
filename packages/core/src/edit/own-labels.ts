import type { Entry } from '../entry/entry.ts'
import { EDIT_TYPE } from '../entry/kind.ts'
import type { EditData, EditOp } from './op.ts'

type Label = Extract<EditOp, { readonly op: 'label' }>

/**
 * An edit as entries that say the same to other tools too, which know labels but no edits: each label in one of its own,
 * the rest as it was. For edits that nobody undoes, such as those a new log begins with: these are several.
 */
export function withOwnLabels(entry: Entry, newId: () => string): readonly Entry[] {
  if (entry.type !== 'custom' || entry.customType !== EDIT_TYPE) return [entry]
  const { ops, inverse, ...origin } = entry.data as EditData
  const { id, parentId, timestamp } = entry
  const labels = ops.filter(isLabel)
  const others = ops.filter((op) => !isLabel(op))
  const back = new Map(inverse.filter(isLabel).map((op) => [op.nodeId, op]))
  const own = labels.map((op, i): Entry => {
    const ownId = others.length === 0 && i === 0 ? id : newId()
    return labelEntry({ id: ownId, parentId, timestamp }, op, back.get(op.nodeId)!, origin)
  })
  const rest = { ops: others, inverse: inverse.filter((op) => !isLabel(op)), ...origin }
  return others.length === 0 ? own : [{ ...entry, data: rest }, ...own]
}

/** `back` takes it back. */
export function labelEntry(
  head: Pick<Entry, 'id' | 'parentId' | 'timestamp'>,
  { nodeId: targetId, label }: Label,
  back: Label,
  origin: Pick<EditData, 'auto'>,
): Entry {
  return { type: 'label', ...head, targetId, ...(label !== null && { label }), inverse: [back], ...origin }
}

function isLabel(op: EditOp): op is Label {
  return op.op === 'label'
}
