import { setModel } from '@treeline/agent'
import { openCatalogue } from '@treeline/agent/models'
import { tokensText } from '../../stats/figures.ts'
import type { ChatActions } from '../chat-actions.ts'
import { plainTable } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

const COLUMNS = [
  { title: '' },
  { title: 'model' },
  { title: 'context', align: 'right' },
  { title: 'key or place', flexible: true },
] as const

export const modelCommand: SlashCommand = {
  name: 'model',
  args: '[MODEL]',
  help: 'who answers from here on; without MODEL, list them',
  async run(actions, rest) {
    if (rest === '') return actions.show(await listUsable(actions))
    // One that cannot be asked is refused here, not at the next prompt.
    const { ref } = await actions.agent.env.models.open(rest)
    await setModel(actions.session, ref)
    await actions.reload()
    actions.show(`${ref} answers from here on.`)
  },
}

async function listUsable(actions: ChatActions): Promise<string> {
  const { context, cwd } = actions
  const { catalogue } = await openCatalogue({ home: await context.home(), cwd, env: context.env })
  const usable = (await catalogue.list()).filter(({ isUsable, isOld }) => isUsable && !isOld)
  const current = await currentRef(actions)
  const rows = usable.map(({ ref, info, where }) => [
    ref === current ? '*' : '',
    ref,
    tokensText(info.contextWindow),
    where,
  ])
  const hint = 'Choose: /model PROVIDER/MODEL. Set a key: `treeline auth set PROVIDER`.'
  return `${plainTable(actions, COLUMNS, rows)}\n${hint}`
}

/** `undefined` where the model that was chosen cannot be opened: the list then shows what can be chosen instead. */
async function currentRef({ agent, session }: ChatActions): Promise<string | undefined> {
  const { state } = await session.line()
  return state.models.default ?? agent.env.models.defaultRef().catch(() => undefined)
}
