import type { LineNode, OutReason, Repair } from '@treeline/core'

const OUT: Readonly<Record<OutReason, string>> = {
  muted: 'muted',
  compacted: 'in a summary',
  reset: 'before a reset',
  generating: 'still being written',
  failed: 'failed',
  omitted: 'withdrawn',
  excluded: 'kept from the model',
  empty: 'says nothing',
  unreadable: 'unreadable',
}

const REPAIRED: Readonly<Record<Repair, string>> = {
  result_as_text: 'result as text',
  result_moved: 'moved to its call',
  result_missing: 'result supplied',
  call_renamed: 'call id changed',
}

/** Why a node is in the line as it is, or out of it, in a few words; `''` when there is nothing to say. */
export function reasonText(node: LineNode): string {
  if (!node.in) return OUT[node.reason]
  return (node.repairs ?? []).map((repair) => REPAIRED[repair]).join(', ')
}

/** The same for a program. */
export function reasonJson(node: LineNode): object {
  const { nodeId: id } = node
  if (!node.in) return { id, in: false, reason: node.reason }
  if (node.repairs === undefined) return { id, in: true, reason: null }
  return { id, in: true, reason: 'repaired', repairs: node.repairs }
}
