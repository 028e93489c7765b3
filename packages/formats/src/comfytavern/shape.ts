import { isRecord, type JsonRecord } from '../kept-record.ts'

/** The fields are called otherwise in the design (`seed`, T16) and in what was built of it. */
export interface Shape {
  readonly name: 'seed' | 'built'
  readonly children: 'childrenIds' | 'children'
  readonly time: 'timestamp' | 'createdAt'
}

export const SEED: Shape = { name: 'seed', children: 'childrenIds', time: 'timestamp' }
export const BUILT: Shape = { name: 'built', children: 'children', time: 'createdAt' }

export function shapeOf(document: JsonRecord): Shape {
  if (Object.hasOwn(document, 'rootNodeIds')) return BUILT
  if (Object.hasOwn(document, 'rootNodeId')) return SEED
  const nodes = isRecord(document.nodes) ? Object.values(document.nodes) : []
  return nodes.some((node) => isRecord(node) && Object.hasOwn(node, 'childrenIds')) ? SEED : BUILT
}
