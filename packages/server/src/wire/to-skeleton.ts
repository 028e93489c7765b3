import { type Entry, Flag, preview, type Tree, textOf, withoutAttached } from '@treeline/core'
import type { SkeletonNode } from '@treeline/protocol'
import { roleOfNode } from './node-role.ts'
import { createdMs } from './node-time.ts'
import { idOrNull, statusOf } from './to-node.ts'

const PREVIEW_GRAPHEMES = 80

/** A node without what it says; `entry` as for `toNode`. */
export function toSkeleton(tree: Tree, ref: number, entry: Entry | undefined): SkeletonNode {
  const { columns } = tree
  return {
    id: tree.ids.textOf(ref),
    parentId: idOrNull(tree, columns.parent[ref]!),
    role: roleOfNode(tree, ref),
    status: statusOf(tree, ref, entry),
    isEnabled: !columns.has(ref, Flag.muted),
    childCount: columns.childCount(ref),
    preview: previewOf(entry),
    timestamp: new Date(createdMs(tree, ref)).toISOString(),
    version: tree.versionOf(ref),
  }
}

/** One line to know a node by; nothing while it is being generated, and where its bytes are damaged. */
export function previewOf(entry: Entry | undefined, graphemes = PREVIEW_GRAPHEMES): string {
  return entry === undefined ? '' : preview(textOf(withoutAttached(entry)), graphemes)
}
