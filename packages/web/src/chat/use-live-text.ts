import { useCallback, useSyncExternalStore } from 'react'
import type { OpenSession } from '../state/open-session.ts'

const NOTHING = { text: '', thinking: '' } as const

/** What an answer says so far. Draws anew with it, and nothing else does. */
export function useLiveText(
  { texts }: OpenSession,
  nodeId: string,
): { readonly text: string; readonly thinking: string } {
  const subscribe = useCallback((onChange: () => void) => texts.subscribe(nodeId, onChange), [texts, nodeId])
  return useSyncExternalStore(subscribe, () => texts.get(nodeId) ?? NOTHING)
}
