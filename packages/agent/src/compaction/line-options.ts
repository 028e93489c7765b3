import { Flag, Kind, linePath, pinnedNotes, ROOT, type Tree, textOf } from '@treeline/core'
import type { Session, SessionLineOptions } from '@treeline/store'
import type { AgentEnv } from '../env.ts'

/** What if these nodes were muted, or not? Nothing is changed by asking. */
export type WhatIf = Pick<SessionLineOptions, 'mute' | 'unmute'>

/**
 * How the line of a request that ends at `tipId` is made: with the system prompt, what programs add, and the pinned nodes
 * of its trunk as notes when the line itself does not have them. Everybody who sends or measures a request uses these.
 */
export async function lineOptions(
  env: AgentEnv,
  session: Session,
  tipId: string | null,
  whatIf: WhatIf = {},
): Promise<SessionLineOptions> {
  const isLinear = session.tree.edits.session.get('mode') === 'linear'
  const pinnedIds = findPinned(session.tree, tipId, isLinear, whatIf)
  const [strategies, pinned] = await Promise.all([env.strategies(session), session.readEntries(pinnedIds)])
  const notes = pinned.flatMap((entry) => {
    const text = entry === undefined || isHidden(entry.message) ? '' : textOf(entry)
    return text === '' ? [] : [{ nodeId: entry!.id, text }]
  })
  const all = notes.length === 0 ? strategies : [...strategies, pinnedNotes(notes)]
  // A text too long for the log is sent whole, and so it is counted whole.
  return { strategies: all, full: true, ...(isLinear && { mode: 'linear' as const }), ...whatIf }
}

/** The pinned nodes on the way to a node, in order. What was muted, or left behind by a reset, stays unsaid. */
function findPinned(tree: Tree, tipId: string | null, isLinear: boolean, { mute, unmute }: WhatIf): readonly string[] {
  const { meta } = tree.edits
  const pinned = new Set<number>()
  for (const [ref, values] of meta) if (values.get('pinned') === true) pinned.add(ref)
  const tip = tipId === null ? ROOT : tree.ids.find(tipId)
  if (pinned.size === 0 || tip <= ROOT) return []
  const path = linePath(tree, tip)
  const found: string[] = []
  for (let position = path.length - 1; position >= 0; position--) {
    if (path.kindAt(position) === Kind.reset_boundary) break
    const ref = path.refs[position]!
    if (!pinned.has(ref)) continue
    const id = path.idAt(position)
    const isMuted = !unmute?.has(id) && (mute?.has(id) || tree.columns.has(ref, Flag.muted))
    if (isLinear || !isMuted) found.push(id)
  }
  return found.reverse()
}

/** A `!!` command, or an answer that failed: not for the model, pinned or not. */
function isHidden(message: unknown): boolean {
  const { excludeFromContext, stopReason } = (message ?? {}) as Readonly<Record<string, unknown>>
  return excludeFromContext === true || stopReason === 'error'
}
