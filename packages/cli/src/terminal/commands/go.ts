import { TreelineError } from '@treeline/core'
import { t } from '../../output/language.ts'
import { findTarget } from '../../target.ts'
import type { ChatActions } from '../chat-actions.ts'
import { goToNode } from '../go-to-node.ts'
import { resumeHere } from '../picker/resume-here.ts'
import { completeNodes } from './node-completion.ts'
import { findNodeHere } from './node-here.ts'
import type { SlashCommand } from './slash-command.ts'
import { splitWords } from './split-first.ts'

/** What choosing it in /tree does, for who knows the id: from /search, /branches, /stash. */
export const goCommand: SlashCommand = {
  name: 'go',
  args: '[SESSION] NODE',
  help: () => t('go on from NODE: an id, a part of one, or a label'),
  complete: completeNodes('first', { list: 'ends' }),
  async run(actions, rest) {
    if (rest === '') {
      const message = t('Say where to: /go NODE. /branches and /search show ids, /tree shows all.')
      throw new TreelineError('bad_request', message)
    }
    const [session, nodeId, ...others] = splitWords(rest)
    const isElsewhere = nodeId !== undefined && others.length === 0 && !isLabel(actions, rest)
    if (isElsewhere) await resumeHere(actions, { path: await findTarget(actions.context, session), nodeId })
    else await goToNode(actions, findNodeHere(actions.session, rest))
  },
}

/** A label may have blanks in it. */
function isLabel({ session }: ChatActions, text: string): boolean {
  return [...session.tree.edits.labels.values()].some(({ label }) => label === text)
}
