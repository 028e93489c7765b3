import { findRings, freeId, isUsableId } from '../foreign-ids.ts'
import { isRecord, type JsonRecord, valueAt } from '../kept-record.ts'
import type { NoteList } from '../note-list.ts'

/** A node of the document with the id and the parent it has here. */
export interface LinkedNode {
  /** Its name in the document. */
  readonly key: string
  readonly id: string
  readonly parentId: string | null
  /** `undefined` where the document has something else than a node under that name. */
  readonly node: JsonRecord | undefined
  readonly value: unknown
}

export interface LinkedNodes {
  readonly nodes: readonly LinkedNode[]
  readonly idOfKey: ReadonlyMap<string, string>
  /** Ids of the nodes below a node, or below none, in the order the document shows them in. */
  readonly children: ReadonlyMap<string | null, readonly string[]>
  /** Those for which that is not the order of the nodes themselves. */
  readonly reordered: readonly (string | null)[]
}

/** `parentId` is the truth, the lists of children give the order (X52). Their own edits leave these at odds: all of it is told. */
export function linkNodes(document: JsonRecord, sessionId: string, notes: NoteList): LinkedNodes {
  const values = isRecord(document.nodes) ? Object.entries(document.nodes) : []
  const keys = new Set(values.map(([key]) => key))
  const idOfKey = new Map<string, string>()
  values.forEach(([key], i) => {
    const id = isUsableId(key) ? key : freeId(sessionId, i + 1, (taken) => keys.has(taken))
    if (id !== key) notes.add({ kind: 'changed', message: `A node has no usable id. Here it is ${id}.`, id })
    idOfKey.set(key, id)
    keys.add(id)
  })
  const placed = values.map(([key, value]): LinkedNode => {
    const node = isRecord(value) ? value : undefined
    const parent = node === undefined ? undefined : valueAt(node, 'parentId')
    const parentId = typeof parent !== 'string' ? null : (idOfKey.get(parent) ?? (isUsableId(parent) ? parent : null))
    return { key, id: idOfKey.get(key)!, parentId, node, value }
  })
  const nodes = withoutRings(placed, notes)
  return { nodes, idOfKey, ...orderChildren(document, nodes, idOfKey, notes) }
}

function withoutRings(placed: readonly LinkedNode[], notes: NoteList): readonly LinkedNode[] {
  const rings = findRings(placed)
  const known = new Set(placed.map(({ id }) => id))
  return placed.map((node, i) => {
    const { id, parentId } = node
    if (rings.has(i)) {
      notes.add({ kind: 'changed', message: `Node ${id} is below itself. Here it is a root.`, id })
      return { ...node, parentId: null }
    }
    if (parentId !== null && !known.has(parentId)) {
      notes.add({ kind: 'info', message: `The parent of node ${id} is missing: it is a root.`, id })
    }
    return node
  })
}

function orderChildren(
  document: JsonRecord,
  nodes: readonly LinkedNode[],
  idOfKey: ReadonlyMap<string, string>,
  notes: NoteList,
): Pick<LinkedNodes, 'children' | 'reordered'> {
  const isNode = new Set(nodes.filter(({ node }) => node !== undefined).map(({ id }) => id))
  const found = new Map<string | null, string[]>([[null, []]])
  for (const { id, parentId, node } of nodes) {
    if (node === undefined) continue
    // What hangs under nothing that is a node is a root.
    const parent = parentId !== null && isNode.has(parentId) ? parentId : null
    const siblings = found.get(parent)
    if (siblings === undefined) found.set(parent, [id])
    else siblings.push(id)
  }
  const children = new Map<string | null, readonly string[]>()
  const reordered: (string | null)[] = []
  const order = (parentId: string | null, lists: readonly unknown[]): void => {
    const ids = found.get(parentId) ?? []
    const listed = lists.flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : []))
    const sorted = sortAsListed(ids, listed, idOfKey, (what) => notes.count('info', what, parentId ?? undefined))
    if (sorted.length > 0) children.set(parentId, sorted)
    if (sorted.some((id, i) => id !== ids[i])) reordered.push(parentId)
  }
  order(null, [document.rootNodeIds, typeof document.rootNodeId === 'string' ? [document.rootNodeId] : []])
  for (const { id, node } of nodes) if (node !== undefined) order(id, [node.childrenIds, node.children])
  return { children, reordered }
}

function sortAsListed(
  ids: readonly string[],
  listed: readonly unknown[],
  idOfKey: ReadonlyMap<string, string>,
  tell: (what: string) => void,
): readonly string[] {
  const left = new Set(ids)
  const sorted: string[] = []
  for (const key of listed) {
    const id = typeof key === 'string' ? idOfKey.get(key) : undefined
    if (id !== undefined && left.delete(id)) sorted.push(id)
    else tell('A node is listed twice, or as a child of one that is not its parent. Its parentId counts')
  }
  if (left.size > 0) tell('A node is missing from the list of children it belongs to. Its parentId counts')
  return [...sorted, ...left]
}
