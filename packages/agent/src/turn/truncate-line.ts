import { Kind, type Line, type LineMessage, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { WhatIf } from '../compaction/line-options.ts'
import { measureRequest } from '../compaction/measure-request.ts'
import type { AgentEnv } from '../env.ts'
import type { ModelInfo } from '../models/model.ts'
import { readLine } from './request.ts'

export interface TruncateOptions {
  readonly tipId: string | null
  /** What `readLine` gives for it. */
  readonly line: Line
  readonly model: ModelInfo
  readonly whatIf?: WhatIf | undefined
}

export interface Truncated {
  readonly line: Line
  /** The nodes that are left out so that the rest fits, oldest first. */
  readonly droppedIds: readonly string[]
}

/** Of the window so much is left for the answer, where a model may say more than it reads. */
const OUTPUT_SHARE = 0.25

/**
 * A line that a model has room for: without its oldest turns, as if they were muted. Nothing is written, and what fits is
 * sent whole. Summaries, pins and the last question stay; if those are too much, what is given is still too long.
 */
export async function truncateLine(
  env: AgentEnv,
  session: Session,
  { tipId, line, model, whatIf = {} }: TruncateOptions,
): Promise<Truncated> {
  const { tokens, estimatedTokens } = await measureRequest(env, session, { tipId, line, model })
  const { contextWindow, maxOutput } = model
  if (tokens <= contextWindow) return { line, droppedIds: [] }
  const room = contextWindow - Math.min(maxOutput, contextWindow * OUTPUT_SHARE)
  // In the estimator's own measure, which may be off by as much as it is for the whole.
  const excess = estimatedTokens - (room * estimatedTokens) / tokens
  const droppedIds = chooseOldest(env, session.tree, line.messages, excess)
  const mute = new Set([...(whatIf.mute ?? []), ...droppedIds])
  return { line: await readLine(env, session, tipId, { ...whatIf, mute }), droppedIds }
}

/** Whole turns: what is left begins with a question. */
function chooseOldest(env: AgentEnv, tree: Tree, messages: readonly LineMessage[], excess: number): string[] {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const dropped: string[] = []
  let freed = 0
  for (const [i, message] of messages.entries()) {
    if (i >= last || (message.role === 'user' && freed >= excess)) break
    if (!message.nodeIds.length || !message.nodeIds.every((id) => mayDrop(tree, id))) continue
    dropped.push(...message.nodeIds)
    freed += env.estimate([message])
  }
  return dropped
}

/** A summary stands for more than itself, and without it all that would be back. */
function mayDrop({ columns, ids, edits }: Tree, nodeId: string): boolean {
  const ref = ids.find(nodeId)
  return columns.kind[ref] === Kind.message && edits.meta.get(ref)?.get('pinned') !== true
}
