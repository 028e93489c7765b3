import type { Entry, Tree } from '@treeline/core'
import type { ChatMessageNode } from '@treeline/protocol'
import { contentOf } from './node-content.ts'
import { firstMetadataOf } from './node-metadata.ts'
import { outcomeOf } from './node-outcome.ts'
import { roleOfNode } from './node-role.ts'
import { timeAtRow } from './node-time.ts'
import { idOrNull } from './to-node.ts'

/**
 * A node as it was when the line in `row` brought it, however much was done to it since: under the parent the line names,
 * nothing under it, enabled. `isGenerating` when that line is its announcement.
 */
export function toNewNode(
  tree: Tree,
  ref: number,
  {
    row,
    entry,
    isGenerating,
  }: { readonly row: number; readonly entry: Entry | undefined; readonly isGenerating: boolean },
): ChatMessageNode {
  const { columns, ids, heads } = tree
  const { content, parts } = isGenerating || entry === undefined ? { content: '' } : contentOf(entry)
  const metadata = firstMetadataOf(tree, ref, entry, isGenerating)
  const timestamp = timeAtRow(tree, row)
  return {
    id: ids.textOf(ref),
    parentId: idOrNull(tree, columns.ownerOf(columns.rawParent[ref]!)),
    childrenIds: [],
    content,
    ...(parts && { parts }),
    role: roleOfNode(tree, ref),
    status: isGenerating ? 'generating' : outcomeOf(entry).status,
    isEnabled: true,
    timestamp,
    updatedAt: timestamp,
    version: heads.line[row]!,
    contentLength: content.length,
    ...(entry?.treelineFull !== undefined && { contentTruncated: true }),
    ...(metadata && { metadata }),
  }
}
