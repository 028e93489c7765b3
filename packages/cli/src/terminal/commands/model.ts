import { type Agent, setModel } from '@treeline/agent'
import { type ModelListing, openCatalogue } from '@treeline/agent/models'
import { t } from '../../output/language.ts'
import { tokensText } from '../../stats/figures.ts'
import type { ChatActions } from '../chat-actions.ts'
import { beginWith, splitBegun } from './begin-with.ts'
import { plainTable } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

export const modelCommand: SlashCommand = {
  name: 'model',
  args: '[MODEL]',
  help: () => t('who answers from here on; without MODEL, list them'),
  async complete(actions, typed) {
    const refs = offered.get(actions.agent) ?? listRefs(actions)
    offered.set(actions.agent, refs)
    return beginWith(splitBegun(typed), await refs)
  },
  async run(actions, rest) {
    // Somebody who looks at the list may have started a local one meanwhile.
    offered.delete(actions.agent)
    if (rest === '') return actions.show(await showUsable(actions))
    // One that cannot be asked is refused here, not at the next prompt.
    const { ref } = await actions.agent.env.models.open(rest)
    await setModel(actions.session, ref)
    await actions.reload()
    actions.show(t('{model} answers from here on.', { model: ref }))
  },
}

/** Asked for with every key, and local providers are asked over the network. */
const offered = new WeakMap<Agent, Promise<readonly string[]>>()

async function listRefs(actions: ChatActions): Promise<readonly string[]> {
  return (await listUsable(actions)).map(({ ref }) => ref)
}

async function listUsable({ context, cwd }: ChatActions): Promise<readonly ModelListing[]> {
  const { catalogue } = await openCatalogue({ home: await context.home(), cwd, env: context.env })
  return (await catalogue.list()).filter(({ isUsable, isOld }) => isUsable && !isOld)
}

async function showUsable(actions: ChatActions): Promise<string> {
  const usable = await listUsable(actions)
  const current = await currentRef(actions)
  const columns = [
    { title: '' },
    { title: t('model') },
    { title: t('context'), align: 'right' },
    { title: t('key or place'), flexible: true },
  ] as const
  const rows = usable.map(({ ref, info, where }) => [
    ref === current ? '*' : '',
    ref,
    tokensText(info.contextWindow),
    where,
  ])
  const hint = t('Choose: /model PROVIDER/MODEL. Set a key: `treeline auth set PROVIDER`.')
  return `${plainTable(actions, columns, rows)}\n${hint}`
}

/** `undefined` where the model that was chosen cannot be opened: the list then shows what can be chosen instead. */
async function currentRef({ agent, session }: ChatActions): Promise<string | undefined> {
  const { state } = await session.line()
  return state.models.default ?? agent.env.models.defaultRef().catch(() => undefined)
}
