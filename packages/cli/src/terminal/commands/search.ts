import { TreelineError } from '@treeline/core'
import type { SearchHit } from '@treeline/store'
import { nameSessions } from '../../listing/session-names.ts'
import { t } from '../../output/language.ts'
import { hitLines } from '../../searching/hit-lines.ts'
import type { ChatActions } from '../chat-actions.ts'
import { answerWidth, plain } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

const MAX_HITS = 10

export const searchCommand: SlashCommand = {
  name: 'search',
  args: 'TEXT',
  help: () => t('look for words in all sessions of all tools'),
  async run(actions, rest) {
    if (!/[^\s"]/.test(rest)) throw new TreelineError('bad_request', t('Give words to look for: /search flaky test.'))
    const { context } = actions
    const index = await context.index()
    const { hits, next } = await index.search(rest, { limit: MAX_HITS, fresh: true, signal: actions.signal })
    if (hits.length === 0) {
      return actions.show(t('Nothing says that. All words have to be in the same node; try fewer.'))
    }
    const nameOf = await nameSessions(
      index,
      hits.map(({ sessionId }) => sessionId),
    )
    const more = next === undefined ? [] : [t('There are more: `treeline search` shows them.')]
    const lines = plain(actions, hitLines(hits, answerWidth(actions), nameOf))
    actions.show(`${lines}\n\n${[...waysThere(actions, hits), ...more].join('\n')}`)
  },
}

/** How to get to a hit: what is in this session is one step away, what is in another two. */
function waysThere({ session }: ChatActions, hits: readonly SearchHit[]): readonly string[] {
  const isHere = ({ sessionId, path }: SearchHit) => sessionId === session.id || path === session.path
  return [
    ...(hits.some(isHere) ? [t('/go NODE goes to one in this session.')] : []),
    ...(hits.every(isHere) ? [] : [t('/go SESSION NODE goes to one in another session.')]),
  ]
}
