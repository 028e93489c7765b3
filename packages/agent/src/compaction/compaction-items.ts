import { type AgentMessage, estimateMessageTokens } from '@treeline/core'
import type { CompactionItem } from './policy.ts'

interface Said {
  readonly nodeId: string
  readonly message: AgentMessage
}

/**
 * What a compaction may cover, with the places where it may be cut: not between a call and its result. `scale` is by how
 * much the estimate of tokens is known to be too low.
 */
export function toItems(said: readonly Said[], scale: number, pendingId: string | undefined): CompactionItem[] {
  const isInside = listInsides(said)
  const pending = findPending(said, pendingId)
  return said.map(({ nodeId, message }, i) => ({
    nodeId,
    message,
    tokens: Math.ceil(estimateMessageTokens(message) * scale),
    canStart: !isInside[i] && message.role !== 'toolResult',
    startsTurn: message.role !== 'assistant' && message.role !== 'toolResult',
    isPending: i === pending,
  }))
}

/**
 * The prompt that waits: the one named, or else the last thing a user said, as long as nothing was answered after it. One
 * that has answers already is the beginning of a turn like any other.
 */
function findPending(said: readonly Said[], pendingId: string | undefined): number {
  const answered = said.findLastIndex(({ message: { role } }) => role === 'assistant' || role === 'toolResult')
  const named = pendingId === undefined ? -1 : said.findIndex(({ nodeId }) => nodeId === pendingId)
  const found = named >= 0 ? named : said.findLastIndex(({ message }) => message.role === 'user')
  return found > answered ? found : -1
}

/** By index, whether a call before it has its result at it or behind it. */
function listInsides(said: readonly Said[]): boolean[] {
  const askedAt = new Map<string, number>()
  const delta = new Int32Array(said.length + 1)
  for (const [i, { message }] of said.entries()) {
    if (message.role === 'assistant' && Array.isArray(message.content)) {
      for (const block of message.content) if (block?.type === 'toolCall') askedAt.set(block.id, i)
    } else if (message.role === 'toolResult') {
      const call = askedAt.get(message.toolCallId)
      if (call === undefined) continue
      delta[call + 1]! += 1
      delta[i + 1]! -= 1
    }
  }
  let open = 0
  return said.map((_, i) => {
    open += delta[i]!
    return open > 0
  })
}
