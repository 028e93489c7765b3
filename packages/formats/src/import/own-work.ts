import { type EditRequestOp, Kind } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { News } from './find-new.ts'

export interface OwnWork {
  /** Whether there is anything in the session here that is not from the file. */
  readonly isWorked: boolean
  /** What brings back names and labels that were given here. */
  restoring(target: Session): EditRequestOp[]
}

export async function findOwnWork(target: Session, { allIds }: News): Promise<OwnWork> {
  const { tree } = target
  const own: number[] = []
  for (let row = 0; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    const id = tree.ids.textOf(ref)
    if (!allIds.has(id) && tree.edits.recordById.get(id)?.auto !== true) own.push(ref)
  }
  const said = own.filter(
    (ref) => tree.columns.kind[ref] === Kind.label || tree.columns.kind[ref] === Kind.session_info,
  )
  const entries = await target.readEntries(said.map((ref) => tree.ids.textOf(ref)))
  const labelled = new Set(entries.flatMap((entry) => (typeof entry?.targetId === 'string' ? [entry.targetId] : [])))
  const labels = new Map([...labelled].map((id) => [id, tree.edits.labels.get(id.toWellFormed())?.label ?? null]))
  const isNamed = entries.some((entry) => entry?.type === 'session_info')
  const { name } = tree.edits
  return {
    isWorked: own.length > 0,
    restoring: ({ tree: now }) => {
      const changed = [...labels].filter(
        ([id, label]) => (now.edits.labels.get(id.toWellFormed())?.label ?? null) !== label,
      )
      const operations = changed.map(([nodeId, label]): EditRequestOp => ({ op: 'label', nodeId, label }))
      if (isNamed && now.edits.name !== name) operations.push({ op: 'name', ...(name !== undefined && { name }) })
      return operations
    },
  }
}
