import { nodePath, ROOT, type TreelineError } from '@treeline/core'
import { openSessionFile } from '@treeline/formats'
import type { Session, SessionStore } from '@treeline/store'
import { forkTranslated } from '../editing/fork-translated.ts'

interface ForkHere {
  /** The project that the copy is for. */
  readonly cwd: string
  /** What has to be in it, where that is not on the path of the session anyway. */
  readonly nodeId?: string | undefined
  /** Told what had to stay behind. */
  readonly warn: (message: string) => void
}

/** A copy of the path of any session, for this project. */
export async function forkHere(
  store: SessionStore,
  path: string,
  { cwd, nodeId: wanted, warn }: ForkHere,
): Promise<Session> {
  await using opened = await openSessionFile(store, path, { readOnly: true })
  const { session, translation } = opened
  const nodeId = wanted === undefined ? undefined : endAt(session, wanted)
  const onLeftOut = ({ message }: TreelineError) => warn(message)
  const options = { cwd, onLeftOut, ...(nodeId !== undefined && { nodeId }) }
  return translation === undefined ? await store.fork(session, options) : await forkTranslated(session, store, options)
}

/** The node itself where it hangs on another branch than the one that the session is at. */
function endAt({ tree, leafId }: Session, nodeId: string): string | undefined {
  const ref = tree.ids.find(nodeId)
  if (ref <= ROOT) return undefined
  const leaf = leafId === null ? ROOT : tree.ids.find(leafId)
  return nodePath(tree, leaf).includes(ref) ? undefined : nodeId
}
