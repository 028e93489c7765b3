import { type ChatMessageNode, routes } from '@treeline/protocol'
import { useState } from 'react'
import { tellProblem } from '../shell/notices.ts'
import type { OpenSession } from '../state/open-session.ts'

/** What a node says, with what was too long to be sent at once when it is asked for. */
export function useWholeText(session: OpenSession, { id, content, contentTruncated }: ChatMessageNode) {
  const [rest, setRest] = useState<string>()
  const readMore = async (): Promise<void> => {
    try {
      const found = await session.connection.call(routes.getContent, {
        params: { sessionId: session.id, nodeId: id },
        query: { from: content.length },
      })
      setRest(found.content)
    } catch (error) {
      tellProblem(error)
    }
  }
  return {
    text: content + (rest ?? ''),
    hasMore: contentTruncated === true && rest === undefined,
    readMore: () => void readMore(),
  }
}
