const LINKS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])
const PICTURE = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/

/** A link that may be followed; `undefined` for what runs something, or leads nowhere from here. */
export function safeLink(url: string): string | undefined {
  const parsed = URL.parse(url)
  return parsed !== null && LINKS.has(parsed.protocol) ? parsed.href : undefined
}

/** The picture that a `data:` address holds; of addresses elsewhere nothing is loaded, they would tell who reads. */
export function readDataPicture(url: string): { readonly mimeType: string; readonly base64: string } | undefined {
  const match = PICTURE.exec(url)
  return match === null ? undefined : { mimeType: match[1]!, base64: match[2]! }
}
