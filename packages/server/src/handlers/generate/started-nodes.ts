import { ROOT } from '@treeline/core'
import type { ChatMessageNode, SendMessage } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { generationIdOf } from '../../wire/node-metadata.ts'
import { toNewNode } from '../../wire/to-new-node.ts'
import { toNode } from '../../wire/to-node.ts'
import { withBodies } from '../../wire/with-bodies.ts'

/** A node as it is now. */
export async function readNode(session: Session, nodeId: string): Promise<ChatMessageNode> {
  return withBodies(
    session,
    () => [nodeId],
    (tree, bodyOf) => toNode(tree, tree.ids.find(nodeId), bodyOf(nodeId)),
  )
}

/** Answers as they were begun: what has come of them since, their events tell. */
export async function readStarted(session: Session, nodeIds: readonly string[]): Promise<SendMessage['generations']> {
  const { tree } = session
  const announced = nodeIds.map((nodeId) => generationIdOf(tree, tree.ids.find(nodeId)) ?? nodeId)
  const entries = await session.readEntries(announced)
  return nodeIds.flatMap((nodeId, i) => {
    const ref = tree.ids.find(nodeId)
    const row = tree.orderOf(ref)
    if (ref <= ROOT || row < 0) return []
    return [{ generationId: announced[i]!, node: toNewNode(tree, ref, { row, entry: entries[i], isGenerating: true }) }]
  })
}
