import type { Entry } from '../entry/entry.ts'
import { Kind } from '../entry/kind.ts'
import { TreelineError } from '../errors.ts'
import { applyOps } from './apply.ts'
import type { EditableTree, EditContext } from './edit-context.ts'
import type { EditOp } from './op.ts'
import { parseOps } from './parse-op.ts'
import type { EditRecord } from './state.ts'

/** A log line that changes how the tree is read. */
export interface EditLine {
  readonly id: string
  readonly kind: Kind
  readonly line: number
  readonly body: Entry
  /** Leaf of the log just before this line. */
  readonly leaf: number
}

/** Applies one edit, label or name line. Returns why it could not be, in which case nothing has changed. */
export function replayEdit(tree: EditableTree, line: EditLine): string | undefined {
  const at = typeof line.body.timestamp === 'string' ? line.body.timestamp : ''
  const context: EditContext = {
    tree,
    opId: line.id,
    at,
    line: line.line,
    leaf: line.leaf,
    changed: new Set(),
    touched: new Set(),
  }
  try {
    const ops = opsOf(line)
    const { inverse } = applyOps(context, ops)
    for (const ref of context.changed) tree.edits.changedAt.set(ref, line.line)
    addRecord(tree, line, storedInverse(line.body) ?? inverse, [...context.touched])
    return undefined
  } catch (error) {
    if (error instanceof TreelineError) return error.message
    throw error
  }
}

function opsOf({ kind, body }: EditLine): readonly EditOp[] {
  if (kind === Kind.label) {
    if (typeof body.targetId !== 'string') throw new TreelineError('invalid_entry', 'The label names no entry.')
    return [{ op: 'label', nodeId: body.targetId, label: textOrNull(body.label) }]
  }
  // A line that names nothing takes a name back (see `toEntry`); an empty name clears it.
  if (kind === Kind.session_info && body.name === undefined) return [{ op: 'name' }]
  if (kind === Kind.session_info) return [{ op: 'name', name: textOrNull(body.name) }]
  if (kind === Kind.title_change) return [{ op: 'name', name: textOrNull(body.title) }]
  const data = dataOf(body)
  // An edit may consist of nothing but leaf moves, which the leaf law reads from the line itself.
  return checked(data.ops).filter((op) => op.op !== 'leaf')
}

/** Stored operations are plain ones: what a caller may leave out is filled in as the planner does. */
function checked(value: unknown): readonly EditOp[] {
  return parseOps(value).map((op) => {
    if (op.op === 'prune') return { include: 'descendants', ...op }
    if (op.op === 'graft') return { mode: 'move', ...op }
    return op.op === 'delete' ? { how: 'subtree', ...op } : op
  }) as readonly EditOp[]
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function storedInverse(body: Entry): readonly EditOp[] | undefined {
  const inverse = dataOf(body).inverse ?? body.inverse
  return Array.isArray(inverse) ? (inverse as readonly EditOp[]) : undefined
}

function dataOf(body: Entry): Readonly<Record<string, unknown>> {
  const data = body.data
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
}

function addRecord(
  { edits }: EditableTree,
  line: EditLine,
  inverse: readonly EditOp[],
  values: readonly string[],
): void {
  // Labels and names carry it on the line itself, edits in their data.
  const data = line.kind === Kind.edit ? dataOf(line.body) : line.body
  const undoes = textOrNull(data.undoes) ?? undefined
  const target = undoes === undefined ? undefined : edits.recordById.get(undoes)
  const stamps = target && new Map(target.touched.map(({ value, before }) => [value, before]))
  const touched = values.map((value) => {
    const before = edits.stamps.get(value) ?? 0
    return { value, before, after: stamps?.get(value) ?? line.line }
  })
  const record: EditRecord = {
    id: line.id,
    line: line.line,
    by: textOrNull(data.by) ?? undefined,
    undoes,
    auto: data.auto === true,
    inverse,
    touched,
    undoneBy: undefined,
  }
  edits.records.push(record)
  edits.recordById.set(record.id, record)
  for (const { value, after } of touched) edits.stamps.set(value, after)
  if (target !== undefined) target.undoneBy = record
}
