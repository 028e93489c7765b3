import { findProvider, type OpenedCatalogue, openCatalogue } from '@treeline/agent/models'
import { TreelineError } from '@treeline/core'
import { defineCommand } from '../args/command.ts'
import type { Context } from '../context.ts'
import { listKeys } from '../models/key-list.ts'
import { paint } from '../output/style.ts'
import { table } from '../output/table.ts'

export const command = defineCommand({
  positionals: [
    { name: 'ACTION', help: 'list, set or remove', optional: true, choices: ['list', 'set', 'remove'] },
    { name: 'PROVIDER', help: 'whose key: anthropic, openai, google …', optional: true, rest: true, completes: 'none' },
  ],
  options: {},
  details:
    'Keys are taken from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY …), else from auth.json in the ' +
    'home, which only you can read and which is in no backup. A new key is asked for at the terminal, unseen, or read ' +
    'from standard input; there is no way to give it on the command line, where the shell would keep it.',
  examples: [
    ['treeline auth', 'which providers have a key, and from where'],
    ['treeline auth set anthropic', 'type or paste the key unseen'],
    ['pass show openai | treeline auth set openai', 'from a password store'],
    ['treeline auth remove openai', 'forget it'],
  ],
  json:
    '{"providers":[{"provider","from":variable|"auth.json"|null,"ending":last four characters|null,"problem"|null}]}; ' +
    'for set {"provider","stored"}; for remove {"provider","removed"}; never a key',
  async run({ args: [action = 'list', provider, ...more], context }) {
    const { out, cwd, env } = context
    if (more.length > 0) throw new TreelineError('bad_request', `One provider at a time. ${NO_ARGUMENT}`)
    const opened = await openCatalogue({ home: await context.home(), cwd, env })
    for (const { message } of opened.problems) out.note(message)
    if (action === 'list') return list(context, opened, provider)
    if (provider === undefined)
      throw new TreelineError('bad_request', `Say whose key: \`treeline auth ${action} openai\`.`)
    return action === 'set' ? set(context, opened, provider) : remove(context, opened, provider)
  },
})

const NO_ARGUMENT =
  'A key is never given as an argument, where the shell keeps it and other users see it: it is asked for, or read ' +
  'from standard input. If you just gave one, replace it.'

function list({ out, env }: Context, opened: OpenedCatalogue, only: string | undefined): number {
  const providers = listKeys(opened, env).filter(({ provider }) => only === undefined || provider === only)
  out.json({ providers })
  const columns = [{ title: 'provider', style: 'id' }, { title: 'key' }, { title: 'from', flexible: true }] as const
  const rows = providers.map(({ provider, from, ending, problem }) => [
    provider,
    from === null ? '-' : ending === null ? 'set' : `…${ending}`,
    problem ?? from ?? '',
  ])
  for (const line of table(columns, rows, out.columns)) out.print(line)
  return 0
}

async function set(context: Context, { keys, settings }: OpenedCatalogue, name: string): Promise<number> {
  const { out, env } = context
  const provider = findProvider(name, settings, env)
  if (provider.api === 'demo') throw new TreelineError('bad_request', 'The demo needs no key.')
  await keys.set(name, await readKey(context, name))
  out.json({ provider: name, stored: true })
  out.print(`${paint('good', 'Stored')}: the key for ${name}.`)
  const variable = provider.keyVariables.find((variable) => env[variable]?.trim())
  if (variable !== undefined) out.note(`${variable} is set too, and is used instead of it.`)
  return 0
}

async function readKey(context: Context, name: string): Promise<string> {
  if (context.canAsk) return context.askHidden(`The key for ${name} (it is not shown):`)
  // At a terminal where nothing can be asked unseen, what is typed would be shown.
  if (context.isPiped) return context.readInput()
  throw new TreelineError('bad_request', 'The key cannot be asked for here: give it on standard input.')
}

async function remove({ out, env }: Context, { keys, settings }: OpenedCatalogue, name: string): Promise<number> {
  const removed = await keys.remove(name)
  // Whoever it is that has no key: a name that is none is refused.
  if (!removed) findProvider(name, settings, env)
  out.json({ provider: name, removed })
  out.print(removed ? `${paint('good', 'Removed')}: the key for ${name}.` : `No key for ${name} is stored.`)
  return 0
}
