import type { ChatMessageNode } from '@treeline/protocol'

/**
 * A node with at most so much of its content, in UTF-16 units; no character is split. Its parts go with the rest: whoever
 * wants all of it asks for the content.
 */
export function cutNode(node: ChatMessageNode, maxChars: number): ChatMessageNode {
  const { parts, ...rest } = node
  if (node.content.length <= maxChars && sizeOf(parts) <= maxChars) return node
  const end = isHighSurrogate(node.content.charCodeAt(maxChars - 1)) ? maxChars - 1 : maxChars
  return { ...rest, content: node.content.slice(0, Math.max(0, end)), contentTruncated: true }
}

function sizeOf(parts: ChatMessageNode['parts']): number {
  return parts === undefined ? 0 : JSON.stringify(parts).length
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
