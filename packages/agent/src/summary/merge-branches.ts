import { type AgentMessage, MERGE_TYPE, mergeText, ROOT, TreelineError, type Usage } from '@treeline/core'
import type { Session } from '@treeline/store'
import { estimateText } from '../compaction/estimate-text.ts'
import { serialiseMessage } from '../compaction/serialise.ts'
import type { AgentEnv } from '../env.ts'
import type { Model } from '../models/model.ts'
import { askForText, type Text, withLessRoom } from './ask-for-text.ts'
import { readBranch, type Stretch, stretchUp } from './branch-messages.ts'
import { leftOutNote } from './branch-prompt.ts'
import { type Fitted, fitNewest } from './fit-messages.ts'
import { MERGE_SYSTEM, mergePrompt } from './merge-prompt.ts'
import { findMergeBase, findSources, type SourceBranch } from './merge-sources.ts'
import { branchTitle, roleName, wordsOf } from './merge-words.ts'
import { roomFor } from './room.ts'
import { moveFrom, refuseGenerating } from './target.ts'

export interface MergeRequest {
  /** Where the branches end; two or more. */
  readonly sourceIds: readonly string[]
  /** One after the other, turn by turn, or as the model puts it. */
  readonly how: 'concat' | 'interleave' | 'ask'
  /** What the person wants the merged text to be about, for `ask`. */
  readonly instructions?: string | undefined
  /** Who is asked, and whose window all has to fit into. */
  readonly model: Model
  readonly signal: AbortSignal
  readonly by?: string | undefined
  /** Where the merged branch begins; by default the deepest node above all sources. */
  readonly baseId?: string | null | undefined
  /** Of the merged node; a new one by default. */
  readonly id?: string | undefined
  /** Told when all is well and the work begins. */
  readonly onBegin?: (() => void) | undefined
}

export interface Merged {
  readonly nodeId: string
  readonly usage?: Usage
}

/** A text put together from the branches stays in the line: it may take this share of what a question could hold. */
const KEPT_SHARE = 0.5
/** For `ask`: how much of the room, and how many nodes, tell what the branches share. */
const HISTORY_SHARE = 0.2
const HISTORY_NODES = 100

/**
 * Brings branches together in a node that names them (T41): text for the model under what they share, where the
 * conversation goes on. One write, and one undo as long as nothing hangs under it. When the model fails, nothing is written.
 */
export async function mergeBranches(env: AgentEnv, session: Session, request: MergeRequest): Promise<Merged> {
  const { sourceIds, how, signal, by } = request
  const fromId = session.leafId
  const { tree } = session
  const branches = findSources(tree, request)
  const base = findMergeBase(tree, request)
  refuseGenerating(tree, base)
  request.onBegin?.()
  const startedAt = env.clock.now()
  const { text, usage } =
    how === 'ask'
      ? await askForMerge(env, session, branches, stretchUp(tree, base.ref, ROOT), request)
      : await putTogether(env, session, branches, how, request)
  signal.throwIfAborted()
  const draft = {
    type: 'custom_message',
    ...(request.id !== undefined && { id: request.id }),
    customType: MERGE_TYPE,
    content: text,
    display: true,
    details: { mergedFrom: sourceIds, how, ...(usage && { usage, latencyMs: env.clock.now() - startedAt }) },
  }
  const leaf = moveFrom(session, fromId)
  const { id } = await session.append(draft, { parentId: base.id, leaf, undoable: { children: 'refuse', by } })
  return { nodeId: id, ...(usage !== undefined && { usage }) }
}

type Fit = (branch: Stretch, tokens: number) => Promise<Fitted>

function fitBy(env: AgentEnv, session: Session, render: (message: AgentMessage) => string): Fit {
  return (branch, tokens) =>
    fitNewest(readBranch(session, branch), {
      tokens,
      spare: 0,
      render: ({ message }) => render(message),
      tokensOf: (text) => estimateText(env, text),
    })
}

interface Told {
  readonly title: string
  readonly fitted: Fitted
}

/** Each branch gets an equal share of what those before it left. */
async function fitBranches(branches: readonly SourceBranch[], tokens: number, fit: Fit): Promise<readonly Told[]> {
  const told: Told[] = []
  let free = tokens
  for (const [i, branch] of branches.entries()) {
    const { sourceId, tree } = branch
    const fitted = await fit(branch, Math.floor(free / (branches.length - i)))
    if (fitted.pieces.length === 0) {
      const message = `There is nothing on the branch that ends at ${sourceId} that could be merged. Leave it out.`
      throw new TreelineError('validation_failed', message, { nodeIds: [sourceId] })
    }
    free -= fitted.tokens
    told.push({ title: branchTitle(tree, sourceId, i + 1, fitted), fitted })
  }
  return told
}

async function putTogether(
  env: AgentEnv,
  session: Session,
  branches: readonly SourceBranch[],
  how: 'concat' | 'interleave',
  { model }: MergeRequest,
): Promise<{ readonly text: string; readonly usage?: never }> {
  const room = Math.floor(roomFor(env, model).tokens * KEPT_SHARE)
  const told = await fitBranches(branches, room, fitBy(env, session, wordsOf))
  const parts = told.map(({ title, fitted: { pieces, leftOut } }) => ({
    title,
    messages: [
      ...leftOutNote(leftOut).map((text) => ({ role: 'Note', text })),
      ...pieces.map(({ message, text }) => ({ role: roleName(message), text })),
    ],
  }))
  const order = how === 'concat' ? 'one after the other' : 'turn by turn'
  const intro = `What was said on ${branches.length} branches of this conversation, ${order}:`
  return { text: `${intro}\n\n${mergeText(parts, how)}` }
}

function askForMerge(
  env: AgentEnv,
  session: Session,
  branches: readonly SourceBranch[],
  shared: Stretch,
  { model, signal, instructions }: MergeRequest,
): Promise<Text> {
  const room = roomFor(env, model, estimateText(env, instructions ?? ''))
  const fit = fitBy(env, session, serialiseMessage)
  return withLessRoom(room.tokens, async (tokens) => {
    const end = { ...shared, nodes: shared.nodes.slice(0, HISTORY_NODES) }
    const history = await fit(end, Math.floor(tokens * HISTORY_SHARE))
    const told = await fitBranches(branches, tokens - history.tokens, fit)
    const prompt = mergePrompt({ history, branches: told, instructions })
    const { maxOutput } = room
    return askForText(env, session, model, { system: MERGE_SYSTEM, prompt, maxOutput, signal, purpose: 'merge' })
  })
}
