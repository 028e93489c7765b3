import type { AgentMessage, AssistantMessage } from '../entry/message.ts'

/** A message and whatever the caller wants to keep beside it. */
interface Item {
  readonly message: AgentMessage
}

/** oh-my-pi's hidden note that goes with an interrupted turn; the two stay together. */
const INTERRUPTED_NOTE = 'interrupted-thinking'
/** oh-my-pi's hidden planning nudge: part of the transcript, never of the context. */
const PLAN_NUDGE = 'prewalk-plan'

/**
 * oh-my-pi's cleaning: tool calls without a result on the path are stripped, turns that failed or were aborted are
 * dropped together with their results. Linear in the number of messages.
 */
export function dropUnsafeTurns<T extends Item>(items: readonly T[]): T[] {
  const answered = new Set<string>()
  for (const { message } of items) if (message.role === 'toolResult') answered.add(message.toolCallId)
  const kept: T[] = []
  for (const item of items) {
    if (isSuperseded(item.message)) continue
    const message = item.message.role === 'assistant' ? stripDangling(item.message, answered) : item.message
    if (message !== undefined) kept.push(message === item.message ? item : { ...item, message })
  }
  return dropFailedTurns(kept)
}

function isSuperseded(message: AgentMessage): boolean {
  if (message.role === 'custom') return message.customType === PLAN_NUDGE
  return message.role === 'assistant' && 'retryRecovery' in message && Boolean(message.retryRecovery)
}

/** A turn that is changed loses its signatures too: providers refuse signed reasoning in an altered turn. */
function stripDangling(message: AssistantMessage, answered: ReadonlySet<string>): AssistantMessage | undefined {
  const isDangling = (block: AssistantMessage['content'][number]) =>
    block?.type === 'toolCall' && !answered.has(block.id)
  if (!Array.isArray(message.content) || !message.content.some(isDangling)) return message
  const content = message.content
    .filter((block) => !isDangling(block) && block?.type !== 'redactedThinking')
    .map((block) => {
      if (block?.type !== 'thinking') return block
      const { thinkingSignature: _, ...unsigned } = block
      return unsigned
    })
  return content.length === 0 ? undefined : { ...message, content }
}

function dropFailedTurns<T extends Item>(items: readonly T[]): T[] {
  // A linked list over the items: whether a turn is dropped depends on what is left behind it.
  const next = items.map((_, index) => index + 1)
  const previous = items.map((_, index) => index - 1)
  const dropped = new Set<number>()
  const results = new Map<string, number[]>()
  const drop = (index: number) => {
    if (dropped.has(index)) return
    dropped.add(index)
    const [before, after] = [previous[index]!, next[index]!]
    if (before >= 0) next[before] = after
    if (after < items.length) previous[after] = before
  }
  for (let index = items.length - 1; index >= 0; index--) {
    const { message } = items[index]!
    if (message.role === 'toolResult') {
      const same = results.get(message.toolCallId)
      if (same === undefined) results.set(message.toolCallId, [index])
      else same.push(index)
    }
    if (message.role !== 'assistant') continue
    if (message.stopReason !== 'error' && message.stopReason !== 'aborted') continue
    const follower = items[next[index]!]?.message
    if (follower?.role === 'custom' && follower.customType === INTERRUPTED_NOTE && !isEmpty(message)) continue
    drop(index)
    if (!Array.isArray(message.content)) continue
    for (const block of message.content) {
      if (block?.type !== 'toolCall') continue
      for (const result of results.get(block.id) ?? []) drop(result)
      results.delete(block.id)
    }
  }
  return items.filter((_, index) => !dropped.has(index))
}

/** A request the provider refused before any output: nothing to go on with, even with a note. */
function isEmpty(message: AssistantMessage): boolean {
  if (message.stopReason !== 'error' || !Array.isArray(message.content)) return false
  return message.content.every((block) => {
    if (block?.type === 'text') return isBlank(block.text)
    if (block?.type === 'thinking') return isBlank(block.thinking) && isBlank(block.thinkingSignature)
    return block?.type === 'redactedThinking' && isBlank(block.data)
  })
}

function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === ''
}
