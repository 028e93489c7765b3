import { type EntryDraft, newEntryId, ROOT, type Tree, TreelineError, type Usage } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import type { HookAnswer } from '../hooks.ts'
import type { Model } from '../models/model.ts'
import { addUsage } from '../turn/usage.ts'
import { withFileLists } from './file-lists.ts'
import { readGivenSummary } from './given-summary.ts'
import { type CompactionPlan, type CompactionReason, planCompaction, refuseOverflow } from './plan-compaction.ts'
import type { CompactionReport } from './report.ts'
import { shorten, summarise } from './summarise.ts'

export interface CompactionRequest {
  readonly tipId: string
  /** The model the line is for. It writes the summary too, unless another has the role `summary`. */
  readonly model: Model
  readonly reason: CompactionReason
  /** What the user wants the summary to mind. */
  readonly instructions?: string | undefined
  /** The prompt that waits for its answer. */
  readonly pendingId?: string | undefined
  readonly signal: AbortSignal
  /** Told of what stops nothing: a model for summaries that could not be opened, a hook that failed afterwards. */
  readonly onNotice?: ((problem: unknown) => void) | undefined
  /** Told when there is something to compact, before anybody is asked for a summary. */
  readonly onBegin?: (() => void) | undefined
  /** Of the compaction; a new one by default. */
  readonly id?: string | undefined
}

/** A compaction that is ready to be written. */
export interface MadeCompaction {
  readonly draft: EntryDraft & { readonly id: string }
  readonly report: CompactionReport
}

interface Written {
  readonly summary: string
  readonly usage?: Usage | undefined
  readonly isFromHook: boolean
}

const MAX_FILE_CHARS = 16_000
const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** Plans a compaction and has its summary written. Changes nothing; nothing to cover gives nothing. */
export async function makeCompaction(
  env: AgentEnv,
  session: Session,
  request: CompactionRequest,
): Promise<MadeCompaction | undefined> {
  const { tipId, model, reason, pendingId } = request
  const wanted = { tipId, model: model.info, reason, pendingId }
  let plan = await planCompaction(env, session, wanted)
  if (plan === undefined) return undefined
  request.onBegin?.()
  const startedAt = env.clock.now()
  let written = await writeSummary(env, session, request, plan)
  let tokensAfter = await plan.measureAfter(written.summary)
  if (tokensAfter > model.info.contextWindow && !plan.keepsLeast) {
    plan = (await planCompaction(env, session, { ...wanted, keepLeast: true })) ?? plan
    const { usage } = written
    written = await writeSummary(env, session, request, plan)
    if (usage !== undefined) written = { ...written, usage: addUsage(usage, written.usage ?? NO_USAGE) }
    tokensAfter = await plan.measureAfter(written.summary)
  }
  refuseOverflow(tokensAfter, model.info)
  request.signal.throwIfAborted()
  const latencyMs = env.clock.now() - startedAt
  return describe(env, session.tree, plan, written, { tokensAfter, reason, latencyMs, id: request.id })
}

async function writeSummary(
  env: AgentEnv,
  session: Session,
  request: CompactionRequest,
  plan: CompactionPlan,
): Promise<Written> {
  const said = await askHook(env, session, plan)
  if (said?.action === 'cancel') {
    throw new TreelineError('forbidden', `A hook stopped the compaction: ${said.reason}`)
  }
  // Lists of files are bounded too: a sixteenth of a small window, at four characters to a token.
  const maxChars = Math.min(MAX_FILE_CHARS, Math.floor(request.model.info.contextWindow / 4))
  if (said?.action === 'replace') {
    return { summary: withFileLists(readGivenSummary(said.value), plan, maxChars), isFromHook: true }
  }
  const messages = plan.covered.map(({ message }) => message)
  const { instructions, signal } = request
  const { summary, usage } = await summarise(env, session, {
    model: await openSummariser(env, plan, request),
    history: [...plan.carried, ...messages.slice(0, plan.wholeTurns)],
    turn: messages.slice(plan.wholeTurns),
    previousSummary: previousSummary(plan),
    instructions,
    maxTokens: plan.summaryTokens,
    scale: plan.scale,
    signal,
  })
  return { summary: withFileLists(summary, plan, maxChars), usage, isFromHook: false }
}

/** A hook that throws cancels. */
async function askHook(
  { hooks }: AgentEnv,
  session: Session,
  plan: CompactionPlan,
): Promise<HookAnswer<{ readonly summary: string }>> {
  const coveredIds = plan.covered.map(({ nodeId }) => nodeId)
  try {
    return await hooks.beforeCompaction?.(session, { coveredIds, previousSummary: previousSummary(plan) })
  } catch (cause) {
    const message = `The hook before a compaction failed: ${cause instanceof Error ? cause.message : String(cause)}`
    throw new TreelineError('forbidden', message, {}, { cause })
  }
}

/** S9: the model with the role `summary`, said on the path or in the settings; else that of the conversation. */
async function openSummariser(
  { settings, models }: AgentEnv,
  { models: onPath }: CompactionPlan,
  { model, onNotice }: CompactionRequest,
): Promise<Model> {
  const named = [onPath, settings.roles].find((roles) => Object.hasOwn(roles, 'summary'))?.summary
  if (named === undefined || named === model.ref) return model
  try {
    return await models.open(named)
  } catch (error) {
    onNotice?.(error)
    return model
  }
}

function previousSummary({ previous }: CompactionPlan): string | undefined {
  return typeof previous?.summary === 'string' ? previous.summary : undefined
}

/** Of more than this, the newest are named: the others are those above them on the path. */
const MAX_NAMED = 10_000

function nameCovered(ids: readonly string[]): Readonly<Record<string, unknown>> {
  if (ids.length <= MAX_NAMED) return { summarizedFrom: ids }
  return { summarizedFrom: ids.slice(-MAX_NAMED), summarizedCount: ids.length }
}

interface Outcome {
  readonly tokensAfter: number
  readonly reason: CompactionReason
  readonly latencyMs: number
  readonly id: string | undefined
}

function describe(
  env: AgentEnv,
  tree: Tree,
  plan: CompactionPlan,
  { summary, usage, isFromHook }: Written,
  { tokensAfter, reason, latencyMs, id: given }: Outcome,
): MadeCompaction {
  const { readFiles, modifiedFiles, splitsTurn, pinnedIds, leftOut, systemMessage } = plan
  const id = given ?? newEntryId((taken) => tree.ids.find(taken) > ROOT)
  const coveredIds = plan.covered.map(({ nodeId }) => nodeId)
  const keptIds = plan.kept.map(({ nodeId }) => nodeId)
  const shortSummary = shorten(summary)
  const tokensBefore = plan.size.tokens
  const previousId = plan.previous?.id
  const origin = previousId === undefined ? {} : { previousId }
  const policy = env.policy.name
  const draft = {
    type: 'compaction',
    id,
    summary,
    shortSummary,
    // Nothing kept is said as Pi says it since 0.87: the entry names itself.
    firstKeptEntryId: keptIds[0] ?? id,
    tokensBefore,
    tokensAfter,
    details: { readFiles, modifiedFiles, ...nameCovered(coveredIds), policy, reason, ...origin, splitsTurn, latencyMs },
    ...(usage !== undefined && { usage }),
    ...(isFromHook && { fromHook: true, fromExtension: true }),
    ...(systemMessage !== undefined && { systemMessage }),
  }
  const sizes = { tokensBefore, tokensAfter, readFiles, modifiedFiles }
  const nodes = { coveredIds, keptIds, pinnedIds, leftOut, ...origin }
  return { draft, report: { nodeId: id, policy, summary, shortSummary, splitsTurn, ...nodes, ...sizes } }
}
