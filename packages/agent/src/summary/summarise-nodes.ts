import { Flag, newEntryId, nodePath, ROOT, type Tree, TreelineError, type Usage } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import type { Model } from '../models/model.ts'
import type { Stretch } from './branch-messages.ts'
import { summariseBranch } from './summarise-branch.ts'
import { findTarget, leafRef, moveFrom, refuseGenerating } from './target.ts'

export interface SummariseRequest {
  /** What is summed up: these nodes, or those of a path from one down to another. */
  readonly nodeIds: readonly string[] | { readonly fromId: string; readonly toId: string }
  /** The nodes are muted in the same write, so that the summary stands in their place. */
  readonly mute: boolean
  /** At the end of the conversation, or behind the last of the nodes, above what follows it. */
  readonly placement: 'leaf' | 'inline'
  /** What the person wants the summary to be about. */
  readonly instructions?: string | undefined
  readonly model: Model
  readonly signal: AbortSignal
  readonly by?: string | undefined
  /** Of the summary's node; a new one by default. */
  readonly id?: string | undefined
  /** Told when all is well and the model is asked next. */
  readonly onBegin?: (() => void) | undefined
}

export interface Summarised {
  readonly nodeId: string
  readonly usage?: Usage
}

const SUMMARY_TYPE = 'treeline/summary'
const TASK = `Sum up this part of the conversation, so that the summary can stand in its place. \
Say what was wanted, what was found out, decided or produced. Keep names, paths, commands, numbers and error messages \
exactly as they are. Be brief, and do not tell what happened turn by turn.`

/**
 * Puts a summary of some nodes into the tree, and mutes them if asked to (T17). One write and one undo. When the model
 * fails, nothing is written, so that nothing is muted without its summary.
 */
export async function summariseNodes(env: AgentEnv, session: Session, request: SummariseRequest): Promise<Summarised> {
  const { placement, model, signal, by, instructions = '' } = request
  const fromId = session.leafId
  const sources = findSources(session, request.nodeIds)
  const lastId = sources.tree.ids.textOf(sources.nodes[0]!)
  const target = findTarget(session.tree, placement === 'leaf' ? fromId : lastId)
  refuseGenerating(session.tree, target)
  request.onBegin?.()
  const wanted = instructions.trim()
  const task = wanted === '' ? TASK : `${TASK}\n\nThe person asks you to see to this above all: ${wanted}`
  const made = await summariseBranch(env, session, sources, {
    ...{ model, signal },
    ...{ instructions: task, replaceInstructions: true },
  })
  signal.throwIfAborted()
  if (made === undefined) throw nothingToSumUp()
  const { summary, summarizedFrom, files, usage, latencyMs } = made
  const { id = newEntryId((taken) => session.tree.ids.find(taken) > ROOT) } = request
  const draft = {
    type: 'custom_message',
    id,
    customType: SUMMARY_TYPE,
    content: `What was said in a part of this conversation, in short:\n\n${summary}`,
    display: true,
    details: { ...files, summarizedFrom, usage, latencyMs },
  }
  const mute = request.mute ? sources.nodes.map((ref) => sources.tree.ids.textOf(ref)) : []
  await session.append(draft, {
    parentId: target.id,
    leaf: placement === 'leaf' ? moveFrom(session, fromId) : { ifAt: lastId },
    undoable: { children: 'splice', by, mute, adopt: placement === 'inline' },
  })
  return { nodeId: id, ...(usage !== undefined && { usage }) }
}

function findSources(session: Session, asked: SummariseRequest['nodeIds']): Stretch {
  const { tree } = session
  const nodes = 'fromId' in asked ? findRange(tree, asked) : findNodes(session, asked)
  const told = nodes.filter((ref) => !tree.columns.has(ref, Flag.generating))
  if (told.length === 0) throw nothingToSumUp()
  return { tree, nodes: told, leaf: told[0]! }
}

/** Newest first, as on the trunk where they are on it. */
function findNodes({ tree, leafId }: Session, ids: readonly string[]): number[] {
  const refs = [...new Set(ids)].map((id) => resolveNode(tree, id))
  const place = new Map(nodePath(tree, leafRef(tree, leafId)).map((ref, i) => [ref, i]))
  const isOnTrunk = refs.every((ref) => place.has(ref))
  const order = (ref: number): number => (isOnTrunk ? place.get(ref)! : tree.orderOf(ref))
  return refs.sort((a, b) => order(b) - order(a))
}

function findRange(tree: Tree, { fromId, toId }: { readonly fromId: string; readonly toId: string }): number[] {
  const from = resolveNode(tree, fromId)
  const path = nodePath(tree, resolveNode(tree, toId))
  const at = path.indexOf(from)
  if (at >= 0) return path.slice(at).reverse()
  const message = `Node ${fromId} is not above ${toId}. Name the upper end of the range first.`
  throw new TreelineError('validation_failed', message, { nodeIds: [fromId, toId] })
}

function resolveNode(tree: Tree, id: string): number {
  const ref = tree.ids.find(id)
  if (ref > ROOT && tree.columns.has(ref, Flag.node)) findTarget(tree, id)
  else throw new TreelineError('node_not_found', `There is no node ${id} in this session.`, { nodeIds: [id] })
  return ref
}

function nothingToSumUp(): TreelineError {
  return new TreelineError('validation_failed', 'There is nothing in these nodes to sum up: they are muted or empty.')
}
