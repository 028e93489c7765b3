import { nameOf } from '../sessions/session-actions.ts'
import { directoryOf } from '../sessions/session-directory.ts'
import type { OpenSession } from '../state/open-session.ts'
import { useStore } from '../state/store.ts'

/** What a session is called here as in the list: by its name, or by the first that was said in it. */
export function useName({ id, connection, state }: OpenSession): string {
  const directory = directoryOf(connection)
  useStore(directory.state)
  const { title } = state.get()
  return nameOf({ title, preview: directory.summary(id)?.preview ?? '' })
}
