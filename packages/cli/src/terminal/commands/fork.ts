import { recallPasted, selectNode } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import { entriesText } from '../../output/counted-words.ts'
import { t } from '../../output/language.ts'
import { shortId } from '../../output/short-id.ts'
import type { ChatActions } from '../chat-actions.ts'
import { isKept } from './is-kept.ts'
import { completeNodes } from './node-completion.ts'
import { findNodeHere } from './node-here.ts'
import type { SlashCommand } from './slash-command.ts'
import { lastNode } from './trunk-nodes.ts'

const HERE = 'here'

/** M10: without a node the prompts are listed, and the fork ends before the one that is picked, which is said anew. */
export const forkCommand: SlashCommand = {
  name: 'fork',
  args: '[here|NODE]',
  help: () => t('a copy of this branch as a new session, up to NODE'),
  complete: completeNodes('first', { words: [HERE] }),
  async run(actions, rest) {
    const { session } = actions
    if (!isKept(session)) {
      throw new TreelineError('bad_request', t('This chat keeps nothing (--no-session), and a fork would be kept.'))
    }
    lastNode(session)
    if (rest === '') return actions.open('fork')
    if (rest === HERE) return forkTo(actions, { leafId: session.leafId })
    await forkTo(actions, await selectNode(session, findNodeHere(session, rest)))
  },
}

type Selected = Awaited<ReturnType<typeof selectNode>>

async function forkTo(actions: ChatActions, selected: Selected): Promise<void> {
  const { context, cwd, session } = actions
  const { leafId: nodeId, editorText, editorContent } = selected
  const leftOut: string[] = []
  const store = await context.store()
  const onLeftOut = ({ message }: TreelineError) => leftOut.push(message)
  const fork = await store.fork(session, { cwd, nodeId, onLeftOut })
  await actions.switchTo(fork)
  if (editorText !== undefined) actions.setEditor(await recallPasted(fork, editorContent ?? editorText))
  for (const message of leftOut) actions.warn(message)
  actions.show(
    t('Forked: {id} with {entries}. The one before: /resume {before}', {
      id: shortId(fork.id),
      entries: entriesText(fork.tree.rowCount),
      before: shortId(session.id),
    }),
  )
}
