import { t } from '../../output/language.ts'
import { findTarget } from '../../target.ts'
import { resumeHere } from '../picker/resume-here.ts'
import { completeSessions } from './session-completion.ts'
import type { SlashCommand } from './slash-command.ts'

export const resumeCommand: SlashCommand = {
  name: 'resume',
  args: '[ID]',
  help: () => t('go on with another session; without ID, choose one'),
  complete: completeSessions,
  async run(actions, rest) {
    if (rest === '') return actions.open('sessions')
    await resumeHere(actions, { path: await findTarget(actions.context, rest) })
  },
}
