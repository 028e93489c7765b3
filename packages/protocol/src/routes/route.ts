import type { z } from 'zod'

/** What a token must allow. `none` answers to everybody: only `/login` and `/healthz`. */
export type Scope = 'none' | 'read' | 'write' | 'admin'

/** What an answer holds: JSON of a shape, text, bytes, a page, or nothing. */
export type ReplyBody = z.ZodType | 'text' | 'bytes' | 'page' | undefined

/** One thing that can be asked for over HTTP. The server, the guard’s tests, the client and the OpenAPI document go by it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` for what stands in `params`. */
  readonly path: string
  readonly scope: Scope
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Of a body that is no JSON but has a shape. */
  readonly bodyType?: 'application/x-www-form-urlencoded'
  /** A body that is streamed and may be larger than others, checked by its route. */
  readonly takesBytes?: true
  /** Or a form with the bytes as its field `file`. */
  readonly takesForm?: true
  /** By status. */
  readonly replies: Readonly<Record<number, ReplyBody>>
  /** In which the same can be had as a stream. */
  readonly alsoAs?: 'text/event-stream' | 'application/x-ndjson'
  /** It becomes a WebSocket. */
  readonly isSocket?: true
}

/** Keeps the exact types of a route: what its handler gets and gives, and what its client sends. */
export function route<const R extends Route>(given: R): R {
  return given
}

export type ParamsOf<R extends Route> = R['params'] extends z.ZodType ? z.output<R['params']> : Record<never, never>
export type QueryOf<R extends Route> = R['query'] extends z.ZodType ? z.output<R['query']> : Record<never, never>
export type BodyOf<R extends Route> = R['body'] extends z.ZodType ? z.output<R['body']> : undefined
/** What succeeds with JSON gives. */
export type ReplyOf<R extends Route> = {
  [S in keyof R['replies']]: R['replies'][S] extends z.ZodType ? z.output<R['replies'][S]> : never
}[keyof R['replies']]
