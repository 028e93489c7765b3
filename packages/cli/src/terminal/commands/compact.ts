import { previewColumns } from '@treeline/core'
import { counted } from '../../output/amount.ts'
import { tokensText } from '../../stats/figures.ts'
import { answerWidth } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

export const compactCommand: SlashCommand = {
  name: 'compact',
  args: '[TEXT]',
  help: 'sum up the beginning; TEXT says what matters',
  async run(actions, rest) {
    const { agent, session, signal } = actions
    actions.show('Summing up …')
    const report = await agent.compact(session, { signal, ...(rest !== '' && { instructions: rest }) })
    if (report === undefined) return actions.show('There is too little to sum up yet.')
    await actions.reload()
    const { coveredIds, keptIds, tokensBefore, tokensAfter, shortSummary, summary } = report
    const what = `Summed up ${counted(coveredIds.length, 'message')}, ${keptIds.length} kept as they are`
    const size = `about ${tokensText(tokensBefore)} → ${tokensText(tokensAfter)} tokens`
    const short = previewColumns(shortSummary || summary, answerWidth(actions))
    actions.show(`${what}: ${size}. /undo takes it back.\n${short}`)
  },
}
