import { type AssistantMessage, Flag, Kind, type LineMessage, ROOT, type Tree, type Usage } from '@treeline/core'
import type { Session } from '@treeline/store'

/** What a provider counted for an answer of the line, and what the line has behind that answer. */
export interface TrustedUsage {
  readonly tokens: number
  readonly after: readonly LineMessage[]
}

/** How many answers are asked: that none of the latest was counted is rare, or the rule with this provider. */
const MAX_ASKED = 8

/**
 * The provider's own count for the latest answer in a line that has one. It counts for nothing when it says nothing about
 * the request that would be sent now: the answer failed or was cancelled, it is older than the compaction in force, it is a
 * copy from elsewhere, or something above it was changed after it was asked for.
 */
export async function findTrustedUsage(
  session: Session,
  tipId: string | null,
  messages: readonly LineMessage[],
): Promise<TrustedUsage | undefined> {
  if (tipId === null) return undefined
  let at = messages.length
  for (let asked = 0; asked < MAX_ASKED; asked++) {
    at = messages.findLastIndex(({ role }, index) => index < at && role === 'assistant')
    const answerId = messages[at]?.nodeIds.at(-1)
    if (answerId === undefined) return undefined
    const { tree } = session
    if (!isAsItWas(tree, tree.ids.find(tipId), tree.ids.find(answerId), messages)) continue
    const entry = await session.readEntry(answerId)
    const tokens = countedTokens(entry?.message as AssistantMessage | undefined)
    if (tokens !== undefined) return { tokens, after: messages.slice(at + 1) }
  }
  return undefined
}

function countedTokens(message: AssistantMessage | undefined): number | undefined {
  const { usage, stopReason } = message ?? {}
  if (usage === undefined || usage === null || stopReason === 'error' || stopReason === 'aborted') return undefined
  const tokens = usage.totalTokens || sumOf(usage)
  return Number.isFinite(tokens) && tokens > 0 ? tokens : undefined
}

function sumOf({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + (cacheRead ?? 0) + (cacheWrite ?? 0)
}

function isAsItWas(tree: Tree, tip: number, answer: number, messages: readonly LineMessage[]): boolean {
  if (tip <= ROOT || answer <= ROOT || tree.columns.has(answer, Flag.copy)) return false
  // What the request was made of is what the log said when the answer was announced.
  const askedAt = tree.heads.line[tree.orderOf(answer)]!
  if (compactedAfter(tree, askedAt, messages) || isRewordedBelow(tree, tip, answer)) return false
  return !isChangedAbove(tree, answer, askedAt)
}

/** A line has one compaction at most, and it leads. */
function compactedAfter(tree: Tree, line: number, messages: readonly LineMessage[]): boolean {
  const leadIds = messages.slice(0, 2).flatMap(({ nodeIds }) => nodeIds.slice(0, 2))
  const compaction = leadIds.map((id) => tree.ids.find(id)).find((ref) => tree.columns.kind[ref] === Kind.compaction)
  return compaction !== undefined && tree.lineOf(compaction) > line
}

/** Whether a `context_edit` stands between the tip and the answer; also when the answer is not met on the way up. */
function isRewordedBelow(tree: Tree, tip: number, answer: number): boolean {
  const { columns } = tree
  const passed = new Set<number>()
  for (let at = tip; at !== answer; at = tree.above(at)) {
    if (at === ROOT || passed.has(at) || columns.kind[at] === Kind.context_edit) return true
    passed.add(at)
  }
  return false
}

function isChangedAbove(tree: Tree, answer: number, askedAt: number): boolean {
  const { columns, edits } = tree
  if (tree.versionOf(answer) > tree.lineOf(answer)) return true
  const changed = new Set<number>()
  for (const [ref, line] of edits.changedAt) if (line > askedAt) changed.add(ref)
  let hasMuted = false
  for (let at = columns.parent[answer]!; at > ROOT; at = columns.parent[at]!) {
    if (changed.has(at)) return true
    hasMuted ||= columns.has(at, Flag.muted)
  }
  return hasMuted && isModeChanged(tree, askedAt)
}

/** Between `tree` and `linear`, where what is muted is sent all the same. Also when that was undone. */
function isModeChanged({ edits }: Tree, askedAt: number): boolean {
  return edits.records.some(
    ({ line, touched }) => line > askedAt && touched.some(({ value }) => value === 'session:mode'),
  )
}
