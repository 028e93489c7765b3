import type { ChatMessageNode } from '@treeline/protocol'

/** Two messages side by side, or one with nothing beside it. */
export interface MessagePair {
  readonly key: string
  readonly left: ChatMessageNode | undefined
  readonly right: ChatMessageNode | undefined
}

/** Beyond this many pairs to weigh they are set side by side as they come. */
const MAX_CELLS = 250_000

/** Puts those together that answer to each other: of one role, in order, the same text first. */
export function alignMessages(
  left: readonly ChatMessageNode[],
  right: readonly ChatMessageNode[],
): readonly MessagePair[] {
  if (left.length * right.length > MAX_CELLS) return pairByPlace(left, right)
  const width = right.length + 1
  const best = new Int32Array((left.length + 1) * width)
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const together = likeness(left[i]!, right[j]!)
      const paired = together === 0 ? -1 : together + best[(i + 1) * width + j + 1]!
      best[i * width + j] = Math.max(paired, best[(i + 1) * width + j]!, best[i * width + j + 1]!)
    }
  }
  const pairs: MessagePair[] = []
  let [i, j] = [0, 0]
  while (i < left.length && j < right.length) {
    const together = likeness(left[i]!, right[j]!)
    const value = best[i * width + j]!
    if (together > 0 && value === together + best[(i + 1) * width + j + 1]!) pairs.push(pair(left[i++], right[j++]))
    else if (value === best[(i + 1) * width + j]!) pairs.push(pair(left[i++], undefined))
    else pairs.push(pair(undefined, right[j++]))
  }
  for (; i < left.length; i++) pairs.push(pair(left[i], undefined))
  for (; j < right.length; j++) pairs.push(pair(undefined, right[j]))
  return pairs
}

function likeness(a: ChatMessageNode, b: ChatMessageNode): number {
  if (a.role !== b.role) return 0
  return a.contentLength === b.contentLength && a.content === b.content ? 3 : 2
}

function pairByPlace(left: readonly ChatMessageNode[], right: readonly ChatMessageNode[]): readonly MessagePair[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => pair(left[at], right[at]))
}

function pair(left: ChatMessageNode | undefined, right: ChatMessageNode | undefined): MessagePair {
  return { key: `${left?.id ?? ''} ${right?.id ?? ''}`, left, right }
}
