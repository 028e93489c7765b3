import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route, RouteName, Routes } from '@treeline/protocol'
import type { Actor } from '../guard/actor.ts'
import type { Cause } from '../hub/causes.ts'
import type { LiveSession } from '../hub/live-session.ts'
import type { Services } from '../services.ts'

/** A request that was let in and is of the right shape. */
export interface Asking<R extends Route> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  readonly actor: Actor
  /** What events that come of it go back to. */
  readonly cause: Cause
  /** `If-None-Match`, as it was sent. */
  readonly known: string | undefined
  /** For a route that takes bytes, and for headers of a route's own. */
  readonly raw: IncomingMessage
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal
}

export interface Reply<R extends Route> {
  readonly status: keyof R['replies'] & number
  readonly body?: ReplyOf<R> | Readable | Uint8Array | string
  /** Of a body that is no JSON. */
  readonly type?: string
  /** The session's, where the answer is about one: it becomes the ETag. */
  readonly version?: number
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler<R extends Route> = (services: Services, asking: Asking<R>) => Promise<Reply<R>>

export type Handlers<Names extends RouteName = RouteName> = { readonly [K in Names]: Handler<Routes[K]> }

/**
 * Whether the client has what it asks for already: then the answer is 304. The tag of a version says nothing of the epoch,
 * so of a log that was rewritten while this server knew it everything is sent: what was scrubbed must not be kept.
 */
export function isKnown(
  { known }: Pick<Asking<Route>, 'known'>,
  { session, isRewritten }: Pick<LiveSession, 'session' | 'isRewritten'>,
  version: number = session.seq,
): boolean {
  if (known === undefined || isRewritten) return false
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etagOf(version))
}

export function etagOf(version: number): string {
  return `"v${version}"`
}
