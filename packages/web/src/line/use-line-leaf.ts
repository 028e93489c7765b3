import { useEffect } from 'react'
import { route } from '../shell/route.ts'
import type { OpenSession } from '../state/open-session.ts'
import { useStore } from '../state/store.ts'
import { sceneOf } from '../tree/scene.ts'
import { lensOf } from './line-lens.ts'

/** In the tree the line follows the node that is selected; in the chat it is that of the trunk. */
export function useLineLeaf(session: OpenSession): void {
  const { view } = useStore(route)
  const { focus } = useStore(sceneOf(session).selection)
  const isTree = view === 'tree' && session.state.get().mode === 'tree'
  const { activeLeafId } = session.tree
  const isElsewhere = isTree && focus !== null && focus !== activeLeafId
  useEffect(() => lensOf(session).lookAt(isElsewhere ? focus : undefined), [session, isElsewhere, focus])
}
