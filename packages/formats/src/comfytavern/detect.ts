import { isRecord, type JsonRecord, parseRecord } from '../kept-record.ts'
import type { Sample } from '../sample.ts'

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system'])

/** One document with a map of nodes that name their parents. A large one is told by its beginning. */
export function detectComfytavern({ text, isWhole }: Sample): number {
  if (!text.trimStart().startsWith('{')) return 0
  const document = isWhole ? parseRecord(text) : undefined
  // Too large, cut off, or nested without end: reading tells.
  if (document === undefined) return looksLikeOne(text) ? 0.8 : 0
  if (!isRecord(document.nodes)) return 0
  const isTree = ['rootNodeIds', 'rootNodeId', 'activeLeafId'].some((key) => Object.hasOwn(document, key))
  const nodes = Object.values(document.nodes)
  if (nodes.length === 0) return isTree ? 0.9 : 0
  const own = nodes.filter((node) => isNode(node) && (isTree || ROLES.has(node.role)))
  return own.length * 2 < nodes.length ? 0 : isTree ? 1 : 0.6
}

function isNode(value: unknown): value is JsonRecord {
  return isRecord(value) && Object.hasOwn(value, 'parentId') && Object.hasOwn(value, 'role')
}

function looksLikeOne(text: string): boolean {
  const hasAll = [/"nodes"\s*:\s*\{/, /"parentId"\s*:/, /"role"\s*:\s*"(?:user|assistant|system)"/, /"content"\s*:/]
  return hasAll.every((pattern) => pattern.test(text)) && /"(?:childrenIds|children)"\s*:\s*\[/.test(text)
}
