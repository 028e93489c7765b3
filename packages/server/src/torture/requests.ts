import type { JsonSchema, Route } from '@treeline/protocol'
import fc from 'fast-check'
import { z } from 'zod'
import { arbitraryOf, type Pool } from '../testing/arbitrary-of.ts'
import { inlined } from '../testing/sample-body.ts'
import { junkSegment, junkText, junkValue } from './junk.ts'

export interface FuzzedRequest {
  readonly method: string
  /** With the query, as it is sent. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  readonly framing: 'length' | 'chunked' | 'too-short' | 'too-long' | 'no-chunks'
}

/** Requests for one route: such as are right, such as are nearly right, and such as are not. */
export function requestsFor(route: Route, pool: Pool, sessionId: string): fc.Arbitrary<FuzzedRequest> {
  const { method, path, query, body } = route
  return fc.record({
    method: mostly(fc.constant<string>(method), fc.constantFrom('HEAD', 'OPTIONS', 'TRACE', 'POST', 'PUT', 'DELETE')),
    target: fc
      .tuple(pathOf(path, pool, sessionId), queryOf(query, pool))
      .map(([filled, text]) => (text === '' ? filled : `${filled}?${text}`)),
    headers: headersOf(body !== undefined),
    body: bodyOf(body, pool),
    framing: mostly(fc.constant('length'), fc.constantFrom('chunked', 'too-short', 'too-long', 'no-chunks')),
  })
}

/** The second about once in ten times. */
function mostly<A, B>(usual: fc.Arbitrary<A>, other: fc.Arbitrary<B>): fc.Arbitrary<A | B> {
  return fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: other, weight: 1 })
}

function pathOf(path: string, { ids }: Pool, sessionId: string): fc.Arbitrary<string> {
  const segments = path.split('/').map((segment): fc.Arbitrary<string> => {
    if (!segment.startsWith('{')) return fc.constant(segment)
    if (segment === '{sessionId}') return mostly(fc.constant(sessionId), junkSegment)
    if (segment === '{sha256}') return mostly(fc.constantFrom('a'.repeat(64), 'b'.repeat(64)), junkSegment)
    return mostly(fc.constantFrom(...ids, 'nobody'), junkSegment)
  })
  return fc.tuple(...segments).map((parts) => parts.join('/'))
}

function queryOf(query: z.ZodObject | undefined, pool: Pool): fc.Arbitrary<string> {
  const junk = fc.oneof(
    fc.constantFrom(
      'limit=1&limit=2',
      'a[]=1&a[b]=2',
      '__proto__=1',
      'view=%ff',
      'cursor=%00',
      '&&&=&',
      'q',
      'ids=,,,',
      '%',
    ),
    fc.string({ maxLength: 40 }).map((text) => `q=${encodeURIComponent(text)}`),
    fc.constant(`cursor=${'c'.repeat(5_000)}`),
  )
  if (query === undefined) return mostly(fc.constant(''), junk)
  const values = arbitraryOf(schemaOf(query), pool) as fc.Arbitrary<Readonly<Record<string, unknown>>>
  const usual = values.map((fields) =>
    Object.entries(fields)
      .map(([name, value]) => `${name}=${encodeURIComponent(toWellFormed(value))}`)
      .join('&'),
  )
  return fc.oneof(
    { arbitrary: usual, weight: 7 },
    { arbitrary: junk, weight: 1 },
    { arbitrary: fc.tuple(usual, junk).map((both) => both.join('&')), weight: 1 },
  )
}

function toWellFormed(value: unknown): string {
  return String(value).toWellFormed()
}

function headersOf(hasBody: boolean): fc.Arbitrary<Readonly<Record<string, string>>> {
  const type = mostly(
    fc.constant('application/json'),
    fc.constantFrom('text/plain', '', ';;;', 'application/octet-stream', 'multipart/form-data; boundary=x', 'a/b; c="'),
  )
  const others = fc.constantFrom<Readonly<Record<string, string>>>(
    { 'if-none-match': '"v1", W/"v2", *' },
    { 'last-event-id': '-1e99' },
    { accept: 'text/event-stream' },
    { expect: '100-continue' },
    { 'content-encoding': 'gzip' },
    { range: 'bytes=0-1' },
    { 'x-treeline': '\u00ff'.repeat(100) },
    { 'x-http-method-override': 'DELETE' },
    { 'transfer-encoding': 'identity' },
    { upgrade: 'h2c', connection: 'Upgrade' },
  )
  return fc
    .tuple(hasBody ? type : fc.constant(undefined), mostly(fc.constant({}), others))
    .map(([contentType, more]) => ({ ...(contentType !== undefined && { 'content-type': contentType }), ...more }))
}

function bodyOf(body: z.ZodType | undefined, pool: Pool): fc.Arbitrary<string | Uint8Array | undefined> {
  if (body === undefined) return mostly(fc.constant(undefined), junkText)
  const right = arbitraryOf(schemaOf(body), pool)
  return fc.oneof(
    { arbitrary: right.map((value) => JSON.stringify(value)), weight: 4 },
    { arbitrary: nearly(right).map((value) => JSON.stringify(value)), weight: 4 },
    { arbitrary: junkText, weight: 2 },
  )
}

/** With one value somewhere replaced, one field gone, or one more. */
export function nearly(right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const key = fc.constantFrom('__proto__', 'constructor', 'id', 'op', 'baseVersion', 'extra', '')
  return fc
    .tuple(right, fc.constantFrom('replace', 'remove', 'add'), fc.nat(), junkValue, key)
    .map(([value, how, at, junk, name]) => {
      const copy: unknown = JSON.parse(JSON.stringify(value ?? null))
      const places = placesIn(copy)
      const place = places[at % Math.max(1, places.length)]
      if (place === undefined) return junk
      if (how === 'replace') set(place.holder, place.key, junk)
      else if (how === 'remove') Reflect.deleteProperty(place.holder, place.key)
      else set(place.holder, name, junk)
      return copy
    })
}

interface Place {
  readonly holder: object
  readonly key: string
}

function placesIn(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value, key }, ...placesIn(inner)])
}

/** An own property, also where the name is `__proto__`. */
function set(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

const written = new WeakMap<z.ZodType, JsonSchema>()

export function schemaOf(schema: z.ZodType): JsonSchema {
  const known = written.get(schema)
  if (known !== undefined) return known
  const { $defs = {}, ...plain } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const made = inlined(plain, $defs)
  written.set(schema, made)
  return made
}
