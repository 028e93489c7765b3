import { type IncomingHttpHeaders, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { text } from 'node:stream/consumers'
import { previewColumns } from '@treeline/core'
import type { ServerOptions } from '@treeline/server'
import type { Context } from '../context.ts'
import { counted } from '../output/amount.ts'
import { paint } from '../output/style.ts'
import type { Serving } from './open-server.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Ask = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>

/** What a browser says when somebody opens a link. */
const BY_HAND = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }

/** Asks a server that has just been started what a user would ask first, over its own port. */
export async function checkServer(
  { out }: Context,
  { server }: Serving,
  { tls }: Pick<ServerOptions, 'tls'>,
): Promise<number> {
  const ask = asker(server.url, server.port, tls?.cert)
  const failed: string[] = []
  const check = (what: string, isRight: boolean): void => {
    if (!isRight) failed.push(what)
    if (!out.isJson) out.write(`${isRight ? paint('good', '✓') : paint('bad', '✗')} ${what}\n`)
  }
  check('it runs', (await ask('/healthz')).status === 200)
  check('nobody gets in without a credential', (await ask('/api/chat/sessions')).status === 401)
  check('nor with a wrong link', (await ask(`/login?code=${'x'.repeat(43)}`, BY_HAND)).status === 401)
  check('nor under another name', (await ask('/healthz', { host: 'elsewhere.example' })).status === 403)
  const name = `check-${process.pid}`
  const { credentials } = server.services
  try {
    const authorization = `Bearer ${await credentials.createToken({ name, scope: 'read' })}`
    const sessions = await ask('/api/chat/sessions', { authorization })
    check('with a token it gives the sessions', sessions.status === 200)
    for (const told of await describeFirst(ask, authorization, sessions)) check(told, true)
  } finally {
    // Nothing is left of it in the user's home.
    await credentials.revoke(name)
  }
  if (out.isJson) out.document({ isSound: failed.length === 0, failed })
  return failed.length === 0 ? 0 : 1
}

async function describeFirst(ask: Ask, authorization: string, sessions: Answer): Promise<readonly string[]> {
  if (sessions.status !== 200) return []
  const [first] = JSON.parse(sessions.body).items as readonly { readonly sessionId: string; readonly title?: string }[]
  if (first === undefined) return []
  const { status, body } = await ask(`/api/chat/${first.sessionId}/tree?view=skeleton`, { authorization })
  if (status !== 200) return []
  const { nodes, fragments = [] } = JSON.parse(body) as { nodes: object; fragments?: readonly unknown[] }
  const stashed = fragments.length === 0 ? '' : `, ${fragments.length} in the stash`
  return [
    `“${previewColumns(first.title || first.sessionId, 40)}” has ${counted(Object.keys(nodes).length, 'node')}${stashed}`,
  ]
}

/** By the port that we know is ours, under the name that we have for others, of which no proxy or resolver need know yet. */
function asker(url: string, port: number, ca: string | undefined): Ask {
  const { host, hostname } = new URL(url)
  return (path, headers = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const where = {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      path,
      headers: { host, ...headers },
      agent: false as const,
    }
    const take = (response: import('node:http').IncomingMessage): void => {
      const { statusCode: status = 0, headers: said } = response
      text(response).then((body) => resolve({ status, headers: said, body }), reject)
    }
    const sent = ca === undefined ? request(where, take) : requestTls({ ...where, ca, servername: hostname }, take)
    sent.once('error', reject).end()
    return promise
  }
}
