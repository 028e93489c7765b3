import { applyDelta, routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { Follower } from './testing/follower.ts'
import { connectRaw } from './testing/raw-client.ts'
import { readAll } from './testing/read-all.ts'

/** A hundred in CI, a thousand in torture. */
const CLIENTS = Math.min(1_000, runs(100))
const SESSIONS = 4
const ROUNDS = Math.min(200, runs(6))

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ agent: { env: { TREELINE_DEMO_DELAY_MS: '1' } } })
})
afterAll(() => server[Symbol.asyncDispose]())

/** As another process does, which has the log open too. */
async function appendElsewhere(sessionId: string, texts: readonly string[]): Promise<void> {
  await using session = await server.store.open(sessionId)
  for (const content of texts) {
    await session.append({ type: 'message', message: { role: 'user', content, timestamp: Date.now() } })
  }
}

async function toggleOverHttp(sessionId: string, nodeId: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await server.call(routes.putNodeState, { params: { sessionId, nodeId }, body: { isEnabled: i % 2 === 1 } })
  }
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

test(`W1–W5 ${CLIENTS} clients that come and go end with the whole sequence, whoever writes`, async () => {
  const sessionIds = await Promise.all(Array.from({ length: SESSIONS }, (_, i) => server.say(`Session ${i}`)))
  const rootIds = await Promise.all(
    sessionIds.map((id) => server.server.services.hub.use(id, async ({ session }) => session.leafId!)),
  )
  const { url, token } = server
  const followers = Array.from({ length: CLIENTS }, (_, i) => {
    // Two sessions each, on one connection, from different numbers on.
    const sessions = { [sessionIds[i % SESSIONS]!]: i % 3, [sessionIds[(i + 1) % SESSIONS]!]: 2 }
    return { sessions, follower: new Follower({ url, token, sessions }) }
  })
  onTestFinished(() => {
    for (const { follower } of followers) follower.close()
  })
  for (let round = 0; round < ROUNDS; round++) {
    const writing = sessionIds.flatMap((id, i) => [
      appendElsewhere(id, [`${round}a`, `${round}b`, `${round}c`]),
      toggleOverHttp(id, rootIds[i]!, 4),
    ])
    // A few at any time, and all of them at once in the middle: a storm.
    const isStorm = round === Math.floor(ROUNDS / 2)
    for (const { follower } of shuffled(followers).slice(0, isStorm ? CLIENTS : CLIENTS / 10)) follower.cut()
    await Promise.all(writing)
  }
  const head = 2 + ROUNDS * 7
  for (const id of sessionIds) {
    const all = await readAll(server.call, id, head)
    expect([...all.keys()]).toEqual(Array.from({ length: head - 1 }, (_, i) => i + 2))
    for (const { sessions, follower } of followers) {
      const afterSeq = sessions[id]
      if (afterSeq === undefined) continue
      await follower.until(id, head)
      expect(follower.heardOf(id)).toEqual(new Map([...all].filter(([seq]) => seq > afterSeq)))
    }
  }
  for (const { follower } of followers) expect(follower.complaints).toEqual([])
})

test('T31 an answer comes piece by piece, without a gap, to whoever was there and whoever comes later', async () => {
  const sessionId = await server.say('Tell me more')
  const { hub, generations } = server.server.services
  using lease = await hub.acquire(sessionId)
  const early = await connectRaw(server)
  early.say({ t: 'subscribe', id: 1, sessionId, afterSeq: 2 })
  await early.until('replay_done')
  const [nodeId] = await generations.start(lease.live, { parentId: lease.live.session.leafId })
  await early.until('events', ({ events: [event] }) => event?.type === 'node.content.updated')
  const late = await connectRaw(server)
  late.say({ t: 'subscribe', id: 1, sessionId, afterSeq: 2 })
  for (const client of [early, late]) {
    await client.until('events', ({ events }) => events.some(({ type }) => type === 'node.completed'))
    client.socket.close()
    let text = ''
    let isCreated = false
    for (const event of client.frames.flatMap((frame) => (frame.t === 'events' ? frame.events : []))) {
      if (event.type === 'node.created') isCreated = true
      if (event.type === 'node.content.snapshot') text = event.content
      if (event.type === 'node.content.updated' && event.patch.partType === undefined) {
        expect(event.patch).toMatchObject({ id: nodeId, offset: text.length })
        text = applyDelta(text, event.patch)!
      }
      if (event.type === 'node.content.updated' || event.type === 'node.content.snapshot') expect(isCreated).toBe(true)
      if (event.type === 'node.completed') expect(event.node).toMatchObject({ id: nodeId, content: text })
    }
    expect(text).not.toBe('')
  }
})
