import { counted } from '../../output/amount.ts'
import { measureSession } from '../../stats/measure-session.ts'
import { totalText, usageTable } from '../../stats/usage-table.ts'
import { answerWidth, plain } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

export const statsCommand: SlashCommand = {
  name: 'stats',
  help: 'tokens and cost of this session, all its branches',
  async run(actions) {
    const { session, context } = actions
    const { totals, branches, models } = await measureSession(session, context.signal)
    const said = [
      counted(totals.messages, 'message'),
      counted(totals.toolCalls, 'tool call'),
      counted(totals.answers, 'answer'),
      counted(branches.length, 'branch', 'branches'),
    ].join(', ')
    const rows = models.byCost().map(([model, tally]) => [model ?? 'not said', tally] as const)
    const byModel = rows.length < 2 ? '' : `\n\n${plain(usageTable('model', rows, answerWidth(actions)))}`
    actions.show(`${said}\n${totalText(totals)}${byModel}`)
  },
}
