import type { Tree } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import { type Handler, isKnown } from '../../http/handler.ts'
import { nodeAtPlace } from '../../wire/list-nodes.ts'
import { createdLine } from '../../wire/node-time.ts'
import { toNode } from '../../wire/to-node.ts'
import { withBodies } from '../../wire/with-bodies.ts'
import { type Cursor, readCursor, toCursor } from './cursor.ts'
import { refOfNode } from './find-node.ts'
import { bytesInFull } from './node-bytes.ts'

export const getChildren: Handler<Routes['getChildren']> = ({ hub, limits }, asking) =>
  hub.use(asking.params.sessionId, async (live) => {
    const { session } = live
    const { params, query } = asking
    const { limit = limits.fullPage } = query
    const cursor = readCursor({ limits, session }, 'children', query.cursor)
    refOfNode(session.tree, params.nodeId)
    if (cursor === undefined && isKnown(asking, live)) return { status: 304, version: session.seq }
    const version = () => cursor?.version ?? session.seq
    const choose = (tree: Tree) => {
      const all = childrenAfter(tree, refOfNode(tree, params.nodeId), cursor, version())
      return takePage(tree, all, limit, limits.treeBytes)
    }
    return withBodies(
      session,
      (tree) => choose(tree).shown.map((ref) => tree.ids.textOf(ref)),
      (tree, bodyOf) => {
        const { shown, isMore } = choose(tree)
        const nodes = shown.map((ref) => toNode(tree, ref, bodyOf(tree.ids.textOf(ref))))
        const nextCursor = isMore ? toCursor(session, 'children', version(), shown.at(-1)!) : null
        return { status: 200, version: version(), body: { version: version(), nodes, nextCursor } }
      },
    )
  })

/**
 * Those after the last one given, in the order they stand in now. Was that one taken elsewhere, all are given again: none
 * is missed. Among many siblings a page costs no more than among few.
 */
function* childrenAfter(tree: Tree, parent: number, cursor: Cursor | undefined, version: number): Generator<number> {
  const { columns } = tree
  const last = cursor && nodeAtPlace(tree, cursor.place)
  const isThere = last !== undefined && columns.parent[last] === parent
  for (let at = isThere ? columns.next[last]! : columns.firstChild[parent]!; at > 0; at = columns.next[at]!) {
    if (createdLine(tree, at) <= version) yield at
  }
}

function takePage(
  tree: Tree,
  refs: Iterable<number>,
  limit: number,
  maxBytes: number,
): { readonly shown: readonly number[]; readonly isMore: boolean } {
  const shown: number[] = []
  let bytes = 0
  for (const ref of refs) {
    bytes += bytesInFull(tree, ref)
    if (shown.length === limit || (shown.length > 0 && bytes > maxBytes)) return { shown, isMore: true }
    shown.push(ref)
  }
  return { shown, isMore: false }
}
