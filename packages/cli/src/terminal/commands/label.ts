import { preview, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { shortIds } from '../../drawing/short-ids.ts'
import { t } from '../../output/language.ts'
import { completeNodes } from './node-completion.ts'
import { findNodeHere } from './node-here.ts'
import type { SlashCommand } from './slash-command.ts'
import { splitFirst } from './split-first.ts'
import { lastNode } from './trunk-nodes.ts'

/** A shorter word is taken for a word: `bad` is the end of many an id. */
const MIN_PART = 6

export const labelCommand: SlashCommand = {
  name: 'label',
  args: '[NODE] TEXT',
  help: () => t('label the last node or NODE; /label NODE clears it'),
  complete: completeNodes('first'),
  async run(actions, rest) {
    const { session } = actions
    const [first, after] = splitFirst(rest)
    if (first === '') {
      throw new TreelineError('bad_request', t('Give a label: /label good idea, or /label NODE good idea.'))
    }
    const named = findNamed(session, first)
    const nodeId = named ?? lastNode(session)
    const label = named === undefined ? rest : after || null
    const before = session.tree.edits.labels.get(nodeId)?.label
    const node = shortIds(session.tree)(nodeId)
    if (label === null && before === undefined) return actions.show(t('{node} has no label.', { node }))
    await session.setLabel(nodeId, label)
    await actions.reload()
    if (label === null) return actions.show(t('Took the label from {node}.', { node }))
    actions.show(t('Labelled {node} {label}.', { node, label: JSON.stringify(preview(label, 80)) }))
  },
}

/** The node that the first word names; `undefined` when it is a word like any other. */
function findNamed(session: Session, word: string): string | undefined {
  if (word === 'leaf') return lastNode(session)
  if (word.length < MIN_PART) return undefined
  try {
    return findNodeHere(session, word)
  } catch (error) {
    if (error instanceof TreelineError && error.code === 'node_not_found') return undefined
    throw error
  }
}
