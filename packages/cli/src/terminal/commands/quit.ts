import type { SlashCommand } from './slash-command.ts'

export const quitCommand: SlashCommand = {
  name: 'quit',
  help: 'leave; the session is kept as it is',
  async run(actions) {
    actions.quit()
  },
}
