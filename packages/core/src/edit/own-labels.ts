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
  const own = labels.map(({ nodeId: targetId, label }, i): Entry => {
    const said = label === null ? {} : { label }
    const own = { id: others.length === 0 && i === 0 ? id : newId(), parentId, timestamp, targetId, ...said }
    return { type: 'label', ...own, inverse: [back.get(targetId)], ...origin }
  })
  const rest = { ops: others, inverse: inverse.filter((op) => !isLabel(op)), ...origin }
  return others.length === 0 ? own : [{ ...entry, data: rest }, ...own]
}

function isLabel(op: EditOp): op is Label {
  return op.op === 'label'
}
