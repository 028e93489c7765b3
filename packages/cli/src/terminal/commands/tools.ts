import { plainTable } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

const EFFECTS = { read: 'reads', edit: 'edits', run: 'runs' } as const

export const toolsCommand: SlashCommand = {
  name: 'tools',
  help: 'what the model can do here',
  async run(actions) {
    const { tools } = actions.agent.env
    if (tools.length === 0) return actions.show('There are no tools here: the model can only talk.')
    const columns = [{ title: 'tool' }, { title: 'it' }, { title: 'what for', flexible: true }] as const
    const rows = tools.map(({ name, effect, description }) => [name, EFFECTS[effect], description])
    actions.show(`${plainTable(actions, columns, rows)}\nWhat reads runs unasked; /mode says what else does.`)
  },
}
