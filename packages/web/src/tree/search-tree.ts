import { routes } from '@treeline/protocol'
import { tellProblem } from '../shell/notices.ts'
import { NOTHING_FOUND, nextHit } from './found.ts'
import type { TreeScene } from './scene.ts'

const MOST_HITS = 200

/** Looks for words in all of the session; what has them stays bright. An answer to an older question is dropped. */
export async function searchTree(scene: TreeScene, query: string): Promise<void> {
  if (query.trim() === '') {
    scene.found.set(NOTHING_FOUND)
    return
  }
  scene.found.update((found) => ({ ...found, query, state: 'asking' }))
  const { session } = scene
  try {
    const params = { sessionId: session.id }
    const { hits, nextCursor } = await session.connection.call(routes.searchSession, {
      params,
      query: { q: query.slice(0, 1_000), limit: MOST_HITS },
    })
    if (scene.found.get().query !== query) return
    const ids = inOrder(
      scene,
      hits.map(({ nodeId }) => nodeId),
    )
    scene.found.set({ query, state: 'there', ids, at: -1, isMore: nextCursor !== null })
  } catch (error) {
    if (scene.found.get().query !== query) return
    scene.found.set({ ...NOTHING_FOUND, query })
    tellProblem(error)
  }
}

export function jumpToHit(scene: TreeScene, step: 1 | -1): void {
  scene.found.update((found) => nextHit(found, step))
  const { ids, at } = scene.found.get()
  const id = ids[at]
  if (id !== undefined) scene.goTo(id)
}

/** As they came into the tree, and each once. */
function inOrder({ session }: TreeScene, ids: readonly string[]): readonly string[] {
  const places = new Set(ids.map((id) => session.tree.place(id)).filter((place) => place >= 0))
  return [...places].sort((a, b) => a - b).map((place) => session.tree.ids[place]!)
}
