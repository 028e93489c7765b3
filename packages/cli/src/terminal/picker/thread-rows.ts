import type { IndexedSession } from '@treeline/store'
import { type SessionRow, sessionRow } from './picker-row.ts'

/** Forks of forks of forks stand no further to the right than this. */
const MAX_STEMS = 4

/**
 * Forks under what they were forked from, where both are in the list. A thread stands where the first of it would, so that
 * what was active last stays on top; everything else keeps its order.
 */
export function threadRows(sessions: readonly IndexedSession[]): readonly SessionRow[] {
  const parents = parentsOf(sessions)
  const children = new Map<IndexedSession, IndexedSession[]>()
  for (const [child, parent] of parents) {
    const forks = children.get(parent) ?? []
    children.set(parent, forks)
    forks.push(child)
  }
  const rows: SessionRow[] = []
  const placed = new Set<IndexedSession>()
  for (const session of sessions) {
    if (placed.has(session)) continue
    const open = [{ session: rootOf(session, parents), stems: [] as readonly boolean[] }]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { session: one, stems } = next
      placed.add(one)
      rows.push(sessionRow(one, stems))
      const forks = children.get(one) ?? []
      for (const [i, fork] of [...forks.entries()].reverse()) {
        open.push({ session: fork, stems: [...stems, i < forks.length - 1].slice(-MAX_STEMS) })
      }
    }
  }
  return rows
}

/** Other tools name what a session was forked from by its path. */
function parentsOf(sessions: readonly IndexedSession[]): ReadonlyMap<IndexedSession, IndexedSession> {
  const known = new Map<string, IndexedSession>()
  for (const session of sessions) {
    known.set(session.path, session)
    if (session.id !== undefined && !known.has(session.id)) known.set(session.id, session)
  }
  const parents = new Map<IndexedSession, IndexedSession>()
  for (const session of sessions) {
    const parent = session.parentSession === undefined ? undefined : known.get(session.parentSession)
    // What claims to descend from itself, by whatever way, is nobody's fork.
    if (parent !== undefined && rootOf(parent, parents) !== session) parents.set(session, parent)
  }
  return parents
}

function rootOf(session: IndexedSession, parents: ReadonlyMap<IndexedSession, IndexedSession>): IndexedSession {
  let root = session
  for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent
  return root
}
