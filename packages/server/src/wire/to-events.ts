import { type EditOp, type Entry, Kind, placeOf, type Tree } from '@treeline/core'
import type { DurableEvent } from '@treeline/protocol'
import { approvalEvent } from './approval-event.ts'
import { type EventBody, editEvents } from './edit-events.ts'
import { jobEvent } from './job-event.ts'
import { listOr, objectOr, textOr } from './json.ts'
import { generationIdOf } from './node-metadata.ts'
import { outcomeOf } from './node-outcome.ts'
import { timeAtRow } from './node-time.ts'
import { toNewNode } from './to-new-node.ts'
import { toNode } from './to-node.ts'
import type { BodyOf } from './with-bodies.ts'

/** One line of the log, for those who follow it. */
export interface LogLine {
  readonly sessionId: string
  /** What the header calls the session. */
  readonly headerTitle?: string | undefined
  readonly row: number
  /** `undefined` where the bytes are damaged. */
  readonly entry: Entry | undefined
  /** The active leaf before and after the line, where that is known. */
  readonly leaf?: { readonly before: string | null; readonly after: string | null } | undefined
  readonly cause?: DurableEvent['cause']
}

type LeafReason = Extract<DurableEvent, { type: 'active_leaf.updated' }>['reason']

const KIND_NAMES = new Map<number, string>(Object.entries(Kind).map(([name, kind]) => [kind, name]))
/** What may go better at the next try. */
const RETRYABLE: readonly unknown[] = ['provider_error', 'rate_limited', 'interrupted', 'cancelled']

/**
 * What a line means to clients, all of it under the line's number; at least one event, so that no number is missed. A
 * new node is told as its line brought it, one that was changed as it is now: what comes later says so again.
 */
export function toEvents(tree: Tree, line: LogLine, bodyOf: BodyOf): DurableEvent[] {
  const { row, sessionId } = line
  const cause = causeOf(tree, line)
  const bodies = [...happened(tree, line, bodyOf), ...leafEvents(tree, line)]
  const seq = tree.heads.line[row]!
  const envelope = { seq, version: seq, ts: timeAtRow(tree, row), sessionId, ...(cause && { cause }) }
  const told = bodies.length > 0 ? bodies : [appended(tree, line)]
  return told.map((body) => ({ ...envelope, ...body }) as DurableEvent)
}

/** What the log says of an edit, so that it can be undone by name also after a restart, and what was noted beside it. */
function causeOf(tree: Tree, { row, cause }: LogLine): DurableEvent['cause'] {
  if (placeOf(tree.heads.kind[row]! as Kind) === 'node') return cause
  const record = tree.edits.recordById.get(tree.ids.textOf(tree.refAtRow(row)))
  // What Treeline writes by itself belongs to something else.
  if (record === undefined || record.auto) return cause
  const { id: opId, by: actor, undoes } = record
  return { opId, ...(actor !== undefined && { actor }), ...(undoes !== undefined && { undoes }), ...cause }
}

/** The nodes whose bodies `toEvents` asks for. */
export function nodesOfEvents(tree: Tree, line: LogLine): ReadonlySet<string> {
  const asked = new Set<string>()
  toEvents(tree, line, (id) => {
    asked.add(id)
    return undefined
  })
  return asked
}

function happened(tree: Tree, line: LogLine, bodyOf: BodyOf): readonly EventBody[] {
  const { row, entry } = line
  const ref = tree.refAtRow(row)
  const kind = tree.heads.kind[row]! as Kind
  // Of several lines with one id, one counts.
  if (tree.columns.rowOf[ref] !== row) return []
  if (kind === Kind.generation) {
    const node = tree.generationNode(ref)
    return node === undefined
      ? []
      : [{ type: 'node.created', node: toNewNode(tree, node, { row, entry, isGenerating: true }) }]
  }
  if (placeOf(kind) === 'node') {
    const isEnd = generationIdOf(tree, ref) !== undefined
    return [isEnd ? ended(tree, ref, entry) : created(tree, ref, row, entry)]
  }
  if (entry === undefined) return []
  const own = kind === Kind.treeline ? (approvalEvent(entry) ?? jobEvent(entry)) : undefined
  return own === undefined ? edited(tree, line, entry, bodyOf) : [own]
}

function created(tree: Tree, ref: number, row: number, entry: Entry | undefined): EventBody {
  return { type: 'node.created', node: toNewNode(tree, ref, { row, entry, isGenerating: false }) }
}

function ended(tree: Tree, ref: number, entry: Entry | undefined): EventBody {
  const node = toNode(tree, ref, entry)
  const { status, code = 'internal', error = '' } = outcomeOf(entry)
  if (status !== 'error') return { type: 'node.completed', node }
  const detail = textOr(objectOr(entry?.message).errorMessage) || error
  return { type: 'node.failed', node, problem: { code, detail, retryable: RETRYABLE.includes(code) } }
}

/** Nothing for a line that is no edit, and for one that could not be carried out. */
function edited(tree: Tree, line: LogLine, entry: Entry, bodyOf: BodyOf): readonly EventBody[] {
  const id = tree.ids.textOf(tree.refAtRow(line.row))
  const record = tree.edits.recordById.get(id)
  if (record === undefined) return []
  const isNamed = record.touched.some(({ value }) => value === 'name')
  const ops = opsOf(entry).filter((op) => op.op !== 'name' || isNamed)
  const { headerTitle = '' } = line
  return editEvents(tree, { id, at: entry.timestamp, ops, inverse: record.inverse, headerTitle }, bodyOf)
}

/** As the tree reads them, with what a writer may leave out. */
function opsOf(entry: Entry): EditOp[] {
  switch (entry.type) {
    case 'label':
      return [{ op: 'label', nodeId: textOr(entry.targetId), label: textOr(entry.label) || null }]
    case 'session_info':
      return [entry.name === undefined ? { op: 'name' } : { op: 'name', name: textOr(entry.name).trim() }]
    case 'title_change':
      return [{ op: 'name', name: textOr(entry.title).trim() }]
    default:
      return listOr(objectOr(entry.data).ops).map(
        (op) => ({ ...DEFAULTS.get(objectOr(op).op), ...objectOr(op) }) as EditOp,
      )
  }
}

const DEFAULTS: ReadonlyMap<unknown, object> = new Map<unknown, object>([
  ['prune', { include: 'descendants' }],
  ['graft', { mode: 'move' }],
  ['delete', { how: 'subtree' }],
])

function leafEvents(tree: Tree, { row, entry, leaf }: LogLine): EventBody[] {
  if (leaf === undefined || leaf.before === leaf.after) return []
  const reason = leafReason(tree.heads.kind[row]! as Kind, entry)
  return [{ type: 'active_leaf.updated', activeLeafId: leaf.after, previous: leaf.before, reason }]
}

function leafReason(kind: Kind, entry: Entry | undefined): LeafReason {
  if (kind === Kind.compaction) return 'compaction'
  // What Treeline writes beside an append belongs to it.
  if (kind !== Kind.edit || objectOr(entry?.data).auto === true) return 'send'
  const done = new Set(entry === undefined ? [] : opsOf(entry).map(({ op }) => op))
  if (done.has('delete') || done.has('uncopy')) return 'delete'
  return done.has('prune') || done.has('graft') ? 'prune' : 'user'
}

function appended(tree: Tree, { row, entry }: LogLine): EventBody {
  const entryType = entry?.type ?? KIND_NAMES.get(tree.heads.kind[row]!) ?? 'other'
  return { type: 'entry.appended', entryId: tree.ids.textOf(tree.refAtRow(row)), entryType }
}
