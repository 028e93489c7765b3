import { TreelineError } from '@treeline/core'
import type { Scope } from '@treeline/protocol'
import { type Actor, mayDo } from './actor.ts'
import type { Asked } from './asked.ts'
import { findCookieSecret } from './cookie.ts'
import type { Credentials } from './credentials.ts'
import type { OwnAddresses } from './own-addresses.ts'

export interface GuardOptions extends OwnAddresses {
  readonly credentials: Pick<Credentials, 'findToken' | 'findCookie'>
  /** Of the cookie that `/login` sets. */
  readonly cookieName: string
}

/** No page of another origin can send it without asking first, which is never allowed. */
const OWN_HEADER = 'x-treeline'
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none'])

/**
 * Who may do what (K1, K2). The one place that decides, for HTTP and for WebSockets: the Host first, because a rebound name
 * makes everything else look right, then the Origin, then the credential, then its scope. `undefined` is anybody, for `none`.
 */
export function guard(asked: Asked, scope: 'none', options: GuardOptions): undefined
export function guard(asked: Asked, scope: Actor['scope'], options: GuardOptions): Actor
export function guard(asked: Asked, scope: Scope, options: GuardOptions): Actor | undefined
export function guard(asked: Asked, scope: Scope, options: GuardOptions): Actor | undefined {
  const [host = '', ...otherHosts] = all(asked, 'host')
  if (otherHosts.length > 0 || !options.hosts.has(lowerAscii(host))) {
    throw forbidden('This server does not answer to that Host. Use the URL that `treeline serve` printed.')
  }
  const origins = all(asked, 'origin')
  if (origins.length > 1 || origins.some((origin) => !options.origins.has(origin))) {
    throw forbidden('Pages of other origins may not ask.')
  }
  if (scope === 'none') return undefined
  const actor = findActor(asked, options)
  if (actor === undefined) {
    const message =
      'Send `Authorization: Bearer …` with a token that counts, or open the URL that `treeline serve` printed.'
    throw new TreelineError('unauthorized', message)
  }
  if (actor.isBrowser) refuseForged(asked)
  if (!mayDo(actor, scope)) throw forbidden(`${actor.name} has the scope ${actor.scope}; this needs ${scope}.`)
  return actor
}

function findActor(asked: Asked, { credentials, cookieName }: GuardOptions): Actor | undefined {
  const [authorization, ...others] = all(asked, 'authorization')
  if (authorization === undefined) {
    const secret = findCookieSecret(all(asked, 'cookie'), cookieName)
    return secret === undefined ? undefined : credentials.findCookie(secret)
  }
  // Whoever sends a token means that one, right or wrong, whatever cookies go along.
  const [, secret] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  return secret === undefined || others.length > 0 ? undefined : credentials.findToken(secret)
}

/** A browser sends its cookie by itself, so it must show that a page of ours asked. */
function refuseForged(asked: Asked): void {
  if (all(asked, 'sec-fetch-site').some((site) => !OWN_SITES.has(site))) {
    throw forbidden('Pages of other sites may not ask.')
  }
  if (asked.isUpgrade && all(asked, 'origin').length === 0) {
    throw forbidden('A browser says with its Origin which page wants a connection.')
  }
  if (!SAFE_METHODS.has(asked.method) && all(asked, OWN_HEADER).length === 0) {
    throw forbidden(`A change needs the header ${OWN_HEADER}, which only our own pages can send.`)
  }
}

function all({ headers }: Asked, name: string): readonly string[] {
  return headers[name] ?? []
}

/** Only these are the same in a name: `toLowerCase` would make a K of the Kelvin sign. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function forbidden(message: string): TreelineError {
  return new TreelineError('forbidden', message)
}
