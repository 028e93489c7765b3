import { type EntryDraft, Flag, type Line, ROOT, Role, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import { chooseModelRef } from '../models/choose-model.ts'
import type { ThinkingLevel } from '../models/model.ts'
import { EventQueue } from '../turn/event-queue.ts'
import type { TurnEvent } from '../turn/events.ts'
import { readLine } from '../turn/request.ts'
import { truncateLine } from '../turn/truncate-line.ts'
import { type TurnRequest, takeTurn } from '../turn/turn.ts'
import { announceAll } from './announce-all.ts'
import { type Seat, takeSeat } from './seat.ts'

/** One of the answers wanted. */
export interface GenerateSpec {
  readonly model?: string | undefined
  readonly thinking?: ThinkingLevel | undefined
  /** Tokens for what it says; by default what the model allows. */
  readonly maxOutput?: number | undefined
  /** A client's own id for the answer's node. */
  readonly nodeId?: string | undefined
  /** Where the model has no room for all of it, the oldest turns are left out, also of what follows its tools. */
  readonly truncates?: boolean | undefined
}

export interface GenerateRequest {
  /** What is to be answered. Of an answer it means: once more, beside it. */
  readonly parentId: string | null
  /**
   * Said first, under the parent: then this is what is answered. It and the places of its answers are written one behind
   * the other. Its id must be new.
   */
  readonly message?: (EntryDraft & { readonly id: string }) | undefined
  /** The version the caller looked at: refused when the parent has changed since (C2). */
  readonly baseVersion?: number | undefined
  /** One by default; several are generated side by side. */
  readonly specs?: readonly GenerateSpec[] | undefined
  /** The first one becomes where the conversation goes on. By default the trunk does not move. */
  readonly activate?: boolean | undefined
  /** False: refused when one of them would have to wait for its turn. */
  readonly mayWait?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export interface GenerationEvent {
  /** The node of the answer that it began with. */
  readonly generationId: string
  readonly event: TurnEvent
}

export interface GenerationEnd {
  readonly generationId: string
  /** Set when the store failed; what went wrong with the model is in the tree. */
  readonly error?: unknown
}

/** Answers on their way. They go on whether somebody listens or not. */
export interface Generations {
  /** Nodes that are in the log already, in the order asked for. */
  readonly nodeIds: readonly string[]
  /** What happens to all of them, until the last has ended. For one listener. */
  readonly events: AsyncGenerator<GenerationEvent>
  /** Whether it waits in line and no model has been asked. */
  isWaiting(generationId: string): boolean
  /** Never rejects. */
  readonly done: Promise<readonly GenerationEnd[]>
  /** Cancels one, or all. */
  cancel(generationId?: string): void
}

/**
 * Generates answers to one node, side by side and beside whatever else is being generated: each updates its own node
 * (T20, T21). Their places are in the log when this resolves, and what they are given is settled: edits that come later
 * do not change it. Those beyond the limits wait in line. In the stash they answer what hangs there, and go on there.
 */
export async function generate(env: AgentEnv, session: Session, request: GenerateRequest): Promise<Generations> {
  const { specs = [{}], activate = false, signal, message, baseVersion } = request
  const aboveId = message === undefined ? findAsked(session, request.parentId) : request.parentId
  if (specs.length === 0)
    throw new TreelineError('validation_failed', 'Say which answers are wanted: the list is empty.')
  if (message !== undefined && specs.some(({ nodeId }) => nodeId === message.id)) {
    const text = `The id ${message.id} is that of the message: its answer needs another.`
    throw new TreelineError('id_in_use', text, { nodeIds: [message.id] })
  }
  env.pool.refuseFull(specs.length, session.id, request.mayWait)
  // At once, so that nobody else is promised the same room.
  const seats = specs.map(() => takeSeat(env, session, signal))
  try {
    const before = await session.line({ leafId: aboveId, inStash: true })
    const modelRefs = await chooseModels(env, before, specs)
    const parentId = message === undefined ? aboveId : message.id
    const seen = message === undefined ? { baseVersion } : {}
    const wanted = specs.map(({ nodeId }, i) => {
      return { nodeId, parentId, modelRef: modelRefs[i]!, leaf: moveIf(activate && i === 0), ...seen }
    })
    const place = { parentId: aboveId, leaf: moveIf(activate), baseVersion }
    const say = message && (() => session.append(message, place))
    const nodeIds = await announceAll(env, session, wanted, say)
    // Where it cannot be read, each answer says so.
    const whole = await readLine(env, session, parentId).catch(() => undefined)
    const lines = await Promise.all(
      specs.map(({ truncates }, i) => (truncates && whole ? fit(env, session, parentId, whole, modelRefs[i]!) : whole)),
    )
    const turns = specs.map(({ thinking, maxOutput, truncates }, i) => {
      const turn = { parentId, model: modelRefs[i]!, thinking, maxOutput, truncates, line: lines[i], inStash: true }
      return { ...turn, nodeId: nodeIds[i]!, seat: seats[i]! }
    })
    return start(env, session, turns)
  } catch (error) {
    for (const seat of seats) seat.leave()
    throw error
  }
}

/** Where it cannot be made to fit, each answer says so. */
async function fit(env: AgentEnv, session: Session, tipId: string | null, line: Line, modelRef: string): Promise<Line> {
  try {
    const { info } = await env.models.open(modelRef)
    return (await truncateLine(env, session, { tipId, line, model: info })).line
  } catch (error) {
    if (error instanceof TreelineError) return line
    throw error
  }
}

type OwnTurn = TurnRequest & { readonly nodeId: string; readonly seat: Seat }

function start(env: AgentEnv, session: Session, turns: readonly OwnTurn[]): Generations {
  const queue = new EventQueue<GenerationEvent>()
  const runs = turns.map(async ({ seat, ...turn }): Promise<GenerationEnd> => {
    const { nodeId: generationId } = turn
    const { place, signal } = seat
    try {
      await takeTurn(env, session, { ...turn, place, signal }, (event) => queue.push({ generationId, event }))
      return { generationId }
    } catch (error) {
      return { generationId, error }
    } finally {
      seat.leave()
    }
  })
  return {
    nodeIds: turns.map(({ nodeId }) => nodeId),
    events: queue.drain(),
    isWaiting: (id) => turns.some(({ nodeId, seat }) => nodeId === id && seat.isWaiting()),
    done: Promise.all(runs).finally(() => queue.end()),
    cancel(generationId) {
      for (const { nodeId, seat } of turns) if (generationId === undefined || nodeId === generationId) seat.stop()
    },
  }
}

function moveIf(isWanted: boolean): 'move' | 'stay' {
  return isWanted ? 'move' : 'stay'
}

/** An answer is not answered: asking for one means another beside it. */
function findAsked({ tree }: Session, nodeId: string | null): string | null {
  if (nodeId === null) return null
  const { columns, ids } = tree
  const ref = ids.find(nodeId)
  if (ref <= ROOT || !columns.has(ref, Flag.known)) {
    throw new TreelineError('node_not_found', `There is no node ${nodeId} in this session to answer.`, {
      nodeIds: [nodeId],
    })
  }
  const isAnswer =
    columns.has(ref, Flag.node) && (columns.role[ref] === Role.assistant || columns.has(ref, Flag.generating))
  if (!isAnswer) return nodeId
  const parent = columns.parent[ref]!
  return parent <= ROOT ? null : ids.textOf(parent)
}

async function chooseModels(env: AgentEnv, { state }: Line, specs: readonly GenerateSpec[]): Promise<string[]> {
  const { settings, models: catalogue } = env
  const byPath = specs.some(({ model }) => model === undefined)
    ? await chooseModelRef({ models: state.models, settings, catalogue })
    : ''
  return specs.map(({ model }) => model ?? byPath)
}
