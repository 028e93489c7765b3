import type { Branch as BranchOfTree, Entry, Tree } from '@treeline/core'
import type { Branch } from '@treeline/protocol'
import { labelsOf } from './node-metadata.ts'
import { timeAtLine } from './node-time.ts'
import { statusOf } from './to-node.ts'
import { previewOf } from './to-skeleton.ts'

const PREVIEW_GRAPHEMES = 50

/** `entry` is the body of the branch's last node. */
export function toBranch(tree: Tree, branch: BranchOfTree, entry: Entry | undefined): Branch {
  const { leafId, length, line, isTrunk } = branch
  const ref = tree.ids.find(leafId)
  return {
    leafId,
    length,
    preview: previewOf(entry, PREVIEW_GRAPHEMES),
    lastActivityAt: timeAtLine(tree, line),
    isTrunk,
    labels: labelsOf(tree, ref),
    status: statusOf(tree, ref, entry),
  }
}
