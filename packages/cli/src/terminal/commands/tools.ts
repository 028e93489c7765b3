import { t } from '../../output/language.ts'
import { plainTable } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

const EFFECTS = { read: () => t('reads'), edit: () => t('edits'), run: () => t('runs') } as const

export const toolsCommand: SlashCommand = {
  name: 'tools',
  help: () => t('what the model can do here'),
  async run(actions) {
    const { tools } = actions.agent.env
    if (tools.length === 0) return actions.show(t('There are no tools here: the model can only talk.'))
    const columns = [{ title: t('tool') }, { title: t('it') }, { title: t('what for'), flexible: true }] as const
    const rows = tools.map(({ name, effect, description }) => [name, EFFECTS[effect](), description])
    const hint = t('What reads runs unasked; /mode says what else does.')
    actions.show(`${plainTable(actions, columns, rows)}\n${hint}`)
  },
}
