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

/** Whether the client has what it asks for already: then the answer is 304. */
export function isKnown(
  { known }: Pick<Asking<Route>, 'known'>,
  { session }: Pick<LiveSession, 'session'>,
  version: number = session.seq,
): boolean {
  if (known === undefined) return false
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etagOf(version, session.epoch))
}

/**
 * Of a version of a log as it is written now. One that was rewritten has the same versions and says something else: what
 * was scrubbed, whoever served it then, must not be kept by whoever has it. A tag without an epoch is nobody's.
 */
export function etagOf(version: number, epoch: string | undefined): string {
  return epoch === undefined ? `"v${version}"` : `"v${version}.${epoch}"`
}
