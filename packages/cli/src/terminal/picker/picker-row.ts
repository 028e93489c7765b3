import type { IndexedSession, SearchHit } from '@treeline/store'
import { titleOf } from '../../listing/session-table.ts'

/** A line of the picker: a session, or a place in one where something was said. */
export type PickerRow = SessionRow | HitRow

export interface SessionRow {
  readonly type: 'session'
  readonly key: string
  readonly session: IndexedSession
  /** How it hangs under the session that it was forked from: for each fork on the way whether others follow. */
  readonly stems: readonly boolean[]
}

export interface HitRow {
  readonly type: 'hit'
  readonly key: string
  readonly hit: SearchHit
}

/** What was chosen. */
export interface Picked {
  readonly path: string
  /** Where in it to go on. */
  readonly nodeId?: string | undefined
}

/** What of a row a change of the session needs to know. */
export interface RowFacts {
  readonly path: string
  /** Whose it is. */
  readonly source: string
  readonly id: string | undefined
  readonly name: string | undefined
  /** As a person recognises it. */
  readonly title: string
}

export function sessionRow(session: IndexedSession, stems: readonly boolean[] = []): SessionRow {
  return { type: 'session', key: session.path, session, stems }
}

export function hitRow(hit: SearchHit): HitRow {
  return { type: 'hit', key: `${hit.path}\n${hit.nodeId}`, hit }
}

export function factsOf(row: PickerRow): RowFacts {
  if (row.type === 'session') return { ...row.session, title: titleOf(row.session) }
  const { path, source, sessionId, sessionName } = row.hit
  return { path, source, id: sessionId, name: sessionName, title: sessionName ?? sessionId ?? path }
}

export function pickedOf(row: PickerRow): Picked {
  return row.type === 'session' ? { path: row.session.path } : { path: row.hit.path, nodeId: row.hit.nodeId }
}
