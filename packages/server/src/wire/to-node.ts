import { type Entry, Flag, ROOT, type Tree } from '@treeline/core'
import type { ChatMessageNode, NodeStatus } from '@treeline/protocol'
import { contentOf } from './node-content.ts'
import { metadataOf } from './node-metadata.ts'
import { outcomeOf } from './node-outcome.ts'
import { roleOfNode } from './node-role.ts'
import { createdMs, timeAtLine } from './node-time.ts'

/**
 * A node as clients know it. `entry` is its body (see `withBodies`): of an answer that is still being generated its
 * announcement, `undefined` where the bytes are damaged.
 */
export function toNode(tree: Tree, ref: number, entry: Entry | undefined): ChatMessageNode {
  const { columns } = tree
  const version = tree.versionOf(ref)
  const isGenerating = columns.has(ref, Flag.generating)
  const { content, parts } = isGenerating || entry === undefined ? { content: '' } : contentOf(entry)
  const detached = detachedOf(tree, ref)
  const metadata = metadataOf(tree, ref, entry)
  return {
    id: tree.ids.textOf(ref),
    parentId: idOrNull(tree, columns.parent[ref]!),
    childrenIds: columns.children(ref).map((child) => tree.ids.textOf(child)),
    content,
    ...(parts && { parts }),
    role: roleOfNode(tree, ref),
    status: statusOf(tree, ref, entry),
    isEnabled: !columns.has(ref, Flag.muted),
    timestamp: new Date(createdMs(tree, ref)).toISOString(),
    updatedAt: timeAtLine(tree, version),
    version,
    contentLength: content.length,
    // What is too long for the log lies beside it.
    ...(entry?.treelineFull !== undefined && { contentTruncated: true }),
    ...(detached && { detached }),
    ...(metadata && { metadata }),
  }
}

export function statusOf({ columns }: Tree, ref: number, entry: Entry | undefined): NodeStatus {
  return columns.has(ref, Flag.generating) ? 'generating' : outcomeOf(entry).status
}

/** `null` above the roots, and for the top of what hangs nowhere. */
export function idOrNull({ ids }: Tree, ref: number): string | null {
  return ref > ROOT ? ids.textOf(ref) : null
}

function detachedOf(tree: Tree, ref: number): ChatMessageNode['detached'] {
  const fragment = tree.edits.fragments.get(ref)
  if (fragment === undefined) return undefined
  const { fromParent, fromIndex, at, opId } = fragment
  return { fragmentId: tree.ids.textOf(ref), fromParentId: idOrNull(tree, fromParent), fromIndex, at, opId }
}
