import { t } from '../../output/language.ts'
import { keysHelp } from '../keys-help.ts'
import { plainTable } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

export const keysCommand: SlashCommand = {
  name: 'keys',
  help: () => t('what the keys do'),
  async run(actions) {
    const columns = [{ title: t('key') }, { title: t('what it does'), flexible: true }] as const
    const rows = keysHelp.map(([keys, what]) => [keys, what()])
    actions.show(plainTable(actions, columns, rows))
  },
}
