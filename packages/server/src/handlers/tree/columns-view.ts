import type { Routes } from '@treeline/protocol'
import type { Reply } from '../../http/handler.ts'
import type { ListOptions } from '../../wire/list-nodes.ts'
import { toColumns } from '../../wire/to-columns.ts'
import { fragmentRoots, toFragments } from '../../wire/to-fragment.ts'
import { type Seen, toTreeHead } from '../../wire/tree-head.ts'
import { withBodies } from '../../wire/with-bodies.ts'

/** All of it, however much that is: 30 bytes a node. */
export function showColumns(seen: Seen, include: Required<ListOptions>): Promise<Reply<Routes['getTree']>> {
  return withBodies(
    seen,
    (tree) => (include.fragments ? fragmentRoots(tree) : []),
    (tree, bodyOf) => {
      const fragments = include.fragments ? toFragments(tree, bodyOf) : []
      const head = toTreeHead(seen, { fragments, nextCursor: null })
      return { status: 200, version: head.version, body: { ...head, columns: toColumns(tree, include) } }
    },
  )
}
