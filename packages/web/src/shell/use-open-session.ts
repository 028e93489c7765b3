import { useEffect, useState } from 'react'
import { OpenSession } from '../state/open-session.ts'
import { sceneOf } from '../tree/scene.ts'
import { useConnection } from './app-context.ts'
import { route } from './route.ts'

/** Opens the session of the address, and lets go of the one before. */
export function useOpenSession(sessionId: string | undefined): OpenSession | undefined {
  const connection = useConnection()
  const [open, setOpen] = useState<OpenSession>()
  useEffect(() => {
    if (sessionId === undefined) {
      setOpen(undefined)
      return
    }
    const session = new OpenSession(connection, sessionId)
    setOpen(session)
    void session.load()
    // A tree that has come is laid out while the page around it is made.
    if (route.get().view === 'tree') sceneOf(session).start()
    return () => {
      session.close()
      sceneOf(session).stop()
    }
  }, [connection, sessionId])
  return open?.id === sessionId ? open : undefined
}
