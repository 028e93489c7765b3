import { routes } from '@treeline/protocol'
import { useEffect, useState } from 'react'
import type { OpenSession } from '../state/open-session.ts'

/** Between two answers a turn leaves time for the next to be announced. */
const ASK_AFTER_MS = 400

/**
 * Whether somebody is at work on the path to a node that is no longer being written itself: tools run between answers.
 * `undefined` as long as that is not known.
 */
export function useIsRunning(session: OpenSession, leafId: string | null | undefined): boolean | undefined {
  const [known, setKnown] = useState<{ readonly leafId: string; readonly isRunning: boolean }>()
  useEffect(() => {
    if (leafId === undefined || leafId === null) return
    let isWanted = true
    const ask = async (): Promise<void> => {
      const running = await session.connection.call(routes.getGenerations, { params: { sessionId: session.id } })
      const { tree } = session
      const path = new Set(tree.pathTo(tree.place(leafId)).map((place) => tree.ids[place]!))
      if (isWanted) setKnown({ leafId, isRunning: running.some(({ nodeId }) => path.has(nodeId)) })
    }
    // Without an answer nothing is offered; the connection's own sign says why.
    const timer = setTimeout(() => void ask().catch(() => {}), ASK_AFTER_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [session, leafId])
  return known !== undefined && known.leafId === leafId ? known.isRunning : undefined
}
