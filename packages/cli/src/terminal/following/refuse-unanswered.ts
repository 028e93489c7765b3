import { Flag, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { t } from '../../output/language.ts'

/** Nothing can be said after an answer that another terminal still waits for. */
export function refuseUnanswered({ tree, leafId }: Session): void {
  if (leafId === null) return
  const { columns, ids } = tree
  const seat = columns.seatOf(ids.find(leafId))
  if (!columns.has(seat, Flag.generating)) return
  const message = t('Another terminal still waits for the answer above. Wait for it, or Esc Esc goes back before it.')
  throw new TreelineError('parent_generating', message, { nodeIds: [ids.textOf(seat)] })
}
