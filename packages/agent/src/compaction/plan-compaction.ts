import {
  type AgentMessage,
  type Entry,
  estimateTokens,
  type LineMessage,
  type LineNode,
  type SystemMessage,
  TreelineError,
} from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import type { ModelInfo } from '../models/model.ts'
import { toItems } from './compaction-items.ts'
import { hasFileLists } from './file-lists.ts'
import { type FilesTouched, filesTouched } from './files-touched.ts'
import { chooseCut, lastCut } from './fit-cut.ts'
import { lineOptions } from './line-options.ts'
import { type MeasuredRequest, measureRequest } from './measure-request.ts'
import type { CompactionItem } from './policy.ts'
import { type Conversation, readConversation } from './read-conversation.ts'
import { measureAfter } from './size-after.ts'
import { joinSystemMessages } from './system-state.ts'

export type CompactionReason = 'manual' | 'threshold' | 'overflow'

export interface PlanRequest {
  readonly tipId: string
  /** The model the line is for. */
  readonly model: ModelInfo
  readonly reason: CompactionReason
  /** The prompt that waits for its answer; by default what the user said last. */
  readonly pendingId?: string | undefined
  /** Set when a summary turned out too long for what was kept: nothing is kept then but the pending prompt. */
  readonly keepLeast?: boolean
}

/** What a compaction would cover and keep. Nothing has changed yet. */
export interface CompactionPlan extends FilesTouched {
  readonly size: MeasuredRequest
  readonly covered: readonly CompactionItem[]
  readonly kept: readonly CompactionItem[]
  /** Of the covered, how many there are before the turn that the cut goes through; all of them when none begins there. */
  readonly wholeTurns: number
  readonly splitsTurn: boolean
  /** True when no more could be covered. */
  readonly keepsLeast: boolean
  readonly previous: Entry | undefined
  /** Messages the compaction in force carries in itself. */
  readonly carried: readonly AgentMessage[]
  readonly pinnedIds: readonly string[]
  /** Nodes of the covered stretch that the line did not send, so that the summary does not stand for them. */
  readonly leftOut: readonly Extract<LineNode, { readonly in: false }>[]
  readonly systemMessage: SystemMessage | undefined
  /** How long the summary may be. */
  readonly summaryTokens: number
  /** By how much the estimator is known to be too low here. */
  readonly scale: number
  /** Models by role, as the path says. */
  readonly models: Readonly<Record<string, string>>
  /** About how large the request is with this summary. */
  measureAfter(summary: string): Promise<number>
}

/** How far an estimate is corrected by what a provider counted, or by its refusal. */
const MAX_SCALE = 8
const MAX_SUMMARY_TOKENS = 13_107

/**
 * Decides what a compaction covers; nothing when there is nothing to cover. Throws `context_overflow` when what cannot be
 * covered is more than the model takes.
 */
export async function planCompaction(
  env: AgentEnv,
  session: Session,
  request: PlanRequest,
): Promise<CompactionPlan | undefined> {
  const { tipId, model, reason } = request
  const options = await lineOptions(env, session, tipId)
  const conversation = await readConversation(session, tipId, options)
  const size = await measureRequest(env, session, { tipId, line: conversation.line, model })
  const known = reason === 'overflow' ? Math.max(size.tokens, model.contextWindow) : size.tokens
  const scale = Math.min(MAX_SCALE, Math.max(1, known / Math.max(1, size.estimatedTokens)))
  const items = toItems(conversation.said, scale * estimatorRatio(env, conversation.line.messages), request.pendingId)
  const pinned = pinnedAmong(session, items)
  const summaryTokens = Math.min(
    model.maxOutput,
    MAX_SUMMARY_TOKENS,
    Math.max(256, Math.floor(model.contextWindow / 8)),
  )
  const scaledSize = { ...size, fixedTokens: Math.ceil(size.fixedTokens * scale) }
  const cut = chooseCut(env.policy, items, { ...request, size: scaledSize, pinned, summaryTokens })
  const systemMessage = joinSystemMessages(conversation.systemMessages, env.clock.now())
  const kept = items.slice(cut)
  const sizeAfter = (summary: string) =>
    measureAfter(env, session, { tipId, options, line: conversation.line, kept, systemMessage, summary })
  const last = lastCut(items)
  // A summary made for a larger model may be too long for this one: then it alone is written anew.
  const isDone = cut === 0 && (conversation.previous === undefined || size.estimatedTokens <= model.contextWindow)
  if (cut === last) refuseOverflow(isDone ? size.estimatedTokens : await sizeAfter(''), model)
  if (isDone) return undefined
  const covered = items.slice(0, cut)
  const splitsTurn = isInsideTurn(items, cut)
  const files = await listFiles(session, conversation, covered)
  return {
    size,
    covered,
    kept,
    wholeTurns: splitsTurn ? turnStart(covered) : cut,
    splitsTurn,
    keepsLeast: cut === last,
    previous: conversation.previous,
    carried: carriedBy(conversation.previous),
    pinnedIds: covered.filter((item) => pinned.has(item)).map(({ nodeId }) => nodeId),
    leftOut: listLeftOut(conversation.line.nodes, covered, kept[0]?.nodeId),
    systemMessage,
    summaryTokens,
    scale,
    models: conversation.line.state.models,
    measureAfter: sizeAfter,
    ...files,
  }
}

export function refuseOverflow(tokens: number, { contextWindow }: ModelInfo): void {
  if (tokens <= contextWindow) return
  const message =
    `What has to be sent is about ${tokens} tokens, and the model takes ${contextWindow}. ` +
    'Shorten the prompt, unpin what is not needed, or choose a model with a larger window.'
  throw new TreelineError('context_overflow', message)
}

/** Single messages are estimated as Pi does; the estimator there is may see more or less in a conversation. */
function estimatorRatio(env: AgentEnv, messages: readonly LineMessage[]): number {
  const ours = estimateTokens(messages)
  return ours === 0 ? 1 : env.estimate(messages) / ours
}

/** Where the last turn of the covered begins; behind all of them when it began in what the notes so far stand for. */
function turnStart(covered: readonly CompactionItem[]): number {
  const start = covered.findLastIndex(({ startsTurn }) => startsTurn)
  return start < 0 ? covered.length : start
}

/** Also when nothing is kept of a turn that waits for the model to go on after a tool. */
function isInsideTurn(items: readonly CompactionItem[], cut: number): boolean {
  const next = items[cut]
  return next === undefined ? items[cut - 1]?.message.role === 'toolResult' : !next.startsTurn
}

function pinnedAmong({ tree }: Session, items: readonly CompactionItem[]): ReadonlySet<CompactionItem> {
  const { meta } = tree.edits
  if (meta.size === 0) return new Set()
  return new Set(items.filter(({ nodeId }) => meta.get(tree.ids.find(nodeId))?.get('pinned') === true))
}

function carriedBy(previous: Entry | undefined): readonly AgentMessage[] {
  const tail = previous?.retainedTail
  if (!Array.isArray(tail)) return []
  return tail.filter((message) => typeof message === 'object' && message !== null) as AgentMessage[]
}

function listLeftOut(
  nodes: readonly LineNode[],
  [first]: readonly CompactionItem[],
  keptId: string | undefined,
): Extract<LineNode, { readonly in: false }>[] {
  if (first === undefined) return []
  const start = nodes.findIndex(({ nodeId }) => nodeId === first.nodeId)
  const end = keptId === undefined ? nodes.length : nodes.findIndex(({ nodeId }) => nodeId === keptId)
  return nodes.slice(start, end).flatMap((node) => (node.in || node.reason === 'compacted' ? [] : [node]))
}

/** Back to the last compaction that has lists itself: those hold all that was before it. */
async function listFiles(
  session: Session,
  { summaryIds }: Conversation,
  covered: readonly CompactionItem[],
): Promise<FilesTouched> {
  const recorded: unknown[] = []
  for (const id of summaryIds) {
    const entry = await session.readEntry(id)
    if (entry !== undefined) recorded.push(entry.details)
    if (entry?.type === 'compaction' && hasFileLists(entry)) break
  }
  return filesTouched(
    covered.map(({ message }) => message),
    recorded,
  )
}
