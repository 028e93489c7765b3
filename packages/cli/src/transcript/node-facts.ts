import { Flag, Kind, nodePath, ROOT, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import { nameOf } from '../drawing/entry-names.ts'

/** What is known of an entry beside what its line says. */
export interface NodeFacts {
  readonly id: string
  readonly type: string
  readonly role?: string
  /** The node above it after all edits, `null` for a root. */
  readonly parentId: string | null
  readonly children: readonly string[]
  readonly label?: string
  readonly muted?: true
  readonly generating?: true
  /** `aside`: no node of the tree, but a model change, a label, an edit … */
  readonly place: 'trunk' | 'branch' | 'stash' | 'deleted' | 'aside'
  /** Ratings, pins and the like. */
  readonly meta?: Readonly<Record<string, unknown>>
}

export function nodeFacts(session: Session, id: string): NodeFacts {
  const { tree } = session
  const { columns, edits, ids } = tree
  const ref = ids.find(id)
  const label = edits.labels.get(id)?.label
  const meta = edits.meta.get(ref)
  const above = columns.has(ref, Flag.node) ? columns.parent[ref]! : columns.ownerOf(ref)
  const { type, role } = nameOf(tree, ref) ?? { type: 'other', role: undefined }
  return {
    id,
    type,
    ...(role !== undefined && { role }),
    parentId: above > ROOT ? ids.textOf(above) : null,
    children: columns.has(ref, Flag.node) ? columns.children(ref).map((child) => ids.textOf(child)) : [],
    ...(label !== undefined && { label }),
    ...(columns.has(ref, Flag.muted) && { muted: true as const }),
    ...(columns.has(ref, Flag.generating) && { generating: true as const }),
    place: placeIn(tree, ref, session.leafId),
    ...(meta !== undefined && meta.size > 0 && { meta: Object.fromEntries(meta) }),
  }
}

function placeIn(tree: Tree, ref: number, leafId: string | null): NodeFacts['place'] {
  const { columns, edits, ids } = tree
  if (!columns.has(ref, Flag.node)) return 'aside'
  if (!columns.isAttached(ref)) return edits.fragments.has(columns.topOf(ref)) ? 'stash' : 'deleted'
  const leaf = leafId === null ? ROOT : columns.ownerOf(ids.find(leafId))
  return columns.isWithin(leaf, ref) ? 'trunk' : 'branch'
}

/** The nodes of a path that the model would not get, and why; read only where a summary makes that a question. */
export async function hiddenOn(session: Session, leafId: string | null): Promise<ReadonlyMap<string, string>> {
  const { tree } = session
  const { columns, ids } = tree
  const hidden = new Map<string, string>()
  const refs = nodePath(tree, leafId === null ? ROOT : ids.find(leafId))
  if (refs.some((ref) => columns.kind[ref] === Kind.compaction)) {
    for (const node of (await session.line({ leafId })).nodes) if (!node.in) hidden.set(node.nodeId, node.reason)
    return hidden
  }
  for (const ref of refs) {
    if (columns.has(ref, Flag.muted)) hidden.set(ids.textOf(ref), 'muted')
    if (columns.has(ref, Flag.generating)) hidden.set(ids.textOf(ref), 'generating')
  }
  return hidden
}
