import { problemSchema, type Route, type RouteName, routes } from '@treeline/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { growSession } from '../handlers/edit/testing/edit-session.ts'
import { keptBytes } from '../testing/kept-bytes.ts'
import { amount } from '../testing/runs.ts'
import { type RawReply, sayRaw } from '../testing/say-raw.ts'
import type { TestServer } from '../testing/test-server.ts'
import { encodeRequest } from './encode-request.ts'
import { type FuzzedRequest, requestsFor } from './requests.ts'
import { startFuzzed } from './start-fuzzed.ts'

const CASES = amount(1_600, 400_000)
/** A new server after so many, so that logs stay small and one that fails can be made again soon. */
const CASES_PER_SERVER = 400
const MAX_MS = 2_000
const IDS = ['u1', 'a1', 'u2', 'a2', 'u3', 'a3']
/** For the session that there is then: some requests remove it. */
const SESSION = 'the-session'
const TIMEOUT = { timeout: CASES > 2_000 ? 24 * 3_600_000 : 120_000 }

const NAME = 'whatever is sent is done or refused with a problem; a refusal changes nothing, and nothing fails or hangs'

test(NAME, TIMEOUT, async () => {
  const { seed: first = Date.now() % 2 ** 30 } = fc.readConfigureGlobal()
  for (let done = 0; done < CASES; done += CASES_PER_SERVER) {
    const seed = first + done / CASES_PER_SERVER
    await using server = await startFuzzed()
    let sessionId = await growSession(server)
    /** As a refusal left it: then nobody has written since. */
    let kept: ReturnType<typeof keptBytes> | undefined
    const property = fc.asyncProperty(cases(), async ({ name, request: fuzzed }) => {
      await settled(server)
      const request = { ...fuzzed, target: fuzzed.target.replaceAll(SESSION, sessionId) }
      const before = kept ?? keptBytes(server.home)
      kept = undefined
      const startedAt = performance.now()
      const reply = await send(server, request)
      expect(performance.now() - startedAt).toBeLessThan(MAX_MS)
      if (reply?.status === 204) sessionId = await regrown(server, sessionId)
      if (reply !== undefined) judge(routes[name], request, reply)
      if (reply !== undefined && reply.status < 400) return
      kept = keptBytes(server.home)
      expect(kept).toEqual(before)
    })
    // What is shrunk would meet a server that has changed since.
    await fc.assert(property, { seed, numRuns: CASES_PER_SERVER, endOnFailure: true })
    expect((await server.fetch('/healthz')).status).toBe(200)
    expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  }
})

function cases() {
  const names = Object.keys(routes) as RouteName[]
  const requests = names.map((name) =>
    requestsFor(routes[name], { ids: IDS }, SESSION).map((request) => ({
      name,
      request,
      [fc.toStringMethod]: () => `${name} ${JSON.stringify(request).slice(0, 600)}`,
    })),
  )
  return fc.oneof(...requests)
}

async function regrown(server: TestServer, sessionId: string): Promise<string> {
  return (await server.store.exists(sessionId)) ? sessionId : growSession(server)
}

/** What was begun writes when it ends. */
async function settled({ server: { services } }: TestServer): Promise<void> {
  const { generations, jobs } = services
  if (generations.count + jobs.count === 0) return
  await expect.poll(() => generations.count + jobs.count, { interval: 2, timeout: 10_000 }).toBe(0)
}

/** `undefined` when nothing was said to a client that had hung up in the middle of its request. */
async function send(server: TestServer, request: FuzzedRequest): Promise<RawReply | undefined> {
  const base = { host: new URL(server.url).host, authorization: `Bearer ${server.token}` }
  const isCut = request.body !== undefined && ['too-long', 'no-chunks'].includes(request.framing)
  const reply = await sayRaw(server.url, encodeRequest(request, base), { end: isCut })
  if (!isCut) expect(reply, 'it was closed without a word').toBeDefined()
  return reply
}

function judge(
  route: Route,
  { method, body, framing }: FuzzedRequest,
  { status, headers, body: said }: RawReply,
): void {
  expect(status).toBeLessThan(500)
  if (status >= 400) {
    if (method === 'HEAD') return
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/)
    const problem = problemSchema.parse(JSON.parse(said))
    expect(problem).toMatchObject({ status, requestId: expect.stringMatching(/^[\da-f-]{36}$/) })
    // What a client sent is not thrown back at it at length.
    expect(said.length).toBeLessThan(5_000)
    return
  }
  // A body that nobody wants is not read.
  if (status >= 300 || method !== route.method || route.body === undefined || route.takesBytes) return
  if (framing !== 'length') return
  const text = Buffer.from(body ?? '').toString('utf8')
  expect(route.body.safeParse(text === '' ? {} : JSON.parse(text.replace(/^\ufeff/, ''))).success).toBe(true)
}
