import type { CompactionItem, CompactionPolicy, RequestSize } from './policy.ts'

export interface CutRequest {
  readonly size: RequestSize
  readonly reason: 'manual' | 'threshold' | 'overflow'
  /** Those that are sent as notes when they are covered: covering them wins nothing. */
  readonly pinned: ReadonlySet<CompactionItem>
  readonly summaryTokens: number
  readonly keepLeast?: boolean
}

/** What is left free for the answer: a sixteenth of the window. */
const ANSWER_SHARE = 16

/** Where the policy cuts, or later, when what it keeps would not fit: down to nothing but the prompt that waits (X60). */
export function chooseCut(policy: CompactionPolicy, items: readonly CompactionItem[], request: CutRequest): number {
  const last = lastCut(items)
  if (request.keepLeast) return last
  const wanted = placeCut(items, policy.findCut(items, request.size), last)
  const cut = wanted > 0 || request.reason === 'threshold' ? wanted : lastTurn(items, last, request)
  // After a refusal less has to be sent; before one, what else the user said since the last answer waits too.
  const kept = request.reason === 'overflow' ? cut : Math.min(cut, firstWaiting(items, last))
  return fitCut(items, kept, last, request)
}

/** The first of the prompts that nothing was answered to. */
function firstWaiting(items: readonly CompactionItem[], last: number): number {
  const isAnswer = ({ message: { role } }: CompactionItem) => role === 'assistant' || role === 'toolResult'
  const answered = items.findLastIndex(isAnswer)
  const first = items.findIndex(({ message: { role } }, index) => index > answered && role === 'user')
  return first < 0 ? last : first
}

/** Where nothing is kept but what must be. */
export function lastCut(items: readonly CompactionItem[]): number {
  const pending = items.findIndex(({ isPending }) => isPending)
  return pending < 0 ? items.length : pending
}

/** A policy may say anything; a cut is made where one may be made, and never behind the pending prompt. */
function placeCut(items: readonly CompactionItem[], wanted: number, last: number): number {
  let cut = Math.min(last, Math.max(0, Math.trunc(wanted) || 0))
  while (cut > 0 && cut < last && !items[cut]!.canStart) cut++
  return cut
}

/** Asked for by a person, or by a provider that refused: then all but the latest turn is covered, although it is little. */
function lastTurn(items: readonly CompactionItem[], last: number, { reason }: CutRequest): number {
  const turn = items.findLastIndex((item, index) => index <= last && item.startsTurn && item.canStart)
  if (turn > 0) return turn
  const start = items.findLastIndex((item, index) => index <= last && item.canStart)
  return reason === 'overflow' ? Math.max(0, start) : 0
}

function fitCut(items: readonly CompactionItem[], from: number, last: number, request: CutRequest): number {
  const { size, pinned, summaryTokens } = request
  const { contextWindow } = size.model
  const limit = contextWindow - Math.floor(contextWindow / ANSWER_SHARE)
  let tokens = size.fixedTokens + summaryTokens
  // What is pinned is sent either way.
  for (const [index, item] of items.entries()) if (index >= from || pinned.has(item)) tokens += item.tokens
  let cut = from
  // With nothing covered all stays as it is, the summary there is included.
  while (cut < last && (cut === 0 ? size.tokens : tokens) > limit) {
    do {
      const item = items[cut++]!
      if (!pinned.has(item)) tokens -= item.tokens
    } while (cut < last && !items[cut]!.canStart)
  }
  return cut
}
