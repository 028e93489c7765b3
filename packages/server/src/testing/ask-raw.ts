import { type IncomingHttpHeaders, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { text } from 'node:stream/consumers'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface RawRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Whom to trust. */
  readonly ca?: string
}

/** A request with exactly these headers, and no redirect followed: `fetch` adds some and hides others. */
export function askRaw(
  url: string | URL,
  { method = 'GET', headers = {}, body, ca }: RawRequest = {},
): Promise<RawAnswer> {
  const target = new URL(url)
  const ask = target.protocol === 'https:' ? requestTls : request
  return new Promise((resolve, reject) => {
    const sent = ask(
      target,
      { method, headers, agent: false, ...(ca !== undefined && { ca, servername: target.hostname }) },
      async (response) => {
        const answer = { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
        resolve(answer)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** What a browser says when somebody types an address, or opens it from another program. */
export const BY_HAND = {
  accept: 'text/html,application/xhtml+xml',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
  'sec-fetch-user': '?1',
}
