import { type EditPlan, type EditRequestOp, estimateTokens, Flag, nodePath, preview, ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import { describeEdit } from '../../editing/describe-edit.ts'
import { numberText } from '../../output/amount.ts'
import { nodesText } from '../../output/counted-words.ts'
import { inOneLine, t } from '../../output/language.ts'
import { shortId } from '../../output/short-id.ts'
import type { TreeCalls } from './tree-keys.ts'

/** Of a longer conversation it is not told what an edit saves: one would wait for it. */
const MAX_MEASURED_NODES = 5_000
const LABEL_GRAPHEMES = 40

type TreeEdits = Pick<TreeCalls, 'onMute' | 'onPrune' | 'onGraft' | 'onLabel' | 'onUndo' | 'onRedo'>

/** What the keys of the tree change, each with a line that tells what came of it. */
export function treeEdits(session: Session): TreeEdits {
  const edit = (what: () => string, operation: EditRequestOp) =>
    performed(session, what, () => session.edit({ operations: [operation] }))
  return {
    onMute(nodeId) {
      const { columns, ids } = session.tree
      const isMuted = columns.has(ids.find(nodeId), Flag.muted)
      const what = () =>
        isMuted ? t('Unmuted {nodes}', { nodes: nodesText(1) }) : t('Muted {nodes}', { nodes: nodesText(1) })
      return edit(what, { op: isMuted ? 'unmute' : 'mute', nodeIds: [nodeId] })
    },
    onPrune(nodeId) {
      const what = () => t('Pruned {nodes} into the stash', { nodes: nodesText(sizeOf(session, nodeId)) })
      return edit(what, { op: 'prune', nodeId, include: 'self' })
    },
    onGraft(sourceId, targetId) {
      const ends = { id: shortId(sourceId), parent: shortId(targetId) }
      return edit(() => t('Grafted {id} under {parent}', ends), { op: 'graft', sourceId, targetId })
    },
    async onLabel(nodeId, label) {
      await session.setLabel(nodeId, label === '' ? null : label)
      if (label === '') return t('Took the label away. Alt+U undoes it.')
      return t('Labelled “{label}”. Alt+U undoes it.', { label: preview(label, LABEL_GRAPHEMES) })
    },
    async onUndo() {
      const plan = await session.undo()
      const what = await describe(session, takenBack(session, plan.entry?.id))
      return withWarnings(t('Undone: {what}. Alt+R does it again.', { what }), plan)
    },
    async onRedo() {
      const plan = await session.redo()
      const what = await describe(session, takenBack(session, takenBack(session, plan.entry?.id)))
      return withWarnings(t('Redone: {what}. Alt+U undoes it.', { what }), plan)
    },
  }
}

async function performed(session: Session, what: () => string, perform: () => Promise<EditPlan>): Promise<string> {
  const before = await tokensOf(session)
  const plan = await perform()
  if (plan.entry === undefined) return t('It is so already; nothing was changed.')
  const effect = effectText(before, await tokensOf(session))
  const told =
    effect === undefined
      ? t('{what}. Alt+U undoes it.', { what: what() })
      : t('{what}: {effect}. Alt+U undoes it.', { what: what(), effect })
  return withWarnings(told, plan)
}

/** An estimate of what the model is sent. */
async function tokensOf(session: Session): Promise<number | undefined> {
  const { tree, leafId } = session
  const path = leafId === null ? [] : nodePath(tree, tree.ids.find(leafId))
  return path.length > MAX_MEASURED_NODES ? undefined : estimateTokens((await session.line()).messages)
}

function effectText(before: number | undefined, after: number | undefined): string | undefined {
  if (before === undefined || after === undefined) return undefined
  if (before === after) return t('the model is sent the same')
  const difference = Math.abs(after - before)
  if (difference === 1) return after < before ? t('about 1 token less') : t('about 1 token more')
  const count = numberText(difference)
  return after < before ? t('about {count} tokens less', { count }) : t('about {count} tokens more', { count })
}

function sizeOf({ tree: { columns, ids } }: Session, nodeId: string): number {
  let count = 0
  for (const ref of columns.subtree(ids.find(nodeId))) if (ref > ROOT) count++
  return count
}

/** The edit that another one takes back. */
function takenBack({ tree }: Session, editId: string | undefined): string | undefined {
  return editId === undefined ? undefined : tree.edits.recordById.get(editId)?.undoes
}

async function describe(session: Session, editId: string | undefined): Promise<string> {
  return describeEdit(editId === undefined ? undefined : await session.readEntry(editId))
}

function withWarnings(told: string, { warnings }: EditPlan): string {
  return inOneLine([told, ...warnings.map(({ detail }) => detail)])
}
