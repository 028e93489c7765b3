import { preview } from '@treeline/core'
import { t } from '../../output/language.ts'
import type { SlashCommand } from './slash-command.ts'

const NAME_CHARS = 120

export const nameCommand: SlashCommand = {
  name: 'name',
  args: '[NAME]',
  help: () => t('name this session, or show its name'),
  async run(actions, rest) {
    const { session } = actions
    if (rest !== '') await session.rename(rest)
    const { name } = session
    if (name === undefined) return actions.show(t('It has no name yet: /name NAME gives it one.'))
    actions.show(t('Named {name}.', { name: JSON.stringify(preview(name, NAME_CHARS)) }))
  },
}
