import { t } from '../../output/language.ts'
import type { SlashCommand } from './slash-command.ts'

export const quitCommand: SlashCommand = {
  name: 'quit',
  help: () => t('leave; the session is kept as it is'),
  async run(actions) {
    actions.quit()
  },
}
