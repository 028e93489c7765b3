import { applyScrub, planScrub } from '@treeline/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { withBodies } from './with-bodies.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('bodies that were read before a scrub are not shown with the tree of after it', async () => {
  const sessionId = await server.say('the word is swordfish')
  await server.server.services.hub.evict(sessionId)
  await using session = await server.store.open(sessionId)
  const { leafId, epoch } = session
  let isScrubbed = false
  const scrubbedMeanwhile = {
    get tree() {
      return session.tree
    },
    readEntries: async (ids: readonly string[]) => {
      const read = await session.readEntries(ids)
      if (isScrubbed) return read
      isScrubbed = true
      await applyScrub(server.home, await planScrub(server.home, 'swordfish'), { confirm: true })
      await session.refresh()
      return read
    },
  }
  const shown = await withBodies(
    scrubbedMeanwhile,
    () => [leafId!],
    (_, bodyOf) => bodyOf(leafId!),
  )
  expect(session.epoch).not.toBe(epoch)
  expect(shown).toMatchObject({ id: leafId })
  expect(JSON.stringify(shown)).not.toContain('swordfish')
})
