import type { Session } from '@treeline/store'
import { useState } from 'react'

interface AskedLabel {
  readonly nodeId: string
  /** The one it has; empty for none. */
  readonly label: string
}

/** For which node a label is being typed. */
export function useLabelling(session: Session) {
  const [asked, setAsked] = useState<AskedLabel>()
  return {
    asked,
    ask: (nodeId: string) => setAsked({ nodeId, label: session.tree.edits.labels.get(nodeId)?.label ?? '' }),
    end: () => setAsked(undefined),
  }
}
