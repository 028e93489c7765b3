import { TreelineError } from '@treeline/core'
import { nameSessions } from '../../listing/session-names.ts'
import { hitLines } from '../../searching/hit-lines.ts'
import { answerWidth, plain } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

const MAX_HITS = 10

export const searchCommand: SlashCommand = {
  name: 'search',
  args: 'TEXT',
  help: 'look for words in all sessions of all tools',
  async run(actions, rest) {
    if (!/[^\s"]/.test(rest)) throw new TreelineError('bad_request', 'Give words to look for: /search flaky test.')
    const { context } = actions
    const index = await context.index()
    const { hits, next } = await index.search(rest, { limit: MAX_HITS, fresh: true, signal: context.signal })
    if (hits.length === 0) return actions.show('Nothing says that. All words have to be in the same node; try fewer.')
    const nameOf = await nameSessions(
      index,
      hits.map(({ sessionId }) => sessionId),
    )
    const more = next === undefined ? '' : ` There are more: \`treeline search\` shows them.`
    const hint = `/resume ID goes on with a session.${more}`
    actions.show(`${plain(hitLines(hits, answerWidth(actions), nameOf))}\n\n${hint}`)
  },
}
