import type { RequestPreview } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import type { ContextPreview, Routes } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import type { Handler } from '../../http/handler.ts'
import type { Services } from '../../services.ts'
import { findNode } from '../../wire/event-nodes.ts'
import { endOf, modeOf } from '../../wire/tree-head.ts'
import { type Strategy, strategyOf } from '../generate/strategy.ts'
import { excludedFrom, repairsIn } from './context-nodes.ts'
import { refOfNode } from './find-node.ts'
import { showMessages } from './line-messages.ts'

/** By the same code that sends it. What if is asked of the line alone: nothing is written. */
export const getContext: Handler<Routes['getContext']> = ({ hub, agent, limits }, { params, query }) =>
  hub.use(params.sessionId, async ({ session }) => {
    const { leafId, model, mute, unmute } = query
    const strategy = strategyOf(query.strategy)
    if (leafId !== undefined) refOfNode(session.tree, leafId)
    for (const id of [...(mute ?? []), ...(unmute ?? [])]) refuseUnknown(session, id)
    const { seq: version } = session
    const tipId = leafId ?? (modeOf(session.tree) === 'linear' ? endOf(session) : session.leafId)
    const preview = await previewOf(agent, session, {
      tipId,
      truncates: strategy === 'truncate',
      ...(model !== undefined && { model }),
      ...(mute && { mute: new Set(mute) }),
      ...(unmute && { unmute: new Set(unmute) }),
    })
    const { line, size, cost } = preview
    const { contextWindow, maxOutput } = preview.model.info
    const { messages, warnings } = showMessages(line, (message) => agent.env.estimate([message]), limits.treeBytes)
    const body: ContextPreview = {
      leafId: leafId ?? endOf(session),
      version,
      strategy,
      model: preview.model.ref,
      messages,
      excluded: excludedFrom(preview),
      warnings: [...warnings, ...repairsIn(line), ...overflow(preview, strategy)],
      tokens: { context: size.tokens, reservedOutput: maxOutput, limit: contextWindow },
      cost: cost === undefined ? null : { amount: cost, currency: 'USD', estimated: true },
    }
    return { status: 200, version, body }
  })

function refuseUnknown({ tree }: Session, id: string): void {
  if (findNode(tree, id) !== undefined) return
  throw new TreelineError('node_not_found', `There is no node ${id} in this session.`, { nodeIds: [id] })
}

async function previewOf(
  agent: Services['agent'],
  session: Session,
  options: Parameters<Services['agent']['preview']>[1],
): Promise<RequestPreview> {
  try {
    return await agent.preview(session, options)
  } catch (error) {
    // The client may ask; it is the model that there is no key for.
    if (!(error instanceof TreelineError) || error.code !== 'unauthorized') throw error
    throw new TreelineError('validation_failed', error.message, {}, { cause: error })
  }
}

function overflow({ size, model }: RequestPreview, strategy: Strategy): ContextPreview['warnings'] {
  const { contextWindow } = model.info
  if (size.tokens <= contextWindow) return []
  const what = strategy === 'compact' ? 'The conversation would be compacted.' : 'Compact or mute some.'
  const detail = `About ${size.tokens} tokens would be sent, and ${model.ref} takes ${contextWindow}. ${what}`
  return [{ code: 'context_overflow', nodeIds: [], detail }]
}
