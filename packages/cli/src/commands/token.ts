import { TreelineError } from '@treeline/core'
import type { Credentials } from '@treeline/server'
import { defineCommand } from '../args/command.ts'
import type { Context } from '../context.ts'
import { paint } from '../output/style.ts'
import { table } from '../output/table.ts'

const SCOPES = ['read', 'write', 'admin'] as const

export const command = defineCommand({
  positionals: [
    { name: 'ACTION', help: 'list, create or revoke', optional: true, choices: ['list', 'create', 'revoke'] },
    { name: 'NAME', help: 'of the token: letters, digits, ".", "_", "-"', optional: true, completes: 'none' },
  ],
  options: {
    scope: {
      type: 'string',
      value: 'SCOPE',
      choices: SCOPES,
      help: 'what it may do: read (by default), write or admin',
    },
  },
  details:
    'Programs send a token to treeline serve: `Authorization: Bearer …`. It is printed once and kept as a hash, so note it ' +
    'where your program finds it. To revoke counts at once, in servers that run, too, and closes what it had open. ' +
    '"browser" stands for all browsers that are logged in: to revoke it logs them out.',
  examples: [
    ['treeline token create my-script', 'one that may read'],
    ['treeline token create bot --scope write', 'one that may also talk and edit'],
    ['treeline token', 'which there are'],
    ['treeline token revoke browser', 'log all browsers out'],
  ],
  json:
    '{"tokens":[{"kind":"token"|"cookie","name","scope","createdAt","expiresAt"?}]}; for create {"name","scope","token"}; ' +
    'for revoke {"name","revoked"}',
  async run({ args: [action = 'list', name], options, context }) {
    // Loaded here, because help and completion load this file too.
    const { openCredentials } = await import('../opening/credentials.ts')
    using credentials = openCredentials({
      home: await context.home(),
      onFailure: (error) => {
        throw error
      },
    })
    if (action === 'list') return list(context, credentials)
    if (name === undefined) throw new TreelineError('bad_request', `Name it: \`treeline token ${action} my-script\`.`)
    if (action === 'revoke') return revoke(context, credentials, name)
    return create(context, credentials, name, SCOPES.find((scope) => scope === options.scope) ?? 'read')
  },
})

function list({ out }: Context, credentials: Credentials): number {
  const tokens = credentials.list()
  out.json({ tokens })
  if (tokens.length === 0) {
    out.print('Nobody may ask yet. `treeline token create NAME` makes a token for a program.')
    return 0
  }
  const columns = [
    { title: 'name', style: 'id' },
    { title: 'scope' },
    { title: 'since', spare: 1 },
    { title: 'until' },
  ] as const
  const day = (time: string | undefined): string => time?.slice(0, 10) ?? 'it is revoked'
  const rows = tokens.map(({ name, scope, createdAt, expiresAt }) => [name, scope, day(createdAt), day(expiresAt)])
  for (const line of table(columns, rows, out.columns)) out.print(line)
  return 0
}

async function create(
  { out }: Context,
  credentials: Credentials,
  name: string,
  scope: (typeof SCOPES)[number],
): Promise<number> {
  const token = await credentials.createToken({ name, scope })
  out.json({ name, scope, token })
  // Alone on standard output, so that a script can take it.
  out.print(token)
  if (!out.isJson) out.note(`${paint('good', 'Made')}: ${name}, which may ${MAY[scope]}. It is not shown again.`)
  return 0
}

const MAY = { read: 'read', write: 'read and write', admin: 'do everything' } as const

async function revoke({ out }: Context, credentials: Credentials, name: string): Promise<number> {
  const revoked = await credentials.revoke(name)
  out.json({ name, revoked })
  out.print(revoked ? `${paint('good', 'Revoked')}: ${name}.` : `There is no token ${name}.`)
  return 0
}
