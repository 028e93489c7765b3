const NAME = 'treeline'
export const COOKIE_MS = 30 * 24 * 3_600_000

/** What `/login` sets. Scripts cannot read it, and no other site's page can make a browser send it. */
export function formatCookie(secret: string, { isSecure }: { readonly isSecure: boolean }): string {
  return `${NAME}=${secret}; Path=/; Max-Age=${COOKIE_MS / 1000}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

/** Two of them are as good as none: which one counts would be anybody's guess. */
export function findCookieSecret(headers: readonly string[]): string | undefined {
  const pairs = headers.flatMap((header) => header.split(';')).map((pair) => pair.trim())
  const found = pairs.filter((pair) => pair.startsWith(`${NAME}=`))
  return found.length === 1 ? found[0]!.slice(NAME.length + 1) : undefined
}
