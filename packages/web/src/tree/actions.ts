import { type ChatMessageNode, type EditOp, type EditResult, routes } from '@treeline/protocol'
import { followJob } from '../shell/job-notices.ts'
import { tell, tellProblem } from '../shell/notices.ts'
import { goTo } from '../shell/route.ts'
import { tellUndoable } from '../shell/undoable.ts'
import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { type DropTarget, graftOp } from './drag.ts'

/** As many as one request takes. */
const MOST_IDS = 10_000

/** Whatever is done to the tree, by a key, the menu or a drag. A refusal is told; `false` or `undefined` says there was one. */
async function attempt<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    tellProblem(error)
    return undefined
  }
}

function edit(session: OpenSession, operations: EditOp[]): Promise<EditResult | undefined> {
  return attempt(() => session.edit(operations))
}

/** An edit with a word about it and the way back. */
async function editAndTell(session: OpenSession, operations: EditOp[], text: string): Promise<EditResult | undefined> {
  const done = await edit(session, operations)
  // No opId: nothing was changed.
  if (typeof done?.opId === 'string') tellUndoable(session, text, done.opId)
  return done
}

/**
 * From another branch, all of it to its end; on the trunk, exactly there, and what comes after is a branch from then on.
 */
export async function switchTrunk(session: OpenSession, nodeId: string): Promise<void> {
  const { tree } = session
  const isOnTrunk = tree.trunk().includes(tree.place(nodeId))
  if (nodeId === tree.activeLeafId) return
  await attempt(() => session.setActiveLeaf(nodeId, isOnTrunk ? 'exact' : 'descend'))
}

export async function goOnFrom(session: OpenSession, nodeId: string): Promise<void> {
  await attempt(() => session.setActiveLeaf(nodeId))
}

export async function mute(session: OpenSession, nodeIds: readonly string[], isMuted: boolean): Promise<void> {
  if (nodeIds.length === 0) return
  await attempt(async () => {
    for (let from = 0; from < nodeIds.length; from += MOST_IDS) {
      await session.setEnabled(nodeIds.slice(from, from + MOST_IDS), !isMuted)
    }
  })
}

/** Into the stash: a node with all that hangs under it. Gives its id when it lies there. */
export async function cutOut(session: OpenSession, nodeIds: readonly string[]): Promise<string | undefined> {
  const operations = nodeIds.map((nodeId): EditOp => ({ op: 'prune', nodeId, include: 'self' }))
  const text = t('Cut out, into the stash. Press p on a node to graft it there.')
  return (await editAndTell(session, operations, text)) === undefined ? undefined : nodeIds[0]
}

/** Into the stash: what follows a node. */
export async function prune(session: OpenSession, nodeId: string): Promise<void> {
  await editAndTell(session, [{ op: 'prune', nodeId }], t('What followed is cut off, into the stash.'))
}

/** Gives the id of what stands there now: of a copy, that of the copy. */
export async function graft(
  session: OpenSession,
  sourceId: string,
  target: Pick<DropTarget, 'nodeId' | 'where'>,
  isCopy: boolean,
): Promise<string | undefined> {
  const operation = graftOp(session.tree, sourceId, target, isCopy)
  const done = await editAndTell(session, [operation], isCopy ? t('Copied here.') : t('Moved here.'))
  return done === undefined ? undefined : (done.idMap?.[sourceId] ?? sourceId)
}

/** One place towards the first or the last of its siblings, as a drop beside one of them does. */
export async function moveAmongSiblings(session: OpenSession, nodeId: string, step: 1 | -1): Promise<void> {
  const { tree } = session
  const siblings = tree.siblingsOf(tree.place(nodeId))
  const neighbour = siblings[siblings.indexOf(tree.place(nodeId)) + step]
  if (neighbour === undefined) return
  const where = step === 1 ? 'after' : 'before'
  await edit(session, [graftOp(tree, nodeId, { nodeId: tree.ids[neighbour]!, where }, false)])
}

/** Where it was cut out, as far as that is still there. */
export async function putBack(session: OpenSession, fragmentId: string): Promise<void> {
  const fragment = session.fragments.find((one) => one.fragmentId === fragmentId)
  if (fragment === undefined) return
  const { rootId: sourceId, fromParentId: targetId, fromIndex: index } = fragment
  await editAndTell(session, [{ op: 'graft', sourceId, targetId, mode: 'move', index }], t('Back where it was.'))
}

export async function remove(
  session: OpenSession,
  nodeIds: readonly string[],
  how: 'subtree' | 'splice',
): Promise<boolean> {
  const done = await edit(session, [{ op: 'delete', nodeIds: [...nodeIds], how }])
  if (done === undefined) return false
  const restore = (): void => void edit(session, [{ op: 'restore', nodeIds: [...nodeIds] }])
  tell(t('Deleted.'), { of: session.id, action: { label: t('Restore'), run: restore } })
  return true
}

/** '' takes the label away. */
export async function setLabel(session: OpenSession, nodeId: string, label: string): Promise<void> {
  await edit(session, [{ op: 'setMetadata', nodeId, patch: { labels: label === '' ? null : [label] } }])
}

/** The same rating once more takes it away; of several, where all have it. */
export async function rate(session: OpenSession, nodeIds: readonly string[], rating: number): Promise<void> {
  const nodes = await attempt(() => session.read(nodeIds))
  if (nodes === undefined) return
  const isSame = nodes.length > 0 && nodes.every(({ metadata }) => metadata?.rating === rating)
  const patch = { rating: isSame ? null : rating }
  await edit(
    session,
    nodeIds.map((nodeId): EditOp => ({ op: 'setMetadata', nodeId, patch })),
  )
}

/** What a node says, whether it was looked at before or not. */
export async function readNode(session: OpenSession, nodeId: string): Promise<ChatMessageNode | undefined> {
  return (await attempt(() => session.read([nodeId])))?.[0]
}

export async function fork(session: OpenSession, nodeId: string, scope: 'path' | 'subtree'): Promise<void> {
  const { id: sessionId, connection } = session
  const made = await attempt(() =>
    connection.call(routes.forkSession, { params: { sessionId }, body: { nodeId, scope } }),
  )
  if (made !== undefined) goTo({ sessionId: made.sessionId })
}

export async function summarise(session: OpenSession, nodeIds: readonly string[]): Promise<void> {
  const params = { sessionId: session.id }
  const body = { nodeIds: nodeIds.slice(0, MOST_IDS) }
  const text = t('A summary is being written. When it is there, what it covers is muted.')
  const job = { sessionId: session.id, job: 'summarize', text } as const
  await attempt(() => followJob(job, () => session.connection.call(routes.summarize, { params, body })))
}

export async function merge(session: OpenSession, leafIds: readonly string[]): Promise<void> {
  const params = { sessionId: session.id }
  const body = { leafIds: [...leafIds], strategy: 'synthesize' as const }
  const text = t('The branches are being merged into a new one.')
  const job = { sessionId: session.id, job: 'merge', text } as const
  await attempt(() => followJob(job, () => session.connection.call(routes.merge, { params, body })))
}

export async function nameFragment(session: OpenSession, fragmentId: string, title: string): Promise<void> {
  const params = { sessionId: session.id, fragmentId }
  const named = await attempt(() => session.connection.call(routes.patchFragment, { params, body: { title } }))
  if (named !== undefined) session.setFragment(named)
}
