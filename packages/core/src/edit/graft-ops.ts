import { TreelineError } from '../errors.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import {
  dropLeafTo,
  type EditContext,
  findGenerating,
  idOf,
  idOrNull,
  refuseGenerating,
  resolveNode,
  resolveParent,
  touch,
} from './edit-context.ts'
import type { EditOp, OpOf } from './op.ts'
import { regraft, takeUp } from './stash-ops.ts'
import type { CopyState, UncopiedState } from './state.ts'

/** X43, X44: moves or copies a subtree under a target, at an index, or between the target and its children. */
export function graft(context: EditContext, op: OpOf<'graft'>): EditOp[] {
  const takenAway = op.mode === 'copy' ? findTakenAway(context, op) : undefined
  if (takenAway !== undefined) return bringBack(context, op, takenAway)
  const source = resolveNode(context, op.sourceId)
  const target = resolveParent(context, op.targetId)
  if (op.insertBetween && target === ROOT) {
    throw new TreelineError('validation_failed', '"insertBetween" needs a target node to insert under.')
  }
  return op.mode === 'copy' ? graftCopy(context, op, source, target) : graftMove(context, op, source, target)
}

function findTakenAway(context: EditContext, op: OpOf<'graft'>): readonly UncopiedState[] | undefined {
  const { ids, edits, columns } = context.tree
  const copyId = op.idMap === undefined ? undefined : new Map(Object.entries(op.idMap)).get(op.sourceId)
  const nodes = copyId === undefined ? undefined : edits.uncopied.get(ids.find(copyId))
  const isFree = nodes?.every(({ ref }) => !columns.has(ref, Flag.known))
  return isFree && nodes?.[0]?.copy.original === ids.find(op.sourceId) ? nodes : undefined
}

/** Makes a copy again just as it was when it was taken away, whatever has become of the original since. */
function bringBack(context: EditContext, op: OpOf<'graft'>, nodes: readonly UncopiedState[]): EditOp[] {
  const { columns, edits } = context.tree
  const target = resolveParent(context, op.targetId)
  const top = nodes[0] as UncopiedState
  for (const { ref, parent, copy, flags, meta } of nodes) {
    columns.flags[ref] = flags
    edits.copies.set(ref, copy)
    if (meta !== undefined) edits.meta.set(ref, meta)
    columns.insert(ref, ref === top.ref ? target : parent, ref === top.ref ? op.index : undefined)
    touch(context, ref, 'place')
  }
  edits.uncopied.delete(top.ref)
  touch(context, target)
  return [{ op: 'uncopy', nodeId: idOf(context, top.ref) }]
}

function graftMove(context: EditContext, op: OpOf<'graft'>, source: number, target: number): EditOp[] {
  const { columns } = context.tree
  if (target !== ROOT && columns.isWithin(target, source)) {
    const nodeIds = [op.sourceId, op.targetId as string]
    throw new TreelineError('cycle', `Node ${nodeIds[1]} is part of what hangs under ${nodeIds[0]}.`, { nodeIds })
  }
  const tail = op.insertBetween ? linearTail(context, source) : source
  const { parent, putBack } = takeUp(context, source)
  const displaced = op.insertBetween ? columns.children(target) : []
  columns.insert(source, target, op.index)
  touch(context, source, 'place')
  touch(context, target)
  for (const child of displaced) moveUnder(context, child, tail)
  dropLeafTo(context, Math.max(ROOT, parent))
  // Children go home first, so that the leaf below them is never cut off on the way.
  return [...displaced.map((child, i) => regraft(context, child, target, i + 1)), putBack]
}

function moveUnder(context: EditContext, child: number, parent: number): void {
  const { columns } = context.tree
  columns.remove(child)
  columns.insert(child, parent)
  touch(context, child, 'place')
  touch(context, parent)
}

/** The last node of a source that never branches. */
function linearTail(context: EditContext, source: number): number {
  const { columns } = context.tree
  let tail = source
  while (columns.childCount(tail) === 1) tail = columns.firstChild[tail]!
  if (columns.firstChild[tail] === 0) return tail
  const id = idOf(context, source)
  throw new TreelineError('fragment_not_linear', `What hangs under ${id} branches, so it cannot be put in between.`, {
    nodeIds: [id],
  })
}

function graftCopy(context: EditContext, op: OpOf<'graft'>, source: number, target: number): EditOp[] {
  const { columns, ids, edits } = context.tree
  refuseGenerating(context, findGenerating(context, source))
  const idMap = new Map(Object.entries(op.idMap ?? {}))
  if (!idMap.has(op.sourceId)) {
    throw new TreelineError('validation_failed', `A copy needs a new id for node ${op.sourceId}.`, {
      nodeIds: [op.sourceId],
    })
  }
  const originals = copiedNodes(context, source, idMap)
  if (op.insertBetween) linearTail(context, source)
  refuseTakenIds(
    context,
    originals.map((original) => idMap.get(idOf(context, original)) as string),
  )
  const copyOf = new Map<number, number>()
  const displaced = op.insertBetween ? columns.children(target) : []
  let copy = ROOT
  for (const original of originals) {
    copy = ids.internText(idMap.get(idOf(context, original)) as string)
    columns.ensure(ids.count)
    copyOf.set(original, copy)
    columns.flags[copy] = Flag.known | Flag.node | Flag.copy | (columns.flags[original]! & Flag.muted)
    columns.rowOf[copy] = -1
    columns.kind[copy] = columns.kind[original]!
    columns.role[copy] = columns.role[original]!
    const body = edits.copies.get(original)?.body ?? original
    edits.copies.set(copy, { original, body, anchorId: context.opId, line: context.line })
    if (original === source) columns.insert(copy, target, op.index)
    else columns.insert(copy, copyOf.get(columns.parent[original]!) as number)
    touch(context, copy, 'place')
  }
  touch(context, target)
  for (const child of displaced) moveUnder(context, child, copy)
  const uncopy: EditOp = { op: 'uncopy', nodeId: idMap.get(op.sourceId) as string }
  return [...displaced.map((child, i) => regraft(context, child, target, i + 1)), uncopy]
}

/** The nodes to copy, parents first, listed before anything is inserted: a copy may go into its own source. */
function copiedNodes(context: EditContext, source: number, idMap: ReadonlyMap<string, string>): number[] {
  const { columns } = context.tree
  const taken = new Set<number>()
  for (const ref of columns.subtree(source)) {
    if ((ref === source || taken.has(columns.parent[ref]!)) && idMap.has(idOf(context, ref))) taken.add(ref)
  }
  return [...taken]
}

function refuseTakenIds(context: EditContext, newIds: readonly string[]): void {
  const seen = new Set<string>()
  for (const id of newIds) {
    const ref = context.tree.ids.find(id)
    if (seen.has(id) || (ref > ROOT && context.tree.columns.has(ref, Flag.known))) {
      throw new TreelineError('id_in_use', `The id ${id} is taken by another entry of this session.`, { nodeIds: [id] })
    }
    seen.add(id)
  }
}

/** Takes a copy away as if it had never been; refused when somebody has replied under it. */
export function uncopy(context: EditContext, op: OpOf<'uncopy'>): EditOp[] {
  const { columns, edits } = context.tree
  const top = resolveNode(context, op.nodeId)
  const copies = [...columns.subtree(top)]
  const madeAt = edits.copies.get(top)?.line
  const foreign = copies.find((ref) => madeAt === undefined || edits.copies.get(ref)?.line !== madeAt)
  if (foreign !== undefined) {
    const nodeIds = [idOf(context, foreign)]
    throw new TreelineError('stale_node', `Node ${nodeIds[0]} hangs under the copy by now. Move it away first.`, {
      nodeIds,
    })
  }
  const parent = columns.parent[top]!
  const above = edits.fragments.get(top)?.fromParent ?? parent
  const idMap: Record<string, string> = Object.create(null)
  for (const ref of copies) idMap[idOf(context, originalOf(context, ref))] = idOf(context, ref)
  const redo: EditOp = {
    op: 'graft',
    sourceId: idOf(context, originalOf(context, top)),
    targetId: idOrNull(context, Math.max(ROOT, parent)),
    mode: 'copy',
    index: columns.indexOf(top),
    idMap: { ...idMap },
  }
  columns.remove(top)
  touch(context, Math.max(ROOT, parent))
  dropLeafTo(context, Math.max(ROOT, parent))
  edits.uncopied.set(
    top,
    copies.map((ref) => ({
      ref,
      parent: columns.parent[ref]!,
      copy: edits.copies.get(ref) as CopyState,
      flags: columns.flags[ref]! & ~Flag.detached,
      meta: edits.meta.get(ref),
    })),
  )
  for (const ref of copies.toReversed()) if (ref !== top) columns.remove(ref)
  for (const ref of copies) {
    columns.takeAway(ref, above)
    edits.copies.delete(ref)
    edits.fragments.delete(ref)
    edits.meta.delete(ref)
    touch(context, ref, 'place')
  }
  return [redo]
}

function originalOf(context: EditContext, copy: number): number {
  return context.tree.edits.copies.get(copy)?.original ?? ROOT
}
