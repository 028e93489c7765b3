import { formats } from '@treeline/formats'
import type { IndexedSession, SearchHit, SearchRole, SessionIndex } from '@treeline/store'
import type { PickerRow } from './picker-row.ts'

/** What a preview shows of a session besides what its row knows. */
export interface PreviewOf {
  readonly session: IndexedSession | undefined
  /** The last in time, oldest first. */
  readonly last: readonly LastMessage[]
}

interface LastMessage {
  readonly nodeId: string
  readonly role: SearchRole
  readonly text: string
}

/** A file that is no log is translated whole: of a larger one only what the index knows is shown. */
const MAX_TRANSLATED_BYTES = 8 * 1024 * 1024

/** By the index, which knows where each node's line is: however long the log, only these lines are read of it. */
export async function readLastMessages(
  index: SessionIndex,
  row: PickerRow,
  count: number,
  signal: AbortSignal,
): Promise<PreviewOf> {
  const session = row.type === 'session' ? row.session : await findSession(index, row.hit)
  if (session?.id === undefined || session.problem !== undefined || isTooLong(session)) return { session, last: [] }
  const { id: sessionId, source, path } = session
  const { hits } = await index.search('', { sessionId, source, limit: count, signal })
  const last = hits
    .filter((hit) => hit.path === path)
    .map(({ nodeId, role, snippet }) => ({ nodeId, role, text: snippet.text }))
  return { session, last: last.reverse() }
}

async function findSession(index: SessionIndex, { sessionId, path }: SearchHit): Promise<IndexedSession | undefined> {
  const found = sessionId === undefined ? [] : await index.find(sessionId)
  return found.find((session) => session.path === path)
}

function isTooLong({ source, sizeBytes }: IndexedSession): boolean {
  const isTranslated = formats.some(({ name, loadReader }) => name === source && loadReader !== undefined)
  return isTranslated && sizeBytes > MAX_TRANSLATED_BYTES
}
