import { previewColumns } from '@treeline/core'
import { messagesText } from '../../output/counted-words.ts'
import { inOneLine, t } from '../../output/language.ts'
import { tokensText } from '../../stats/figures.ts'
import { answerWidth, plain } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

export const compactCommand: SlashCommand = {
  name: 'compact',
  args: '[TEXT]',
  help: () => t('sum up the beginning; TEXT says what matters'),
  async run(actions, rest) {
    const { agent, session, signal } = actions
    actions.show(t('Summing up …'))
    const report = await agent.compact(session, { signal, ...(rest !== '' && { instructions: rest }) })
    if (report === undefined) return actions.show(t('There is too little to sum up yet.'))
    await actions.reload()
    const { coveredIds, keptIds, tokensBefore, tokensAfter, shortSummary, summary } = report
    const what = t('Summed up {messages}, {kept} kept as they are: about {before} → {after} tokens.', {
      messages: messagesText(coveredIds.length),
      kept: keptIds.length,
      before: tokensText(tokensBefore),
      after: tokensText(tokensAfter),
    })
    const short = plain(actions, [previewColumns(shortSummary || summary, answerWidth(actions))])
    actions.show(`${inOneLine([what, t('/undo takes it back.')])}\n${short}`)
  },
}
