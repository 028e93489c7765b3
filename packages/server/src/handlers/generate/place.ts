import { descend, Flag, nodePath, ROOT, TreelineError } from '@treeline/core'
import type { SendMessageRequest } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { activeLeafOf, modeOf } from '../../wire/tree-head.ts'
import { refOfNode } from '../tree/find-node.ts'

export type Activate = NonNullable<SendMessageRequest['activate']>

/** Where something new will hang. */
export interface Place {
  /** The node, for whoever looks at the tree; `null` above the roots. */
  readonly nodeId: string | null
  /** What it is written under: the node, or a change of the model and the like that stands below it. */
  readonly entryId: string | null
  readonly isInStash: boolean
}

/** Of a message: where the client says, in linear mode at the end of the conversation. */
export function placeOfMessage(session: Session, parentId: string | null | undefined): Place {
  const { tree } = session
  if (modeOf(tree) === 'linear') {
    if (parentId === undefined) return placeAtEnd(session)
    const message =
      'In linear mode a message goes to the end of the conversation: leave "parentId" out, or PATCH the mode.'
    throw new TreelineError('linear_mode', message)
  }
  if (parentId === undefined) {
    throw new TreelineError(
      'bad_request',
      '"parentId" is missing: name the node it is a reply to, or null for a new root.',
    )
  }
  return placeUnder(session, parentId)
}

export function placeUnder(session: Session, nodeId: string | null): Place {
  const { tree, leafId } = session
  if (nodeId === null) return { nodeId, entryId: activeLeafOf(session) === null ? leafId : null, isInStash: false }
  const ref = refOfNode(tree, nodeId)
  if (tree.columns.has(ref, Flag.generating)) {
    const message = `Node ${nodeId} is still being generated. Wait for it or cancel it.`
    throw new TreelineError('parent_generating', message, { nodeIds: [nodeId] })
  }
  const entryId = activeLeafOf(session) === nodeId ? leafId : nodeId
  return { nodeId, entryId, isInStash: !tree.columns.isAttached(ref) }
}

/** From the active leaf down to where something was said last. */
function placeAtEnd(session: Session): Place {
  const { tree } = session
  const activeId = activeLeafOf(session)
  const end = descend(tree, activeId === null ? ROOT : tree.ids.find(activeId))
  return placeUnder(session, end === ROOT ? null : tree.ids.textOf(end))
}

/** `auto`: only whoever is there goes along, so that questions on other branches do not steal the view. */
export function goesAlong(session: Session, { nodeId, isInStash }: Place, activate: Activate = 'auto'): boolean {
  if (isInStash || activate === 'never') return false
  return activate === 'always' || activeLeafOf(session) === nodeId
}

/** The same for what stands beside another node: whoever has that node in view gets to see the new one. */
export function takesOver(session: Session, nodeId: string, activate: Activate = 'auto'): boolean {
  const { tree, leafId } = session
  const ref = tree.ids.find(nodeId)
  if (activate === 'never' || !tree.columns.isAttached(ref)) return false
  return activate === 'always' || (leafId !== null && nodePath(tree, tree.ids.find(leafId)).includes(ref))
}
