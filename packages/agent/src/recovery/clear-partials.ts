import { Flag, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'

/**
 * Removes what was kept of answers that are in the log by now: a crash came between the two. Returns those of which the
 * log knows nothing; their text stays where it is.
 */
export async function clearPartials(session: Session, problems: TreelineError[]): Promise<string[]> {
  const { partials } = session
  const strayIds: string[] = []
  if (partials === undefined) return strayIds
  try {
    const kept = partials.list()
    // Whatever is kept was announced before: what is not known after this is not known at all.
    if (kept.length > 0) await session.refresh()
    for (const nodeId of kept) {
      const state = stateOf(session, nodeId)
      if (state === 'written') await partials.remove(nodeId)
      else if (state === 'unknown') strayIds.push(nodeId)
    }
  } catch (error) {
    if (!(error instanceof TreelineError)) throw error
    problems.push(error)
  }
  return strayIds
}

function stateOf({ tree }: Session, nodeId: string): 'written' | 'generating' | 'unknown' {
  const { columns, ids } = tree
  const ref = ids.find(nodeId)
  if (ref <= 0 || !columns.has(ref, Flag.known)) return 'unknown'
  return columns.has(ref, Flag.generating) ? 'generating' : 'written'
}
