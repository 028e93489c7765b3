import { useEffect, useState } from 'react'
import { OpenSession } from '../state/open-session.ts'
import { useConnection } from './app-context.ts'

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
    return () => session.close()
  }, [connection, sessionId])
  return open?.id === sessionId ? open : undefined
}
