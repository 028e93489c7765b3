import { commonAncestor, type Tree, type Usage } from '@treeline/core'
import type { Session } from '@treeline/store'
import { estimateText } from '../compaction/estimate-text.ts'
import { withFileLists } from '../compaction/file-lists.ts'
import type { FilesTouched } from '../compaction/files-touched.ts'
import { serialiseMessage } from '../compaction/serialise.ts'
import type { AgentEnv } from '../env.ts'
import type { Model } from '../models/model.ts'
import { askForText, withLessRoom } from './ask-for-text.ts'
import { BranchFiles } from './branch-files.ts'
import { readBranch, type Stretch, stretchUp } from './branch-messages.ts'
import { BRANCH_SYSTEM, type BranchInstructions, branchPrompt, branchTask } from './branch-prompt.ts'
import { fitNewest } from './fit-messages.ts'
import { roomFor } from './room.ts'

/** What will be left: from a leaf up to what it shares with where one goes. */
export function findLeftBranch(tree: Tree, leaf: number, target: number): Stretch {
  return stretchUp(tree, leaf, commonAncestor(tree, leaf, target))
}

export interface BranchSummary {
  readonly summary: string
  /** The nodes the text was made from, oldest first (T17). */
  readonly summarizedFrom: readonly string[]
  readonly files: FilesTouched
  readonly usage?: Usage
  readonly latencyMs?: number
}

export interface SummaryRequest extends BranchInstructions {
  readonly model: Model
  readonly signal: AbortSignal
}

/** Notes by a model on what was tried on a branch. Nothing when there is nothing to tell. */
export function summariseBranch(
  env: AgentEnv,
  session: Session,
  branch: Stretch,
  { model, signal, ...instructions }: SummaryRequest,
): Promise<BranchSummary | undefined> {
  const task = branchTask(instructions)
  const { tokens: most, spare, maxOutput } = roomFor(env, model, estimateText(env, task))
  return withLessRoom(most, async (tokens) => {
    const files = new BranchFiles()
    const fitted = await fitNewest(readBranch(session, branch), {
      tokens,
      spare,
      render: ({ message }) => serialiseMessage(message),
      tokensOf: (text) => estimateText(env, text),
      see: (item) => files.add(item),
    })
    if (fitted.pieces.length === 0) return undefined
    const question = { system: BRANCH_SYSTEM, prompt: branchPrompt(fitted, task), maxOutput, signal }
    const startedAt = env.clock.now()
    const { text, usage } = await askForText(env, session, model, { ...question, purpose: 'branch-summary' })
    const touched = files.all()
    const summary = withFileLists(text, touched, MAX_FILE_CHARS)
    return {
      summary,
      summarizedFrom: fitted.pieces.map(({ nodeId }) => nodeId),
      files: touched,
      usage,
      latencyMs: env.clock.now() - startedAt,
    }
  })
}

/** Of the lists of files in a summary; the details have all of them. */
const MAX_FILE_CHARS = 8_000
/** Of a longer branch, only so many of the newest nodes are named. */
const MAX_NAMED = 10_000

/** Notes that somebody else has written, with what is known of the branch beside them. */
export async function takeSummary(session: Session, branch: Stretch, summary: string): Promise<BranchSummary> {
  const ids: string[] = []
  const files = new BranchFiles()
  for await (const item of readBranch(session, branch)) {
    if (ids.length < MAX_NAMED) ids.push(item.nodeId)
    files.add(item)
  }
  return { summary, summarizedFrom: ids.reverse(), files: files.all() }
}
