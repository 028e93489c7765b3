import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Line } from '@treeline/core'
import { isBlobRef, type Session } from '@treeline/store'
import { lineOptions, type WhatIf } from '../compaction/line-options.ts'
import { measureRequest } from '../compaction/measure-request.ts'
import type { RequestSize } from '../compaction/policy.ts'
import type { AgentEnv } from '../env.ts'
import { type Model, THINKING_LEVELS, type ThinkingLevel } from '../models/model.ts'
import { toolSpecs } from '../tools/tool-specs.ts'
import { callOptions } from './call-options.ts'
import { toPrompt } from './to-prompt.ts'

/** What a model is about to be sent, and how much that is. */
export interface ModelRequest {
  readonly line: Line
  readonly thinking: ThinkingLevel
  readonly size: RequestSize
  options(signal: AbortSignal): LanguageModelV4CallOptions
}

export interface RequestOptions {
  /** The node that is to be answered, and what `readLine` gives for it. */
  readonly tipId: string | null
  readonly line: Line
  readonly model: Model
  /** By default what the path says, then what the settings say. */
  readonly thinking?: ThinkingLevel | undefined
  /** Tokens for what it says; by default what the model allows. */
  readonly maxOutput?: number | undefined
  /** The line as it is, when `line` is what it would be if some nodes were muted or not. */
  readonly asIs?: Line | undefined
}

/** What a model would see that answers a node: the path to it, and what the project, the program and pins add. */
export async function readLine(
  env: AgentEnv,
  session: Session,
  tipId: string | null,
  whatIf: WhatIf = {},
): Promise<Line> {
  // What a line of the log is too short for is sent all the same, and what is in the stash is what hangs there.
  return session.line({ leafId: tipId, inStash: true, ...(await lineOptions(env, session, tipId, whatIf)) })
}

/** The line with all that goes with it. The same code for sending and for a look at what would be sent. */
export async function buildRequest(
  env: AgentEnv,
  session: Session,
  { tipId, line, model, thinking: wanted, maxOutput, asIs }: RequestOptions,
): Promise<ModelRequest> {
  const tools = toolSpecs(env.tools)
  const thinking = clampThinking(wanted ?? pathThinking(line) ?? env.settings.thinkingLevel ?? 'off', model)
  const readImage = async (ref: string) => (isBlobRef(ref) ? session.readBlob(ref) : undefined)
  const prompt = await toPrompt(line.messages, model, readImage)
  const size = await measureRequest(env, session, { line, tipId, model: model.info, asIs })
  const options = (signal: AbortSignal) =>
    callOptions({ prompt, tools, model, thinking, maxOutput, sessionId: session.id, signal })
  return { line, thinking, size, options }
}

/** Said by an entry on the path; a path that says nothing leaves it to the settings. */
function pathThinking({ state }: Line): ThinkingLevel | undefined {
  const { configuredThinkingLevel, thinkingLevel } = state
  const isSaid = configuredThinkingLevel !== undefined || thinkingLevel !== 'off'
  return isSaid ? THINKING_LEVELS.find((level) => level === thinkingLevel) : undefined
}

/** The nearest level below that the model knows; for one that always thinks, the least it can do. */
function clampThinking(wanted: ThinkingLevel, { info }: Model): ThinkingLevel {
  const levels = THINKING_LEVELS.filter((level) => info.thinking.includes(level))
  const rank = THINKING_LEVELS.indexOf(wanted)
  return levels.findLast((level) => THINKING_LEVELS.indexOf(level) <= rank) ?? levels[0] ?? 'off'
}
