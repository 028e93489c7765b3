import type { Line } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import type { ModelInfo } from '../models/model.ts'
import { toolSpecs } from '../tools/tool-specs.ts'
import { estimateText } from './estimate-text.ts'
import { findTrustedUsage } from './known-usage.ts'
import type { RequestSize } from './policy.ts'

export interface MeasureOptions {
  /** Where the line ends. */
  readonly tipId: string | null
  /** Made with `lineOptions`. */
  readonly line: Line
  readonly model: ModelInfo
  /** The line as it is, when `line` is what it would be if some nodes were muted or not. */
  readonly asIs?: Line | undefined
}

/** A size, and what the estimator alone makes of it: the two tell how far off it is in this conversation. */
export interface MeasuredRequest extends RequestSize {
  readonly estimatedTokens: number
}

/**
 * How large the request about to be sent is (X63): what the provider counted for the latest answer, as long as that still
 * says something about this line, and an estimate of what came after it; else an estimate of everything.
 */
export async function measureRequest(
  env: AgentEnv,
  session: Session,
  { tipId, line, model, asIs }: MeasureOptions,
): Promise<MeasuredRequest> {
  const { messages, injected } = line
  const toolTokens = estimateTools(env)
  const estimatedTokens = env.estimate(messages) + toolTokens
  const lead = messages[0]?.role === 'system' ? env.estimate(messages.slice(0, 1)) : 0
  const added = injected.filter(({ place }) => place !== 'system')
  const fixedTokens = added.reduce((tokens, { text }) => tokens + estimateText(env, text), lead + toolTokens)
  if (asIs !== undefined) {
    // Nobody has counted what was never sent: it differs from what was by as much as the estimates do.
    const now = await measureRequest(env, session, { tipId, line: asIs, model })
    const tokens = Math.ceil((estimatedTokens * now.tokens) / Math.max(1, now.estimatedTokens))
    return { tokens, fixedTokens, model, estimatedTokens }
  }
  const counted = await findTrustedUsage(session, tipId, messages)
  const tokens = counted === undefined ? estimatedTokens : counted.tokens + env.estimate(counted.after)
  return { tokens, fixedTokens, model, estimatedTokens }
}

/** Tools are sent with every request: their names, descriptions and schemas. */
export function estimateTools(env: AgentEnv): number {
  return env.tools.length === 0 ? 0 : estimateText(env, JSON.stringify(toolSpecs(env.tools)))
}
