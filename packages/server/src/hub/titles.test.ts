import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { watchSession } from '../testing/watch-session.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const post = (path: string, body: object) =>
  server.fetch(`/api/chat/${path}`, { method: 'POST', body: JSON.stringify(body) })

test('a session without a name gets one after its first answer, and everybody who follows it is told', async () => {
  await using session = await server.store.create({ cwd: '/project' })
  using watched = await watchSession(server.server, session.id)
  const sent = await post(`${session.id}/message`, {
    parentId: null,
    content: 'How do trees grow?',
    generate: [{}, {}],
  })
  expect(sent.status).toBe(202)
  const told = await watched.until('session.updated')
  expect(told).toMatchObject({ patch: { title: 'How do trees grow?' } })
  const types = watched.types()
  expect(types.indexOf('session.updated')).toBeGreaterThan(types.indexOf('node.completed'))
  await watched.until(
    'node.completed',
    ({ seq }) => seq > watched.durable.find((one) => one.type === 'node.completed')!.seq,
  )
  expect(watched.types().filter((type) => type === 'session.updated')).toHaveLength(1)
})

test('a name that somebody gave stays', async () => {
  await using session = await server.store.create({ cwd: '/project', title: 'Mine' })
  using watched = await watchSession(server.server, session.id)
  await post(`${session.id}/message`, { parentId: null, content: 'How do trees grow?' })
  await watched.until('node.completed')
  await server.agent.idle()
  expect((await (await server.fetch(`/api/chat/sessions/${session.id}`)).json()) as object).toMatchObject({
    title: 'Mine',
  })
})
