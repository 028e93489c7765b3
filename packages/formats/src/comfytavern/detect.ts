import { isRecord, parseRecord } from '../kept-record.ts'
import type { Sample } from '../sample.ts'

/** One document with a map of nodes that name their parents. A large one is told by its beginning. */
export function detectComfytavern({ text, isWhole }: Sample): number {
  if (!text.trimStart().startsWith('{')) return 0
  if (!isWhole) return looksLikeOne(text) ? 0.8 : 0
  const document = parseRecord(text)
  if (!isRecord(document?.nodes)) return 0
  const isTree = ['rootNodeIds', 'rootNodeId', 'activeLeafId'].some((key) => Object.hasOwn(document, key))
  const nodes = Object.values(document.nodes)
  if (nodes.length === 0) return isTree ? 0.9 : 0
  const own = nodes.filter((node) => isRecord(node) && Object.hasOwn(node, 'parentId') && Object.hasOwn(node, 'role'))
  return own.length * 2 < nodes.length ? 0 : isTree ? 1 : 0.6
}

function looksLikeOne(text: string): boolean {
  const hasAll = [/"nodes"\s*:\s*\{/, /"parentId"\s*:/, /"role"\s*:\s*"(?:user|assistant|system)"/, /"content"\s*:/]
  return hasAll.every((pattern) => pattern.test(text)) && /"(?:childrenIds|children)"\s*:\s*\[/.test(text)
}
