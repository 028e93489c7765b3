import { type JsonRecord, keepRecord, restoreRecord } from '../kept-record.ts'
import { BUILT, SEED, type Shape } from './shape.ts'

/** What a session says about its document, beside the nodes. Keys are those of the document. */
export interface DocumentState {
  readonly sessionId: string
  readonly title: string | undefined
  readonly createdAt: string
  readonly updatedAt: string
  readonly rootKeys: readonly string[]
  readonly leafKey: string | null
}

/** Stands for the nodes, which are written one by one. */
export const NODES = '\u0000nodes'

const CHANGEABLE: readonly string[] = ['title', 'updatedAt', 'rootNodeIds', 'rootNodeId', 'activeLeafId']

/** As `session` keeps it under `ext`: what our own fields cannot say, and the names of nodes that could not be ids. */
export interface KeptDocument {
  readonly shape: Shape['name']
  readonly document?: JsonRecord | undefined
  readonly keys?: JsonRecord | undefined
}

export function keepDocument(
  original: JsonRecord,
  shape: Shape,
  state: DocumentState,
  keys: ReadonlyMap<string, string>,
): KeptDocument {
  // The id is kept in any case: a session may get another one here.
  const derived = { ...describe(shape, state), sessionId: NODES }
  const document = keepRecord(original, derived, CHANGEABLE)
  return {
    shape: shape.name,
    ...(document !== undefined && { document: document as JsonRecord }),
    ...(keys.size > 0 && { keys: Object.fromEntries(keys) }),
  }
}

export function shapeNamed(name: unknown): Shape {
  return name === 'seed' ? SEED : BUILT
}

/** All fields of the document in their order, with `NODES` where the nodes go. */
export function restoreDocument(kept: unknown, shape: Shape, state: DocumentState): JsonRecord {
  return restoreRecord(kept, describe(shape, state), CHANGEABLE)
}

function describe({ name }: Shape, state: DocumentState): JsonRecord {
  const { sessionId, title = '', createdAt, updatedAt, rootKeys, leafKey } = state
  const activeLeafId = leafKey
  if (name === 'seed') {
    const rootNodeId = rootKeys[0] ?? null
    return { sessionId, nodes: NODES, rootNodeId, activeLeafId, title, createdAt, updatedAt }
  }
  // The small things first, so that the beginning of a large file tells what it is.
  return { sessionId, title, createdAt, updatedAt, version: 1, rootNodeIds: rootKeys, activeLeafId, nodes: NODES }
}
