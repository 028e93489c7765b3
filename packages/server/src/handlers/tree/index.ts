import type { Handlers } from '../../http/handler.ts'
import { getEvents } from '../../stream/get-events.ts'
import { compare } from './compare.ts'
import { getBranches } from './get-branches.ts'
import { getChildren } from './get-children.ts'
import { getContent } from './get-content.ts'
import { getContext } from './get-context.ts'
import { getNode, getNodes } from './get-node.ts'
import { getStash } from './get-stash.ts'
import { getTree } from './get-tree.ts'
import { getTreeText } from './get-tree-text.ts'
import { searchSession } from './search-session.ts'

type TreeRoute =
  | 'getTree'
  | 'getNode'
  | 'getNodes'
  | 'getContent'
  | 'getChildren'
  | 'getBranches'
  | 'getTreeText'
  | 'compare'
  | 'searchSession'
  | 'getContext'
  | 'getStash'
  | 'getEvents'

/** Reading one session. */
export const treeHandlers: Handlers<TreeRoute> = {
  getTree,
  getNode,
  getNodes,
  getContent,
  getChildren,
  getBranches,
  getTreeText,
  compare,
  searchSession,
  getContext,
  getStash,
  getEvents,
}
