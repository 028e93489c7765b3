import { cut } from '../compaction/serialise.ts'
import type { BranchMessage } from './branch-messages.ts'

/** One message with its words. */
export interface Piece extends BranchMessage {
  readonly text: string
}

export interface Fitted {
  /** Oldest first. */
  readonly pieces: readonly Piece[]
  /** How many messages and tool results found no room. */
  readonly leftOut: number
  /** About what they take. */
  readonly tokens: number
}

export interface FitOptions {
  readonly tokens: number
  /** How far the one summary may go beyond that which is the last to be taken. */
  readonly spare: number
  /** Empty: there is nothing to tell of it. */
  readonly render: (item: BranchMessage) => string
  readonly tokensOf: (text: string) => number
  /** Told of every message, also of those that find no room. */
  readonly see?: (item: BranchMessage) => void
}

/** Below this share of the room, a summary that would not fit is taken all the same: it stands for much. */
const SUMMARY_SHARE = 0.9

/**
 * The newest messages that fit. What tools gave back takes only the room that what was said leaves free: the calls tell
 * most of it. A single message that is too long is cut rather than lost.
 */
export async function fitNewest(items: AsyncIterable<BranchMessage>, options: FitOptions): Promise<Fitted> {
  const { tokens: room, spare, render, tokensOf, see } = options
  const taken: (Piece & { readonly tokens: number })[] = []
  let said = 0
  let results = 0
  let leftOut = 0
  let isFull = false
  for await (const item of items) {
    see?.(item)
    const text = render(item)
    if (text === '') continue
    const tokens = tokensOf(text)
    const isResult = item.message.role === 'toolResult'
    const isFitting = isResult ? results + tokens <= room : said + tokens <= room
    if (!isFull && isFitting) {
      taken.push({ ...item, text, tokens })
      if (isResult) results += tokens
      else said += tokens
      continue
    }
    const isWorthIt = said === 0 || (item.isSummary && said < room * SUMMARY_SHARE)
    if (isFull || isResult || !isWorthIt) leftOut++
    else {
      const share = (room - said + (item.isSummary ? spare : 0)) / tokens
      taken.push({ ...item, text: share < 1 ? cut(text, Math.floor(text.length * share)) : text, tokens: room - said })
      said = room
    }
    if (!isResult) isFull = true
  }
  let free = room - said
  const pieces: Piece[] = []
  for (const { tokens, ...piece } of taken) {
    if (piece.message.role !== 'toolResult') pieces.push(piece)
    else if (tokens > free) leftOut++
    else {
      free -= tokens
      pieces.push(piece)
    }
  }
  return { pieces: pieces.reverse(), leftOut, tokens: room - free }
}
