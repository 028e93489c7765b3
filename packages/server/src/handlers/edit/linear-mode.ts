import { type EditRequestOp, type Tree, TreelineError } from '@treeline/core'
import { modeOf } from '../../wire/tree-head.ts'

type OpName = EditRequestOp['op']

/** What says something of a node or of the session, and leaves the tree as it is. */
const ALLOWED: readonly OpName[] = ['meta', 'label', 'name', 'session', 'config']

/**
 * T36, X50: in linear mode the conversation goes along the path of the newest message and every node counts as enabled,
 * without anything being changed. So what would cut, move, mute or choose is refused: it would be seen only once the tree
 * is back, by somebody who does not expect it.
 */
export function refuseLinear(tree: Tree, operations: readonly { readonly op: OpName }[]): void {
  if (modeOf(tree) !== 'linear') return
  const opIndex = operations.findIndex(({ op }) => !ALLOWED.includes(op))
  if (opIndex < 0) return
  const message =
    'This session is in linear mode, where the tree is neither edited nor chosen from; ratings, labels and other ' +
    'metadata can be set. PATCH the session with {"mode":"tree"} to edit it.'
  throw new TreelineError('linear_mode', message, { opIndex })
}
