import { newEntryId, ROOT, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { readGivenSummary } from '../compaction/given-summary.ts'
import type { AgentEnv } from '../env.ts'
import type { HookAnswer } from '../hooks.ts'
import type { Model } from '../models/model.ts'
import type { Stretch } from './branch-messages.ts'
import type { BranchInstructions } from './branch-prompt.ts'
import { type BranchSummary, findLeftBranch, summariseBranch, takeSummary } from './summarise-branch.ts'
import { findTarget, isAt, leafRef, moveFrom, refuseGenerating, type Target } from './target.ts'

export interface LeaveRequest extends BranchInstructions {
  /** Where to go on; `null` for a new start. */
  readonly toId: string | null
  /** Leave notes there on what was tried here. */
  readonly summarise?: boolean | undefined
  /** Put on the summary, or without one on where one goes. */
  readonly label?: string | undefined
  /** Who writes the notes. Not needed without, or when a hook gives them. */
  readonly model?: Model | undefined
  readonly signal: AbortSignal
  /** Who may undo it without naming it. */
  readonly by?: string | undefined
  /** Of the line that is written: the summary, or the move. A new one by default. */
  readonly id?: string | undefined
}

export interface Left {
  readonly leafId: string | null
  readonly summaryId?: string
  /** Why nothing was done. */
  readonly isCancelled?: string
  /** Something to tell the user that stopped nothing. */
  readonly notice?: string
}

/**
 * Goes on somewhere else in the tree (M8), and leaves a summary of the branch there when asked to (M15). One line or one
 * write, and one undo. When the summary fails or is cancelled, nothing is written and the leaf stays. What is still being
 * generated goes on being generated and is not in the summary.
 *
 * @example
 * await leaveBranch(env, session, { toId: nodeId, summarise: true, model, signal })
 */
export async function leaveBranch(env: AgentEnv, session: Session, request: LeaveRequest): Promise<Left> {
  const { toId, signal } = request
  const fromId = session.leafId
  const target = findTarget(session.tree, toId)
  if (isAt(session.tree, leafRef(session.tree, fromId), target)) return { leafId: fromId }
  const said = await askBefore(env, session, { fromId, toId: target.id })
  if (said?.action === 'cancel') return { leafId: session.leafId, isCancelled: said.reason }

  let summary: BranchSummary | undefined
  if (request.summarise === true) {
    // Looked for anew: a hook may have taken its time.
    const { tree } = session
    const here = findTarget(tree, target.id)
    refuseGenerating(tree, here)
    const branch = findLeftBranch(tree, leafRef(tree, fromId), here.ref)
    try {
      const given = said === undefined ? undefined : readGivenSummary(said.value)
      if (branch.nodes.length > 0) summary = await summarise(env, session, branch, request, given)
      signal.throwIfAborted()
    } catch (error) {
      if (signal.aborted) return { leafId: session.leafId, isCancelled: 'The summary was cancelled.' }
      throw error
    }
  }
  const summaryId =
    summary === undefined
      ? await move(session, target, request)
      : await appendSummary(session, { fromId, target, summary, request, isGiven: said !== undefined })
  const left = { leafId: session.leafId, ...(summaryId !== undefined && { summaryId }) }
  const notice = await tellAfter(env, session, left)
  return notice === undefined ? left : { ...left, notice }
}

function summarise(
  env: AgentEnv,
  session: Session,
  branch: Stretch,
  { model, ...request }: LeaveRequest,
  given: string | undefined,
): Promise<BranchSummary | undefined> {
  if (given !== undefined) return takeSummary(session, branch, given)
  if (model === undefined) {
    throw new TreelineError('validation_failed', 'A summary of the branch needs a model. Choose one, or go without.')
  }
  return summariseBranch(env, session, branch, { ...request, model })
}

async function move(session: Session, { id: toId }: Target, { label, by, id }: LeaveRequest): Promise<undefined> {
  const labelled = label !== undefined && toId !== null ? [{ op: 'label' as const, nodeId: toId, label }] : []
  const operations = [{ op: 'leaf' as const, leafId: toId }, ...labelled]
  await session.edit({ operations, ...(by !== undefined && { by }), ...(id !== undefined && { id }) })
}

interface Written {
  readonly fromId: string | null
  readonly target: Target
  readonly summary: BranchSummary
  readonly request: LeaveRequest
  readonly isGiven: boolean
}

async function appendSummary(
  session: Session,
  { fromId, target, summary, request, isGiven }: Written,
): Promise<string> {
  const { id = newEntryId((taken) => session.tree.ids.find(taken) > ROOT) } = request
  const { files, summarizedFrom, usage, latencyMs } = summary
  const entry = {
    type: 'branch_summary',
    id,
    fromId: target.id ?? 'root',
    summary: summary.summary,
    details: { ...files, leftLeafId: fromId, summarizedFrom, ...(latencyMs !== undefined && { latencyMs }) },
    ...(usage !== undefined && { usage }),
    ...(isGiven && { fromHook: true }),
  }
  const { label, by } = request
  // Beside an append, so that an undo takes the summary and does not stop at its label.
  const labelled = label === undefined ? [] : [{ type: 'label', targetId: id, label, auto: true }]
  await session.appendAll([entry, ...labelled], {
    parentId: target.id,
    leaf: moveFrom(session, fromId),
    undoable: { children: 'splice', by },
  })
  return id
}

type BranchAnswer = HookAnswer<{ readonly summary: string }>

async function askBefore(
  { hooks }: AgentEnv,
  session: Session,
  move: { readonly fromId: string | null; readonly toId: string | null },
): Promise<BranchAnswer> {
  try {
    return await hooks.beforeBranch?.(session, move)
  } catch (error) {
    return { action: 'cancel', reason: `The hook before leaving a branch failed: ${messageOf(error)}` }
  }
}

async function tellAfter({ hooks }: AgentEnv, session: Session, left: Left): Promise<string | undefined> {
  try {
    await hooks.afterBranch?.(session, left)
    return undefined
  } catch (error) {
    return `The hook after leaving a branch failed: ${messageOf(error)}`
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
