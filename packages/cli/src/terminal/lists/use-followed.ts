import type { Session } from '@treeline/store'
import { useEffect } from 'react'

/** Many entries may come at once; one frame is enough for them. */
const GATHER_MS = 100

/** Tells when something was written to a session, by whomever. */
export function useFollowed(session: Session, onNews: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onNews` does the same in every frame.
  useEffect(() => {
    const stop = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const follow = async () => {
      for await (const _ of session.follow({ signal: stop.signal })) {
        timer ??= setTimeout(() => {
          timer = undefined
          onNews()
        }, GATHER_MS)
      }
    }
    // It ends when the session is closed or deleted: there is no news then, and who looks further is told so.
    follow().catch(() => {})
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [session])
}
