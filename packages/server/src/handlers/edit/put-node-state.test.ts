import { expect, test } from 'vitest'
import { startTestServer } from '../../testing/test-server.ts'

test('a node is muted, once, and says so afterwards', async () => {
  await using server = await startTestServer()
  const sessionId = await server.say('One', 'Two')
  await using session = await server.store.open(sessionId)
  const path = `/api/chat/${sessionId}/node/${session.leafId}/state`

  const muted = await server.fetch(path, { method: 'PUT', body: JSON.stringify({ isEnabled: false }) })
  expect(muted.status).toBe(200)
  const { version } = (await muted.json()) as { version: number }
  expect(muted.headers.get('etag')).toBe(`"v${version}"`)
  const again = await server.fetch(path, { method: 'PUT', body: JSON.stringify({ isEnabled: false }) })
  expect(await again.json()).toEqual({ id: session.leafId, isEnabled: false, version })
  await session.refresh()
  expect(session.seq).toBe(version)
})
