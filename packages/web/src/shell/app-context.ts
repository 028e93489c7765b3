import { createContext, useContext } from 'react'
import type { Connection } from '../server/connection.ts'
import type { OpenSession } from '../state/open-session.ts'
import { useStore } from '../state/store.ts'

export const ConnectionContext = createContext<Connection | undefined>(undefined)
export const SessionContext = createContext<OpenSession | undefined>(undefined)

export function useConnection(): Connection {
  return useContext(ConnectionContext)!
}

/** The session that is open, and drawn anew when it changes. */
export function useSession(): OpenSession {
  const session = useContext(SessionContext)!
  useStore(session.state)
  return session
}
