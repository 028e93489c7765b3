import type { Line, LineOptions, SystemMessage } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import { estimateText } from './estimate-text.ts'
import { estimateTools } from './measure-request.ts'
import type { CompactionItem } from './policy.ts'
import { systemText } from './system-state.ts'

export interface AfterOptions {
  readonly tipId: string
  readonly options: LineOptions
  /** As it is now. */
  readonly line: Line
  readonly kept: readonly CompactionItem[]
  readonly systemMessage: SystemMessage | undefined
  /** Empty: what there would be without one. */
  readonly summary: string
}

/**
 * How large the request would be once a compaction is written, found out without writing one: the line with everything
 * muted that is not kept, and the summary and the system message beside it. Never less than what it will be.
 */
export async function measureAfter(
  env: AgentEnv,
  session: Session,
  { tipId, options, line, kept, systemMessage, summary }: AfterOptions,
): Promise<number> {
  const unmute = new Set(kept.map(({ nodeId }) => nodeId))
  const mute = new Set(line.nodes.map(({ nodeId }) => nodeId).filter((id) => !unmute.has(id)))
  const { messages } = await session.line({ leafId: tipId, ...options, mode: 'tree', mute, unmute })
  const text = summary === '' ? '' : `The conversation up to here, in short:\n\n<summary>\n${summary}\n</summary>`
  const system = systemMessage === undefined ? '' : systemText(systemMessage)
  return env.estimate(messages) + estimateText(env, text) + estimateText(env, system) + estimateTools(env)
}
