import type { RequestPreview } from '@treeline/agent'
import type { Line, OutReason, Repair } from '@treeline/core'
import type { ContextPreview } from '@treeline/protocol'

type Excluded = ContextPreview['excluded'][number]

const REASONS: Readonly<Record<OutReason, Excluded['reason']>> = {
  muted: 'disabled',
  compacted: 'summarized',
  generating: 'generating',
  failed: 'error',
  unreadable: 'error',
  reset: 'reset',
  omitted: 'withdrawn',
  excluded: 'private',
  empty: 'empty',
}

const REPAIRS: Readonly<Record<Repair, string>> = {
  result_as_text: 'The result of a tool stands as text, because its call is not sent.',
  result_moved: 'The result of a tool was moved up to its call.',
  result_missing: 'A call of a tool without a result got one that says so.',
  call_renamed: 'The id of a call was changed, because it was unusable or used twice.',
}

/** The nodes of the branch that are not sent, and why. */
export function excludedFrom({ line, droppedIds }: Pick<RequestPreview, 'line' | 'droppedIds'>): Excluded[] {
  const dropped = new Set(droppedIds)
  return line.nodes.flatMap((node): Excluded[] => {
    if (node.in) return []
    const { nodeId } = node
    return [{ nodeId, reason: dropped.has(nodeId) ? 'budget' : REASONS[node.reason] }]
  })
}

/** What had to be done so that a provider takes it. */
export function repairsIn({ nodes }: Line): ContextPreview['warnings'] {
  const byRepair = new Map<Repair, string[]>()
  for (const node of nodes) {
    if (!node.in) continue
    for (const repair of node.repairs ?? []) byRepair.set(repair, [...(byRepair.get(repair) ?? []), node.nodeId])
  }
  return [...byRepair].map(([code, nodeIds]) => ({ code, nodeIds, detail: REPAIRS[code] }))
}
