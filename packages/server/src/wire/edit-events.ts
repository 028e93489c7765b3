import { type EditOp, ROOT, type Tree } from '@treeline/core'
import type { DurableEvent } from '@treeline/protocol'
import { findNode, subtreeIds, toEventNodes } from './event-nodes.ts'
import { objectOr } from './json.ts'
import { metadataOf } from './node-metadata.ts'
import { fragmentsAmong, prunedFragments } from './pruned-fragments.ts'
import { idOrNull } from './to-node.ts'
import type { BodyOf } from './with-bodies.ts'

/** What happened, without when and to which session. */
export type EventBody = DurableEvent extends infer E
  ? E extends DurableEvent
    ? Omit<E, 'seq' | 'version' | 'ts' | 'sessionId' | 'cause'>
    : never
  : never

/** A line that changes how the tree is read, as its own words say it. */
export interface EditLine {
  readonly id: string
  readonly at: string
  readonly ops: readonly EditOp[]
  readonly inverse: readonly EditOp[]
  /** What the session is called when nobody has named it. */
  readonly headerTitle: string
}

type OpOf<T extends EditOp['op']> = Extract<EditOp, { readonly op: T }>

/** Pasted texts and images may be megabytes, and only a prompt that is being written needs them. */
const LARGE_SETTINGS: readonly string[] = ['pastedTextMap', 'pastedImageMap']

/** The events of an edit: of each operation in its order, then what is now enabled and what the session is called. */
export function editEvents(tree: Tree, line: EditLine, bodyOf: BodyOf): EventBody[] {
  const enabled = new Map<string, boolean>()
  const patch: Record<string, unknown> = {}
  const events = line.ops.flatMap((op): readonly EventBody[] => {
    switch (op.op) {
      case 'mute':
      case 'unmute':
        for (const id of op.nodeIds) enabled.set(id, op.op === 'unmute')
        return []
      case 'name':
        patch.title = op.name === undefined ? line.headerTitle : (op.name ?? '')
        return []
      case 'session':
        Object.assign(patch, op.patch)
        return []
      case 'config':
        patch.config = { ...objectOr(patch.config), ...withoutLarge(op.patch) }
        return []
      default:
        return eventOf(tree, line, op, bodyOf)
    }
  })
  const patches = [...enabled].map(([id, isEnabled]) => ({ id, isEnabled }))
  return [
    ...events,
    ...(patches.length > 0 ? [{ type: 'nodes.state.updated' as const, patches }] : []),
    ...(Object.keys(patch).length > 0 ? [{ type: 'session.updated' as const, patch }] : []),
  ]
}

function eventOf(tree: Tree, line: EditLine, op: EditOp, bodyOf: BodyOf): readonly EventBody[] {
  switch (op.op) {
    case 'prune':
      return [{ type: 'tree.pruned', nodeId: op.nodeId, fragments: prunedFragments(tree, line, op, bodyOf) }]
    case 'graft':
      return [grafted(tree, line, op, bodyOf), ...(op.targetId === null ? [order(tree, ROOT)] : [])]
    case 'delete':
      return [{ type: 'nodes.deleted', ids: [...op.nodeIds], how: op.how }, ...adopted(tree, op, bodyOf)]
    case 'uncopy':
      return [{ type: 'nodes.deleted', ids: [op.nodeId], how: 'subtree' }]
    case 'restore': {
      const nodes = toEventNodes(tree, restoredIds(tree, op), bodyOf)
      const isRoot = op.nodeIds.some((id) => tree.columns.parent[findNode(tree, id) ?? -1] === ROOT)
      return [{ type: 'nodes.restored', nodes }, ...(isRoot ? [order(tree, ROOT)] : [])]
    }
    case 'reorder':
      return [{ type: 'tree.reordered', parentId: op.parentId, childrenIds: [...op.childrenIds] }]
    case 'meta':
    case 'label':
      return described(tree, op.nodeId, bodyOf)
    default:
      // Where the leaf is, the caller knows; what was added has lines of its own.
      return []
  }
}

/** Where the children of a node went that was taken out: to its parent, or each into the stash when it was there. */
function adopted(tree: Tree, { how, nodeIds }: OpOf<'delete'>, bodyOf: BodyOf): EventBody[] {
  if (how !== 'splice') return []
  const parents = new Set<number>()
  const cut: EventBody[] = []
  for (const nodeId of nodeIds) {
    const deleted = tree.edits.deleted.get(findNode(tree, nodeId) ?? ROOT)
    if (deleted === undefined) continue
    if (deleted.fragment === undefined) parents.add(deleted.parent)
    else cut.push({ type: 'tree.pruned', nodeId, fragments: fragmentsAmong(tree, deleted.adopted ?? [], bodyOf) })
  }
  return [...cut, ...[...parents].map((parent) => order(tree, parent))]
}

/** How the children of a node stand now. Nodes say it themselves, of the roots nobody else does. */
function order(tree: Tree, parent: number): EventBody {
  const childrenIds = tree.columns.children(parent).map((ref) => tree.ids.textOf(ref))
  return { type: 'tree.reordered', parentId: idOrNull(tree, parent), childrenIds }
}

/** A label may stand on what is no node. */
function described(tree: Tree, id: string, bodyOf: BodyOf): EventBody[] {
  const ref = findNode(tree, id)
  if (ref === undefined) return []
  return [{ type: 'node.metadata.updated', id, metadata: metadataOf(tree, ref, bodyOf(id)) ?? {} }]
}

function grafted(tree: Tree, line: EditLine, op: OpOf<'graft'>, bodyOf: BodyOf): EventBody {
  const { sourceId, targetId, mode, idMap } = op
  const ids =
    mode === 'copy' ? [targetId, ...Object.values(idMap ?? {})] : [sourceId, targetId, ...leftBy(line, sourceId)]
  const nodes = toEventNodes(tree, [...ids, ...(op.insertBetween ? displacedBy(tree, line, op) : [])], bodyOf)
  return { type: 'tree.grafted', sourceId, targetId, mode, nodes, ...(idMap && { idMap: { ...idMap } }) }
}

/** The parents a node had before, as the way back tells. */
function leftBy({ inverse }: EditLine, sourceId: string): (string | null)[] {
  return inverse.flatMap((op) => (op.op === 'graft' && op.sourceId === sourceId ? [op.targetId] : []))
}

/** Those that went under what was put above them, and that. */
function displacedBy(tree: Tree, { inverse }: EditLine, { targetId }: OpOf<'graft'>): (string | null)[] {
  return inverse.flatMap((op) => {
    if (op.op !== 'graft' || op.targetId !== targetId) return []
    const ref = findNode(tree, op.sourceId)
    return ref === undefined ? [] : [op.sourceId, idOrNull(tree, tree.columns.parent[ref]!)]
  })
}

function* restoredIds(tree: Tree, { nodeIds }: OpOf<'restore'>): Generator<string | null> {
  for (const id of nodeIds) {
    const ref = findNode(tree, id)
    if (ref !== undefined) yield idOrNull(tree, tree.columns.parent[ref]!)
  }
  for (const id of nodeIds) yield* subtreeIds(tree, id)
}

function withoutLarge(patch: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !LARGE_SETTINGS.includes(key)))
}
