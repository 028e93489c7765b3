import { preview, TreelineError } from '@treeline/core'
import { t } from '../../output/language.ts'
import { beginWith, splitBegun } from './begin-with.ts'
import { plainTable } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

/** Asked for when it runs, because it is one of them. */
export function helpCommand(list: () => readonly SlashCommand[]): SlashCommand {
  return {
    name: 'help',
    args: '[COMMAND]',
    help: () => t('what can be said to the chat itself'),
    async complete(_actions, typed) {
      const begun = splitBegun(typed)
      const names = list().map((command) => command.name)
      return begun.words.length === 0 ? beginWith(begun, names) : []
    },
    async run(actions, rest) {
      const name = rest.replace(/^\//, '')
      const found = name === '' ? list() : list().filter((command) => command.name === name)
      if (found.length === 0) {
        const message = t('There is no command /{name}. /help lists them.', { name: preview(name, 40) })
        throw new TreelineError('bad_request', message)
      }
      const columns = [{ title: t('command') }, { title: t('what it does'), flexible: true }] as const
      const rows = found.map(({ name, args, help }) => [`/${name}${args === undefined ? '' : ` ${args}`}`, help()])
      const more = name === '' ? [t('!command runs a command and shows it to the model, !!command only to you.')] : []
      actions.show([plainTable(actions, columns, rows), ...more].join('\n'))
    },
  }
}
