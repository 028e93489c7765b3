import type { Branch as BranchOfTree, Entry, Tree } from '@treeline/core'
import type { Branch } from '@treeline/protocol'
import { timeAtLine } from './node-time.ts'
import { statusOf } from './to-node.ts'
import { previewOf } from './to-skeleton.ts'

const PREVIEW_GRAPHEMES = 50

/** `entry` is the body of the branch's last node. */
export function toBranch(tree: Tree, branch: BranchOfTree, entry: Entry | undefined): Branch {
  const { leafId, length, line, isTrunk, label } = branch
  return {
    leafId,
    length,
    preview: previewOf(entry, PREVIEW_GRAPHEMES),
    lastActivityAt: timeAtLine(tree, line),
    isTrunk,
    labels: label === undefined ? [] : [label],
    status: statusOf(tree, tree.ids.find(leafId), entry),
  }
}
