import type { IncomingMessage } from 'node:http'

/** What of a request the guard looks at, the same for a request and for the upgrade to a WebSocket. */
export interface Asked {
  readonly method: string
  readonly isUpgrade: boolean
  /** By name in lower case, each as often as it was sent. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
}

/**
 * `isUpgrade` is what the server makes of it, not what the headers say. `request.headers` would not do: it hides all but
 * the first of several `Host` or `Authorization` headers.
 */
export function askedOf(request: IncomingMessage, isUpgrade: boolean): Asked {
  return { method: request.method ?? '', isUpgrade, headers: request.headersDistinct }
}
