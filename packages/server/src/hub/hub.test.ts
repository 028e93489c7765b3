import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTalkServer, type TalkServer } from '../handlers/generate/testing/talk-server.ts'
import { watchSession } from '../testing/watch-session.ts'
import { Hub } from './hub.ts'

let server: TalkServer
beforeAll(async () => {
  server = await startTalkServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('R3 a session that could not be followed for a moment stays open for the answer that is on its way', async () => {
  const sid = await server.newSession()
  const { body } = await server.post(`${sid}/message`, { parentId: null, content: 'Wait at the lost gate' })
  const nodeId = body.generations[0]!.node.id
  // What a read that failed does.
  server.test.server.services.hub.peek(sid)!.end(false)
  using watched = await watchSession(server.test.server, sid)
  server.letGo('lost')
  const done = await watched.until('node.completed')
  expect(done.node).toMatchObject({ id: nodeId, content: 'So far, so good.' })
  expect(server.test.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('who asks for a session while it is opened and taken away gets it as it is afterwards', async () => {
  const sid = await server.newSession()
  const hub = new Hub({ open: (id) => server.test.store.open(id), recover: async () => {}, onProblem: () => {} })
  const asking = hub.acquire(sid)
  await hub.evict(sid)
  using lease = await asking
  await lease.live.session.append({ type: 'message', message: { role: 'user', content: 'Still here' } })
  await hub.close()
})

test('closing does not wait for those who wait to be told of what is in a log that is closed', async () => {
  const sid = await server.newSession()
  const hub = new Hub({ open: (id) => server.test.store.open(id), recover: async () => {}, onProblem: () => {} })
  using lease = await hub.acquire(sid)
  const { live } = lease
  const said = live.session.append({ type: 'message', message: { role: 'user', content: 'x' } })
  const seq = live.session.seq
  while (live.session.seq === seq) await undefined
  const told = live.caughtUp()
  await hub.close()
  await said
  await told
})
