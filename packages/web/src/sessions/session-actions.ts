import { type BodyOf, type Routes, routes, type SessionSummary } from '@treeline/protocol'
import { plainWords } from '../markdown/plain-words.ts'
import type { Connection } from '../server/connection.ts'
import { tell, tellProblem } from '../shell/notices.ts'
import { goTo, route } from '../shell/route.ts'
import { closeDrawer } from '../shell/sidebar.ts'
import { t } from '../words/language.ts'
import { directoryOf } from './session-directory.ts'

/** The last one that was begun here: as long as nothing was said in it, it is the new one still. */
const begun = new WeakMap<Connection, string>()

export function openSession(sessionId: string, nodeId?: string): void {
  goTo({ sessionId, nodeId })
  closeDrawer()
}

export async function beginSession(connection: Connection): Promise<void> {
  try {
    const before = begun.get(connection)
    const isUnused = before !== undefined && (await isEmpty(connection, before))
    // Asked for twice by a retry there is one: the id is ours.
    const sessionId = isUnused ? before : crypto.randomUUID()
    if (!isUnused) await connection.call(routes.createSession, { body: { sessionId } })
    begun.set(connection, sessionId)
    goTo({ sessionId, view: 'chat' })
    closeDrawer()
  } catch (error) {
    tellProblem(error)
  }
}

async function isEmpty({ call }: Connection, sessionId: string): Promise<boolean> {
  try {
    return (await call(routes.getSession, { params: { sessionId } })).nodeCount === 0
  } catch {
    // It may be in the trash by now: then a new one is made.
    return false
  }
}

export async function changeSession(
  connection: Connection,
  sessionId: string,
  change: Omit<BodyOf<Routes['patchSession']>, 'settings'>,
): Promise<void> {
  try {
    await directoryOf(connection).patch(sessionId, change)
  } catch (error) {
    tellProblem(error)
  }
}

export async function trashSession(connection: Connection, sessionId: string, title: string): Promise<void> {
  try {
    const wasOpen = route.get().sessionId === sessionId
    if (wasOpen) goTo({ sessionId: undefined })
    await directoryOf(connection).trash(sessionId)
    const undo = async (): Promise<void> => {
      if ((await restoreSession(connection, sessionId)) && wasOpen) openSession(sessionId)
    }
    tell(t('“{title}” is in the trash.', { title }), { action: { label: t('Undo'), run: () => void undo() } })
  } catch (error) {
    tellProblem(error)
  }
}

/** Whether it is back from the trash. */
export async function restoreSession(connection: Connection, sessionId: string): Promise<boolean> {
  try {
    await directoryOf(connection).restore(sessionId)
    return true
  } catch (error) {
    tellProblem(error)
    return false
  }
}

/** A session of our own out of another: how one goes on with what can only be read. */
export async function copySession(
  connection: Connection,
  sessionId: string,
  scope: 'path' | 'tree',
  title: string,
): Promise<void> {
  try {
    const { sessionId: copyId, leftOut } = await connection.call(routes.forkSession, {
      params: { sessionId },
      body: { nodeId: null, scope, ...(title !== '' && { title: t('{title} (copy)', { title }).slice(0, 500) }) },
    })
    openSession(copyId)
    tell(t('This is a copy of your own. What it was made from stays as it is.'))
    if (leftOut.length === 0) return
    tell(t('Left out of the copy: {what}', { what: leftOut.slice(0, 5).join(' ') }), { kind: 'problem' })
  } catch (error) {
    tellProblem(error)
  }
}

/** What a session is called where nobody has named it: its first prompt. */
export function nameOf({ title, preview }: Pick<SessionSummary, 'title' | 'preview'>): string {
  return title || plainWords(preview.slice(0, 200), true).slice(0, 120) || t('New chat')
}
