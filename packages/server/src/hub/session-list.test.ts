import { routes } from '@treeline/protocol'
import type { SessionIndex } from '@treeline/store'
import { expect, test } from 'vitest'
import { ask } from '../testing/ask.ts'
import { startTestServer } from '../testing/test-server.ts'
import { SessionList } from './session-list.ts'

/** Waits until all of these were told of, and gives every batch that came meanwhile. */
function follow(list: SessionList) {
  const batches: (readonly string[])[] = []
  let check = (): void => {}
  const stop = list.listen((ids) => {
    batches.push(ids)
    check()
  })
  const until = (...wanted: readonly string[]) =>
    new Promise<void>((resolve) => {
      check = () => {
        if (wanted.every((id) => batches.some((ids) => ids.includes(id)))) resolve()
      }
      check()
    })
  return { batches, until, stop }
}

test('whoever follows the list is told of sessions that are made, changed, forked and deleted here', async () => {
  await using server = await startTestServer()
  const sessionId = await server.say('One')
  const { batches, until, stop } = follow(server.server.services.list)
  const { body: made } = await ask(server, routes.createSession, { body: { title: 'New' } })
  await ask(server, routes.patchSession, { params: { sessionId }, body: { title: 'Renamed' } })
  await until(made.sessionId, sessionId)
  batches.length = 0
  await ask(server, routes.deleteSession, { params: { sessionId } })
  await until(sessionId)
  stop()
})

test('what a terminal does in a session that is open here is told, and in one that is not', async () => {
  await using server = await startTestServer()
  const { hub, list: ownList, index } = server.server.services
  const sessionId = await server.say('Open here')
  using _lease = await hub.acquire(sessionId)
  const own = follow(ownList)
  {
    await using terminal = await server.store.open(sessionId)
    await terminal.rename('From a terminal')
  }
  await own.until(sessionId)

  const looked = Promise.withResolvers<void>()
  const watched: Pick<SessionIndex, 'list'> = {
    list: async (options) => {
      const page = await index.list(options)
      looked.resolve()
      return page
    },
  }
  using list = new SessionList({ index: watched, onProblem: () => {}, tellEveryMs: 1, lookEveryMs: 5 })
  const { until } = follow(list)
  await looked.promise
  await until(await server.say('Elsewhere'))
})

test('many changes are told together, none twice, and nothing to those who have stopped', async () => {
  const index = { list: async () => ({ sessions: [], next: undefined, pending: 0 }) }
  using list = new SessionList({ index, onProblem: () => {}, tellEveryMs: 20 })
  const first = follow(list)
  const second = follow(list)
  for (let i = 0; i < 1_000; i++) list.note(`s${i % 10}`)
  second.stop()
  await first.until('s9')
  expect(first.batches).toEqual([Array.from({ length: 10 }, (_, i) => `s${i}`)])
  expect(second.batches).toEqual([])
})

test('an index that fails is told of, and looked at again', async () => {
  const problems: unknown[] = []
  const looked = Promise.withResolvers<void>()
  let tries = 0
  const index = {
    list: async () => {
      if (++tries === 2) looked.resolve()
      throw new Error('busy')
    },
  }
  using list = new SessionList({ index, onProblem: (error) => problems.push(error), lookEveryMs: 1 })
  list.listen(() => {})
  await looked.promise
  expect(problems.length).toBeGreaterThan(0)
})
