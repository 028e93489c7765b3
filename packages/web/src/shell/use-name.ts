import { nameOf } from '../sessions/session-actions.ts'
import { directoryOf } from '../sessions/session-directory.ts'
import type { OpenSession } from '../state/open-session.ts'
import { useStore } from '../state/store.ts'

/** What a session is called here as in the list: by its name, or by the first that was said in it. */
export function useName(session: OpenSession): string {
  const directory = directoryOf(session.connection)
  useStore(directory.state)
  const { title } = session.state.get()
  const preview = title === '' ? directory.summary(session.id)?.preview || firstWords(session) : ''
  return nameOf({ title, preview })
}

/** Before the list knows of them. */
function firstWords({ tree, bodies }: OpenSession): string {
  const [first] = tree.roots
  return first === undefined ? '' : (bodies.preview(tree.ids[first]!) ?? '')
}
