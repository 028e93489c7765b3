import { TreelineError } from '@treeline/core'
import { plainTable } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

/** Asked for when it runs, because it is one of them. */
export function helpCommand(list: () => readonly SlashCommand[]): SlashCommand {
  return {
    name: 'help',
    args: '[COMMAND]',
    help: 'what can be said to the chat itself',
    async run(actions, rest) {
      const name = rest.replace(/^\//, '')
      const found = name === '' ? list() : list().filter((command) => command.name === name)
      if (found.length === 0) throw new TreelineError('bad_request', `There is no command /${name}. /help lists them.`)
      const columns = [{ title: 'command' }, { title: 'what it does', flexible: true }] as const
      const rows = found.map(({ name, args, help }) => [`/${name}${args === undefined ? '' : ` ${args}`}`, help])
      const more = name === '' ? '\n!command runs a command and shows it to the model, !!command only to you.' : ''
      actions.show(`${plainTable(actions, columns, rows)}${more}`)
    },
  }
}
