import { useEffect, useState } from 'react'
import { prepareLayoutWorker } from '../layout/start-worker.ts'
import { OpenSession } from '../state/open-session.ts'
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
    if (route.get().view === 'tree') prepareLayoutWorker()
    return () => session.close()
  }, [connection, sessionId])
  return open?.id === sessionId ? open : undefined
}
