import { preview } from '@treeline/core'
import type { SlashCommand } from './slash-command.ts'

const NAME_CHARS = 120

export const nameCommand: SlashCommand = {
  name: 'name',
  args: '[NAME]',
  help: 'name this session, or show its name',
  async run(actions, rest) {
    const { session } = actions
    if (rest !== '') await session.rename(rest)
    const { name } = session
    actions.show(name === undefined ? 'It has no name yet: /name NAME gives it one.' : `Named ${quote(name)}.`)
  },
}

function quote(name: string): string {
  return JSON.stringify(preview(name, NAME_CHARS))
}
