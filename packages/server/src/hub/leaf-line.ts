import { Kind, type Tree } from '@treeline/core'
import { createdLine, rowAtLine } from '../wire/node-time.ts'

/**
 * Whether a line is where clients are told that the conversation goes on at a node: they know the node by then, and all
 * the places that were written together with it. Of what comes later nothing is told before.
 */
export function tellsOfLeaf(tree: Tree, nodeId: string | null, seq: number): boolean {
  const ref = nodeId === null ? undefined : tree.ids.find(nodeId)
  const created = ref === undefined ? 0 : createdLine(tree, ref)
  if (created > seq) return false
  const row = rowAtLine(tree, seq + 1)
  if (row >= tree.rowCount) return true
  if (ref !== undefined && isPlaceBeside(tree, ref, row)) return false
  // To a node that was there before only an edit leads, or what hangs beside its own line.
  const kind = tree.heads.kind[rowAtLine(tree, seq)]
  return created === seq || kind === Kind.edit || kind === Kind.generation
}

/** Whether the next thing said from a row on is that another answer stands beside a node; what puts the leaf back is none. */
function isPlaceBeside(tree: Tree, node: number, from: number): boolean {
  const { columns, edits, ids } = tree
  for (let row = from; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    const other = tree.generationNode(ref)
    if (other !== undefined) return columns.parent[other] === columns.parent[node]
    if (edits.recordById.get(ids.textOf(ref))?.auto !== true) return false
  }
  return false
}
