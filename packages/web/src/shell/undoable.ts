import { routes } from '@treeline/protocol'
import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { dismissOf, tell, tellProblem } from './notices.ts'

/** Says what was done, with a way back. */
export function tellUndoable(session: OpenSession, text: string, opId: string | null): void {
  if (opId === null) tell(text)
  else tell(text, { of: session.id, action: { label: t('Undo'), run: () => void undo(session, opId) } })
}

/** Takes back the edit that is named, or one's own latest. A refusal is told; `false` says there was one. */
export function undo(session: OpenSession, opId?: string): Promise<boolean> {
  return takeBack(session, routes.undo, opId)
}

export function redo(session: OpenSession, opId?: string): Promise<boolean> {
  return takeBack(session, routes.redo, opId)
}

async function takeBack(
  session: OpenSession,
  route: typeof routes.undo | typeof routes.redo,
  opId: string | undefined,
): Promise<boolean> {
  // Whoever goes back by another way must not be offered what may be taken back by then.
  dismissOf(session.id)
  try {
    await session.connection.call(route, {
      params: { sessionId: session.id },
      body: opId === undefined ? {} : { opId },
    })
    return true
  } catch (error) {
    tellProblem(error)
    return false
  }
}
