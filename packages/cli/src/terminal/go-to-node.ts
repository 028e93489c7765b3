import { recallPasted, selectNode } from '@treeline/agent'
import { ROOT, type Tree } from '@treeline/core'
import { t } from '../output/language.ts'
import type { Leaving } from './ask-about-leaving.ts'
import type { ChatActions } from './chat-actions.ts'

export interface GoOptions extends Leaving {
  /** The tree was changed before: what is shown of it is old, wherever one goes. */
  readonly isEdited?: boolean
}

/**
 * M9: a prompt is taken back into the editor with its images, from anything else the conversation goes on. When a summary
 * fails or is cancelled, nothing has changed.
 */
export async function goToNode(actions: ChatActions, nodeId: string, options: GoOptions = {}): Promise<void> {
  const { isEdited = false, ...leaving } = options
  const { agent, session, signal } = actions
  const { leafId, editorText, editorContent } = await selectNode(session, nodeId)
  const typed = editorText === undefined ? undefined : await recallPasted(session, editorContent ?? editorText)
  const from = session.leafId
  const left = await agent.leaveBranch(session, { toId: leafId, signal, ...leaving })
  const isCancelled = left.isCancelled !== undefined
  const hasMoved = !isCancelled && left.leafId !== from
  if (hasMoved || isEdited) await actions.reload()
  if (isCancelled) actions.warn(t('{reason} You are where you were.', { reason: left.isCancelled }))
  else if (typed !== undefined) actions.setEditor(typed)
  if (!hasMoved) return
  if (left.notice !== undefined) actions.warn(left.notice)
  if (left.summaryId !== undefined) actions.show(t('What was tried there is summed up above.'))
  actions.show(whereText(session.tree, from, leafId))
}

function whereText(tree: Tree, fromId: string | null, toId: string | null): string {
  const [from, to] = [refOf(tree, fromId), refOf(tree, toId)]
  const { columns } = tree
  if (to === ROOT || columns.isWithin(from, to)) {
    return t('Back at an earlier place. What came after it is kept: /tree shows it.')
  }
  if (from === ROOT || columns.isWithin(to, from)) return t('Gone on to a later place.')
  return t('On another branch now. The one before is kept: /tree shows it.')
}

function refOf({ columns, ids }: Tree, id: string | null): number {
  return id === null ? ROOT : columns.ownerOf(ids.find(id))
}
