import { basename } from 'node:path'
import type { EditRequestOp, Entry } from '@treeline/core'
import type { ForeignFile, Translation } from '../format.ts'
import { isRecord, type JsonRecord, valueAt } from '../kept-record.ts'
import { NoteList } from '../note-list.ts'
import { keepDocument, NODES } from './document-fields.ts'
import { type LinkedNode, type LinkedNodes, linkNodes } from './link-nodes.ts'
import { parseDocument } from './parse-document.ts'
import { type Shape, shapeOf } from './shape.ts'
import { isMuted, parseTime, ratingOf, timeOf, toEntry } from './to-entry.ts'

/** A `ChatHistoryTree` (T19), as designed or as built, whatever their own edits have made of it. */
export function readComfytavern({ path, bytes }: ForeignFile): Translation {
  const notes = new NoteList()
  const document = parseDocument(bytes, notes)
  const shape = shapeOf(document)
  const ownId = textAt(document, 'sessionId')
  const sessionId = ownId ?? (basename(path).replace(/\.[^.]*$/, '') || 'session')
  const linked = linkNodes(document, ownId ?? '', notes)
  const startMs = parseTime(document.createdAt) ?? firstTime(linked.nodes, shape) ?? 0
  const entries = toEntries(linked, shape, startMs, notes)
  const createdAt = new Date(startMs).toISOString()
  const title = textAt(document, 'title')
  const leafId = findLeaf(document, linked, notes)
  const keyOf = new Map(linked.nodes.map(({ id, key }) => [id, key]))
  const state = {
    sessionId,
    title,
    createdAt,
    updatedAt: new Date(latestTime(entries, startMs)).toISOString(),
    rootKeys: (linked.children.get(null) ?? []).map((id) => keyOf.get(id)!),
    leafKey: leafId === null ? null : keyOf.get(leafId)!,
  }
  const renamed = new Map([...keyOf].filter(([id, key]) => id !== key))
  const original = isRecord(document.nodes) ? { ...document, nodes: NODES } : document
  const kept = keepDocument(original, shape, state, renamed)
  const operations = [...listOperations(linked), { op: 'session', patch: { ext: { comfytavern: kept } } } as const]
  // Any node may be deleted there, also the first: what the document calls itself goes before that.
  const [first] = entries
  const identity = ownId === undefined && first !== undefined ? [first.id, first.timestamp] : [sessionId]
  return { sessionId, identity, createdAt, cwd: undefined, title, entries, leafId, operations, notes: notes.all() }
}

function toEntries(linked: LinkedNodes, shape: Shape, startMs: number, notes: NoteList): readonly Entry[] {
  const { nodes, children } = linked
  const keyOf = new Map(nodes.map(({ id, key }) => [id, key]))
  let timeMs = startMs
  return nodes.map((one) => {
    const { id, key, parentId, node } = one
    timeMs = timeOf(node, shape) ?? timeMs
    tellOddities(one, notes)
    const rating = node && ratingOf(node)
    return toEntry(
      one,
      shape,
      {
        key,
        parentKey: parentId === null ? null : (keyOf.get(parentId) ?? parentId),
        childKeys: (children.get(id) ?? []).map((child) => keyOf.get(child)!),
        isEnabled: node === undefined || !isMuted(node),
        marks: rating === undefined ? {} : { rating },
      },
      timeMs,
    )
  })
}

function tellOddities({ id, key, node }: LinkedNode, notes: NoteList): void {
  if (node === undefined) {
    notes.add({ kind: 'changed', message: `What is called ${id} is no node. It is kept, but not shown.`, id })
    return
  }
  if (valueAt(node, 'id') !== key) notes.count('info', 'A node calls itself otherwise than the document does', id)
  if (typeof node.content !== 'string') {
    notes.count('changed', 'The content of a node is no text. It is shown as JSON', id)
  }
  if (!['user', 'assistant', 'system'].includes(node.role as string)) {
    notes.count('changed', 'A node has a role that is not known. It is shown as a message of another kind', id)
  }
  if (node.status === 'generating') notes.count('info', 'An answer was never finished. Here it is a failed one', id)
}

function findLeaf(document: JsonRecord, { idOfKey, nodes }: LinkedNodes, notes: NoteList): string | null {
  const wanted = valueAt(document, 'activeLeafId')
  if (typeof wanted !== 'string') return null
  const id = idOfKey.get(wanted)
  if (id !== undefined && nodes.some((one) => one.id === id && one.node !== undefined)) return id
  notes.add({ kind: 'changed', message: `The active leaf ${JSON.stringify(wanted)} is missing: there is none here.` })
  return null
}

function listOperations({ nodes, children, reordered }: LinkedNodes): readonly EditRequestOp[] {
  const muted = nodes.filter(({ node }) => node !== undefined && isMuted(node)).map(({ id }) => id)
  const ratings = nodes.flatMap(({ id, node }): EditRequestOp[] => {
    const rating = node && ratingOf(node)
    return rating === undefined ? [] : [{ op: 'meta', nodeId: id, patch: { rating } }]
  })
  return [
    ...reordered.map((parentId): EditRequestOp => ({ op: 'reorder', parentId, childrenIds: children.get(parentId)! })),
    ...(muted.length > 0 ? [{ op: 'mute', nodeIds: muted } as const] : []),
    ...ratings,
  ]
}

function latestTime(entries: readonly Entry[], startMs: number): number {
  return entries.reduce((latest, { timestamp }) => Math.max(latest, Date.parse(timestamp)), startMs)
}

function firstTime(nodes: readonly LinkedNode[], shape: Shape): number | undefined {
  return nodes.map(({ node }) => timeOf(node, shape)).find((time) => time !== undefined)
}

function textAt(record: JsonRecord, key: string): string | undefined {
  const value = valueAt(record, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}
