import { Role, type Tree } from '@treeline/core'

/** What an answer has for each node beside what was said, about. */
export const NODE_BYTES = 400
const ID_BYTES = 12
/** Of so many bytes of the log an answer shows one at most, when it shows only how nodes begin. */
const READ_FOR_PREVIEW = 4

/** About what a node takes in an answer, told by how long its line is: nothing is read that is not sent. */
export function bytesInFull(tree: Tree, ref: number): number {
  // What a tool said is sent twice: as the content and as the result.
  const times = tree.columns.role[ref] === Role.toolResult ? 2 : 1
  return NODE_BYTES + times * lineBytes(tree, ref) + ID_BYTES * tree.columns.childCount(ref)
}

/** The same for its preview, for which all of its line is read. */
export function bytesInShort(tree: Tree, ref: number): number {
  return Math.max(NODE_BYTES, lineBytes(tree, ref) / READ_FOR_PREVIEW)
}

function lineBytes(tree: Tree, ref: number): number {
  const row = tree.bodyRow(ref)
  return row < 0 ? 0 : tree.heads.lengthOf(row)
}
