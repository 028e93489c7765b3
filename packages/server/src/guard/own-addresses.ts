import { TreelineError } from '@treeline/core'

/** Where our own pages are, and the only names we answer to. */
export interface OwnAddresses {
  /** As a `Host` header says it, in lower case. */
  readonly hosts: ReadonlySet<string>
  /** As an `Origin` header says it. */
  readonly origins: ReadonlySet<string>
}

/**
 * Of the URLs under which a server can be reached, as browsers write them. Clients may name a default port or leave it out.
 *
 * @example
 * ownAddresses(['http://127.0.0.1:4123', 'http://localhost:4123'])
 */
export function ownAddresses(urls: readonly string[]): OwnAddresses {
  const parsed = urls.map(parseAddress)
  const hosts = parsed.flatMap(({ protocol, hostname, host, port }) =>
    port === '' ? [host, `${hostname}:${protocol === 'https:' ? 443 : 80}`] : [host],
  )
  return { hosts: new Set(hosts), origins: new Set(parsed.map(({ origin }) => origin)) }
}

/** No path, no name and password, and a scheme that has origins: of any other it would be `null`, which many pages have. */
function parseAddress(text: string): URL {
  const url = URL.parse(text)
  if (url !== null && url.href === `${url.origin}/`) return url
  const message = `${JSON.stringify(text)} is no address of a server. Use one like https://name or http://name:port.`
  throw new TreelineError('validation_failed', message)
}
