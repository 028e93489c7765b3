import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { RefusedError, routes } from '@treeline/protocol'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { LiveSession } from '../hub/live-session.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { followFrames } from './follow-frames.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ limits: { eventsBehind: 50, treeBytes: 500_000 } })
})
afterAll(() => server[Symbol.asyncDispose]())

async function append(sessionId: string, count = 1): Promise<void> {
  await using session = await server.store.open(sessionId)
  for (let i = 0; i < count; i++) {
    await session.append({ type: 'message', message: { role: 'user', content: `More ${i}`, timestamp: Date.now() } })
  }
}

function read(sessionId: string, query: { afterSeq?: number; limit?: number; waitMs?: number; epoch?: string } = {}) {
  return server.call(routes.getEvents, { params: { sessionId }, query })
}

async function hold(sessionId: string): Promise<LiveSession> {
  const lease = await server.server.services.hub.acquire(sessionId)
  onTestFinished(() => lease[Symbol.dispose]())
  return lease.live
}

describe('a page of events', () => {
  test('W1 W3 has those after a number, in order, and says where the session is', async () => {
    const sessionId = await server.say('One', 'Two', 'Three')
    const page = await read(sessionId)
    expect(page).toMatchObject({ headSeq: 4, oldestSeq: 2 })
    expect([...new Set(page.events.map(({ seq }) => seq))]).toEqual([2, 3, 4])
    const next = await read(sessionId, { afterSeq: 3, epoch: page.epoch })
    expect(next.events.map(({ seq, type }) => [seq, type])).toEqual([
      [4, 'node.created'],
      [4, 'active_leaf.updated'],
    ])
    expect(await read(sessionId, { afterSeq: 4 })).toMatchObject({ events: [], headSeq: 4 })
  })

  test('W4 is limited, and the next begins after it, whatever the limit', async () => {
    const sessionId = await server.say('One')
    await append(sessionId, 20)
    for (const limit of [1, 3, 100]) {
      const seqs = new Set<number>()
      for (let afterSeq = 0; ; ) {
        const { events, headSeq } = await read(sessionId, { afterSeq, limit })
        for (const { seq } of events) seqs.add(seq)
        afterSeq = events.at(-1)!.seq
        if (afterSeq === headSeq) break
      }
      expect([...seqs]).toEqual(Array.from({ length: 21 }, (_, i) => i + 2))
    }
  })

  test('is no larger than a tree may be, whatever it holds', async () => {
    const sessionId = await server.say(...Array<string>(6).fill('x'.repeat(200_000)))
    const page = await read(sessionId)
    expect(page.events.map(({ seq }) => seq)).toEqual([2, 3])
    expect((await read(sessionId, { afterSeq: 3 })).events[0]).toMatchObject({ seq: 4 })
  })

  test('of another log, or of what never was, is empty and shows it', async () => {
    const sessionId = await server.say('One')
    const { epoch } = await read(sessionId)
    expect(await read(sessionId, { epoch: 'another' })).toEqual({ events: [], headSeq: 2, oldestSeq: 2, epoch })
    expect(await read(sessionId, { afterSeq: 99, waitMs: 60_000 })).toMatchObject({ events: [], headSeq: 2 })
    await expect(read('no-such-session')).rejects.toThrow(RefusedError)
  })

  test('is waited for, and not longer than asked', async () => {
    const sessionId = await server.say('One')
    const live = await hold(sessionId)
    const waiting = read(sessionId, { afterSeq: 2, waitMs: 60_000 })
    await append(sessionId)
    expect((await waiting).events[0]).toMatchObject({ seq: 3, type: 'node.created' })
    const again = read(sessionId, { afterSeq: 3, waitMs: 60_000 })
    await live.session.edit({ operations: [{ op: 'mute', nodeIds: [live.session.leafId!] }] })
    expect((await again).events[0]).toMatchObject({ seq: 4, type: 'nodes.state.updated' })
    expect(await read(sessionId, { afterSeq: 4, waitMs: 20 })).toMatchObject({ events: [], headSeq: 4 })
  })
})

describe('server-sent events', () => {
  async function listen(sessionId: string, query = '', headers: Record<string, string> = {}, token = server.token) {
    const response = await server.fetch(`/api/chat/${sessionId}/events${query}`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers },
    })
    const lines = createInterface({ input: Readable.fromWeb(response.body as never) })[Symbol.asyncIterator]()
    onTestFinished(async () => void (await lines.return?.()))
    return {
      response,
      /** Fields of the next message; `undefined` at the end. */
      async next(): Promise<Record<string, string> | undefined> {
        const fields: Record<string, string> = {}
        for (;;) {
          const { done, value } = await lines.next()
          if (done) return undefined
          if (value === '') return fields
          const [name = '', ...rest] = value.split(': ')
          fields[name] = rest.join(': ')
        }
      },
    }
  }

  test('W1–W4 say what was missed, then what happens; Last-Event-ID goes on', async () => {
    const sessionId = await server.say('One', 'Two')
    const { response, next } = await listen(sessionId, '?afterSeq=2')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await next()).toEqual({ retry: '1000' })
    const missed = await next()
    expect(missed!.id).toBe('3')
    expect(JSON.parse(missed!.data!)).toMatchObject({ t: 'events', seq: 3, events: [{ type: 'node.created' }, {}] })
    await append(sessionId, 2)
    expect((await next())!.id).toBe('4')
    expect((await next())!.id).toBe('5')
    const back = await listen(sessionId, '?afterSeq=2', { 'last-event-id': '4' })
    await back.next()
    expect((await back.next())!.id).toBe('5')
  })

  test('W4 say when the tree must be read anew, and end', async () => {
    const sessionId = await server.say('One')
    const { next } = await listen(sessionId, '?epoch=another')
    await next()
    expect(await next()).toMatchObject({ event: 'snapshot_required' })
    expect(await next()).toBeUndefined()
  })

  test('end with the session, and with the credential', async () => {
    const sessionId = await server.say('One')
    const token = await server.credentials.createToken({ name: 'listener', scope: 'read' })
    const revoked = await listen(sessionId, '?afterSeq=2', {}, token)
    const other = await listen(sessionId, '?afterSeq=2')
    await Promise.all([revoked.next(), other.next()])
    await server.credentials.revoke('listener')
    expect(await revoked.next()).toBeUndefined()
    await append(sessionId)
    expect((await other.next())!.id).toBe('3')
    await server.server.services.hub.evict(sessionId)
    expect(JSON.parse((await other.next())!.data!)).toMatchObject({ seq: 4, events: [{ type: 'session.deleted' }] })
    expect(await other.next()).toBeUndefined()
  })

  test('what is no number, or no session, is refused', async () => {
    const sessionId = await server.say('One')
    const { response } = await listen(sessionId, '', { 'last-event-id': 'x' })
    expect(response.status).toBe(400)
    expect((await listen('no-such-session')).response.status).toBe(404)
  })
})

describe('following', () => {
  test('W6 holds a position: whoever reads slowly misses nothing and makes nobody wait', async () => {
    const sessionId = await server.say('One')
    const live = await hold(sessionId)
    const stop = new AbortController()
    const seqs: number[] = []
    const happened = followFrames(live, { afterSeq: 2, signal: stop.signal, idleMs: 60_000 })
    const first = happened.next()
    await append(sessionId, 1)
    await first
    await append(sessionId, 200)
    for await (const one of happened) {
      if (one.type === 'frame') seqs.push(one.frame.seq)
      if (seqs.at(-1) === 203) break
    }
    expect(seqs).toEqual(Array.from({ length: 200 }, (_, i) => i + 4))
  })

  test('says when nothing happens', async () => {
    const live = await hold(await server.say('One'))
    const happened = followFrames(live, { afterSeq: 2, signal: new AbortController().signal, idleMs: 5 })
    expect((await happened.next()).value).toEqual({ type: 'idle' })
    await happened.return(undefined)
  })
})
