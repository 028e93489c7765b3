import { numberText } from '../../output/amount.ts'
import { messagesText } from '../../output/counted-words.ts'
import { t } from '../../output/language.ts'
import { measureSession } from '../../stats/measure-session.ts'
import { totalText, usageTable } from '../../stats/usage-table.ts'
import { answerWidth, plain } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

export const statsCommand: SlashCommand = {
  name: 'stats',
  help: () => t('tokens and cost of this session, all its branches'),
  async run(actions) {
    const { session, signal } = actions
    const { totals, branches, models } = await measureSession(session, signal)
    const said = [
      messagesText(totals.messages),
      callsText(totals.toolCalls),
      answersText(totals.answers),
      branchesText(branches.length),
    ].join(t(', '))
    const rows = models.byCost().map(([model, tally]) => [model ?? t('not said'), tally] as const)
    const byModel = rows.length < 2 ? '' : `\n\n${plain(actions, usageTable(t('model'), rows, answerWidth(actions)))}`
    actions.show(`${said}\n${totalText(totals)}${byModel}`)
  },
}

function callsText(count: number): string {
  return count === 1 ? t('1 tool call') : t('{count} tool calls', { count: numberText(count) })
}

function answersText(count: number): string {
  return count === 1 ? t('1 answer') : t('{count} answers', { count: numberText(count) })
}

function branchesText(count: number): string {
  return count === 1 ? t('1 branch') : t('{count} branches', { count: numberText(count) })
}
