import {
  type Entry,
  findIncompleteToolCallsOnPath,
  type IncompleteToolCall,
  Kind,
  linePath,
  ROOT,
  Role,
  runStepsAsync,
  type Tree,
} from '@treeline/core'
import type { Session } from '@treeline/store'
import { ATTEMPT_TYPE } from '../turn/run-calls.ts'
import { readInBatches } from './read-in-batches.ts'
import { writerOf } from './worked-on.ts'

export interface OpenCall extends IncompleteToolCall {
  /** It was noted that it would run now: it may have done so, in part or wholly. */
  readonly wasStarted: boolean
  /** Who announced the answer or has begun the call. */
  readonly writers: readonly (string | undefined)[]
}

/**
 * Calls on the active path that nobody has answered. A call that is answered on another branch was not interrupted: the
 * leaf was put where the result is not.
 */
export async function findOpenCalls(session: Session): Promise<OpenCall[]> {
  const calls = await findUnanswered(session)
  if (calls.length === 0) return []
  const { tree } = session
  const answers = new Map(calls.map(({ nodeId }) => [nodeId, originOf(tree, nodeId)]))
  const sayings = await readSayings(session, new Set(answers.values()))
  const open: OpenCall[] = []
  for (const call of calls) {
    const origin = answers.get(call.nodeId)!
    const said = sayings.get(origin)?.get(call.toolCallId)
    if (said?.isAnswered === true) continue
    const announcedBy = await readAnnouncer(session, origin)
    open.push({
      ...call,
      wasStarted: said !== undefined && said.attempts > 0,
      writers: [announcedBy, ...(said?.writers ?? [])],
    })
  }
  return open
}

/** The line says whether anything is missing, and reads only what would be sent; the path is walked only if so. */
async function findUnanswered(session: Session): Promise<readonly IncompleteToolCall[]> {
  const { leafId, tree } = session
  if (leafId === null) return []
  const { nodes } = await session.line()
  const missing = new Set(
    nodes.filter((node) => node.in && node.repairs?.includes('result_missing')).map(({ nodeId }) => nodeId),
  )
  if (missing.size === 0) return []
  const leaf = tree.ids.find(leafId)
  const path = linePath(tree, leaf)
  const calls = await runStepsAsync(findIncompleteToolCallsOnPath(tree, leaf), (positions) =>
    session.readEntries(positions.map((position) => path.idAt(position))),
  )
  return calls.filter(({ nodeId }) => missing.has(nodeId))
}

/** A copy has its original's calls, and what was said of those. */
function originOf(tree: Tree, nodeId: string): number {
  const ref = tree.ids.find(nodeId)
  return tree.edits.copies.get(ref)?.body ?? ref
}

/** What the log says of a call beside the path. */
interface Said {
  attempts: number
  readonly writers: (string | undefined)[]
  isAnswered: boolean
}

/** By answer, then by call: providers use the same call ids again in other answers. */
async function readSayings(session: Session, answers: ReadonlySet<number>): Promise<Map<number, Map<string, Said>>> {
  const { tree } = session
  const below = listBelow(tree, answers, session.leafId)
  const sayings = new Map<number, Map<string, Said>>()
  for await (const entry of readInBatches(session, [...below.keys()])) {
    const toolCallId = entry.type === 'message' ? answeredId(entry) : attemptedId(entry)
    if (toolCallId === undefined) continue
    const answer = below.get(entry.id)!
    const calls = sayings.get(answer) ?? new Map<string, Said>()
    const said = calls.get(toolCallId) ?? { attempts: 0, writers: [], isAnswered: false }
    if (entry.type === 'message') said.isAnswered = true
    else {
      said.attempts++
      said.writers.push(writerOf(entry.data))
    }
    sayings.set(answer, calls.set(toolCallId, said))
  }
  return sayings
}

/** Notes and results that hang under these answers, before anything else was said there; results of the path left out. */
function listBelow(tree: Tree, answers: ReadonlySet<number>, leafId: string | null): Map<string, number> {
  const { columns, ids } = tree
  const { kind, role } = columns
  const onPath = new Set(linePath(tree, leafId === null ? ROOT : ids.find(leafId)).refs)
  const answerOf = new Map<number, number>()
  const below = new Map<string, number>()
  let first = tree.rowCount
  for (const ref of answers) first = Math.min(first, columns.rowOf[ref]!)
  for (let row = Math.max(0, first); row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    const isResult = role[ref] === Role.toolResult
    if (ref <= ROOT || (kind[ref] === Kind.message && !isResult)) continue
    const above = tree.above(ref)
    const answer = answers.has(above) ? above : answerOf.get(above)
    if (answer === undefined) continue
    answerOf.set(ref, answer)
    if (kind[ref] === Kind.treeline || (isResult && !onPath.has(ref))) below.set(ids.textOf(ref), answer)
  }
  return below
}

function answeredId({ message }: Entry): string | undefined {
  return asText((message as { readonly toolCallId?: unknown } | undefined)?.toolCallId)
}

function attemptedId({ customType, data }: Entry): string | undefined {
  if (customType !== ATTEMPT_TYPE) return undefined
  return asText((data as { readonly toolCallId?: unknown } | undefined)?.toolCallId)
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

async function readAnnouncer(session: Session, answer: number): Promise<string | undefined> {
  const { tree } = session
  const row = tree.orderOf(answer)
  if (row < 0 || row === tree.columns.rowOf[answer]) return undefined
  const line = await session.readEntry(tree.ids.textOf(tree.refAtRow(row)))
  return writerOf(line?.data)
}
