import { type ChatHistoryTree, routes } from '@treeline/protocol'
import type { TestServer } from '../../../testing/test-server.ts'
import type { Observed } from '../../../wire/testing/observe.ts'

/** The tree as a client gets it, to be compared with what is stored. */
export async function readTree(
  { call }: Pick<TestServer, 'call'>,
  sessionId: string,
): Promise<Observed & { version: number }> {
  const tree = (await call(routes.getTree, { params: { sessionId } })) as ChatHistoryTree
  return {
    version: tree.version,
    nodes: tree.nodes,
    roots: tree.rootNodeIds,
    fragments: tree.fragments.map((one) => [one.fragmentId, one.fromParentId, one.fromIndex] as const),
    activeLeafId: tree.activeLeafId,
  }
}
