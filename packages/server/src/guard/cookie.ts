export const COOKIE_MS = 30 * 24 * 3_600_000

/**
 * A browser keeps cookies by host, whatever the port: with the port in its name, two servers of one host do not log each
 * other's browsers out. Over TLS the prefix makes browsers refuse one that another host, or a page without TLS, has set.
 */
export function cookieNameOf(url: string): string {
  const { protocol, port } = new URL(url)
  return protocol === 'https:' ? `__Host-treeline-${port || 443}` : `treeline-${port || 80}`
}

/** What `/login` sets. Scripts cannot read it, and no other site's page can make a browser send it. */
export function formatCookie(secret: string, url: string): string {
  const isSecure = url.startsWith('https:')
  const pair = `${cookieNameOf(url)}=${secret}`
  return `${pair}; Path=/; Max-Age=${COOKIE_MS / 1000}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

/** Two of them are as good as none: which one counts would be anybody's guess. */
export function findCookieSecret(headers: readonly string[], name: string): string | undefined {
  const pairs = headers.flatMap((header) => header.split(';')).map((pair) => pair.trim())
  const found = pairs.filter((pair) => pair.startsWith(`${name}=`))
  return found.length === 1 ? found[0]!.slice(name.length + 1) : undefined
}
