import { Flag, nodePath, ROOT, TreelineError } from '@treeline/core'
import type { SendMessageRequest } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { activeLeafOf, endOf, modeOf } from '../../wire/tree-head.ts'
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
export function placeOfMessage(session: Session, parentId: string | null | undefined, nodeId?: string): Place {
  const { tree } = session
  if (modeOf(tree) === 'linear') {
    if (parentId === undefined) return placeOfSaid(session, nodeId) ?? placeAtEnd(session)
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

/** Of what was said already under this id: who says it again does not know what came behind it (D3). */
function placeOfSaid(session: Session, nodeId: string | undefined): Place | undefined {
  const { columns, ids } = session.tree
  const ref = nodeId === undefined ? ROOT : ids.find(nodeId)
  if (ref <= ROOT || columns.rowOf[ref] === undefined) return undefined
  const above = columns.ownerOf(columns.rawParent[ref]!)
  return placeUnder(session, above > ROOT ? ids.textOf(above) : null)
}

function placeAtEnd(session: Session): Place {
  return placeUnder(session, endOf(session))
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
