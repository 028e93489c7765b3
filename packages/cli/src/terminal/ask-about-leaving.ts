import { selectNode } from '@treeline/agent'
import { commonAncestor, ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import { messagesText } from '../output/counted-words.ts'
import { t } from '../output/language.ts'
import type { ChatActions } from './chat-actions.ts'

/** What becomes of a branch that is left. */
export interface Leaving {
  readonly summarise?: boolean
  /** What the summary is to be about. */
  readonly instructions?: string
}

/** M8: whether the branch is summed up for where one goes. `undefined` when the user would rather stay. */
export async function askAboutLeaving(actions: ChatActions, nodeId: string): Promise<Leaving | undefined> {
  const { agent, session } = actions
  const { leafId } = await selectNode(session, nodeId)
  const count = countLeft(session, leafId)
  if (count === 0 || agent.env.settings.branchSummary.skipPrompt) return {}
  const title = t('This leaves {messages} behind. Sum them up for the model?', { messages: messagesText(count) })
  for (;;) {
    const answer = await actions.choose({
      title,
      choices: [
        { value: 'none', key: 'n', label: t('no summary') },
        { value: 'plain', key: 's', label: t('summary') },
        { value: 'told', key: 'i', label: t('summary with instructions') },
      ],
    })
    if (answer === undefined) return undefined
    if (answer === 'none') return {}
    if (answer === 'plain') return { summarise: true }
    const instructions = await actions.askLine(t('What should the summary see to?'))
    if (instructions !== undefined) return { summarise: true, ...(instructions !== '' && { instructions }) }
  }
}

/** Nodes between where one is and what that shares with where one goes. */
function countLeft({ tree, leafId }: Session, toId: string | null): number {
  const { columns, ids } = tree
  if (leafId === null) return 0
  const from = columns.ownerOf(ids.find(leafId))
  const shared = toId === null ? ROOT : commonAncestor(tree, from, ids.find(toId))
  let count = 0
  for (let at = from; at > ROOT && at !== shared; at = columns.parent[at]!) count++
  return count
}
