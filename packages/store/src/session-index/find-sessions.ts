import { reverse } from './file-row.ts'
import type { IndexDatabase } from './index-database.ts'
import type { IndexedSession } from './session-index.ts'
import { SESSION_COLUMNS, toSession } from './session-row.ts'
import type { Sources } from './sources.ts'

/** More candidates than anyone would choose from. */
const MAX_FOUND = 1000
/** Comes after every text that begins with what is before it. */
const LAST_CHARACTER = '\u{10FFFF}'

/** Sessions with this id; if there is none, those whose id begins or ends so. Ids are any text: nothing in them is special. */
export function findSessions(db: IndexDatabase, sources: Sources, part: string): readonly IndexedSession[] {
  if (part === '') return []
  const select = (condition: string, ...values: string[]): IndexedSession[] =>
    db
      .selectLists(
        `SELECT ${SESSION_COLUMNS} FROM files WHERE ${condition} ORDER BY last_active_ms DESC, path LIMIT ${MAX_FOUND}`,
        values,
      )
      .map(toSession)
      .filter(({ source }) => sources.has(source))
  const exact = select('session_id = ?', part)
  if (exact.length > 0) return exact
  const backwards = reverse(part)
  const found = [
    ...select('session_id >= ? AND session_id < ?', part, part + LAST_CHARACTER),
    ...select('reversed_id >= ? AND reversed_id < ?', backwards, backwards + LAST_CHARACTER),
  ]
  return [...new Map(found.map((session) => [session.path, session])).values()]
}
