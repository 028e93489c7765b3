import type { DurableEvent } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTalkServer, type TalkServer } from '../handlers/generate/testing/talk-server.ts'
import { watchSession } from '../testing/watch-session.ts'

let server: TalkServer
beforeAll(async () => {
  server = await startTalkServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** What is told of nodes and of the leaf, in order. */
function storyOf(events: readonly DurableEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === 'node.created') return [event.node.id]
    return event.type === 'active_leaf.updated' ? [`leaf ${event.activeLeafId} (${event.reason})`] : []
  })
}

async function say(session: Session, id: string, parentId?: string): Promise<void> {
  const message = { role: 'user', content: id, timestamp: Date.now() }
  await session.append({ type: 'message', id, message }, parentId === undefined ? {} : { parentId })
}

const leafOf = async (sid: string) => (await server.get(`${sid}/tree`)).activeLeafId

describe('where the conversation goes on', () => {
  test('is told after all the places of a message, once', async () => {
    const sid = await server.newSession()
    using watched = await watchSession(server.test.server, sid)
    const generate = [{ nodeId: 'a-1' }, { nodeId: 'a-2' }, { nodeId: 'a-3' }]
    await server.post(`${sid}/message`, { parentId: null, content: 'Hello', nodeId: 'u-1', generate })
    for (const { nodeId } of generate) await watched.until('node.completed', ({ node }) => node.id === nodeId)
    expect(storyOf(watched.durable)).toEqual(['u-1', 'a-1', 'a-2', 'a-3', 'leaf a-1 (send)'])
  })

  test('W3 is told to the first who listens while it is being written', async () => {
    const sid = await server.newSession()
    using lease = await server.test.server.services.hub.acquire(sid)
    const { session } = lease.live
    const saying = say(session, 'u-1')
    while (session.tree.ids.find('u-1') < 0) await undefined
    using watched = await watchSession(server.test.server, sid)
    await saying
    await watched.until('node.created')
    expect(storyOf(watched.durable)).toEqual(['u-1', 'leaf u-1 (send)'])
  })

  test('W3 is told at the end of a replay only as far as the replay goes', async () => {
    const sid = await server.newSession()
    using lease = await server.test.server.services.hub.acquire(sid)
    const { live } = lease
    await say(live.session, 'u-1')
    await live.caughtUp()
    const saying = say(live.session, 'u-2')
    while (live.session.tree.ids.find('u-2') < 0) await undefined
    const events: DurableEvent[] = []
    for await (const frame of live.replay(1)) events.push(...frame.events)
    await saying
    // The disk may be quicker than the replay: then that goes as far as the second.
    const [last, ...others] = storyOf(events)
      .filter((one) => !one.startsWith('leaf'))
      .reverse()
    expect(others.length).toBeLessThanOrEqual(1)
    expect(storyOf(events).filter((one) => one.startsWith('leaf'))).toEqual([`leaf ${last} (user)`])
  })
})

describe('a terminal with the same session', () => {
  test('is followed by who merely watches: its turns, and where it goes', async () => {
    const sid = await server.newSession()
    using watched = await watchSession(server.test.server, sid)
    await using terminal = await server.test.store.open(sid)
    await say(terminal, 'u-1')
    await say(terminal, 'u-2')
    expect(await leafOf(sid)).toBe('u-2')
    await terminal.branch('u-1')
    await watched.until(
      'active_leaf.updated',
      ({ activeLeafId, previous }) => activeLeafId === 'u-1' && previous === 'u-2',
    )
    expect(storyOf(watched.durable).at(-1)).toBe('leaf u-1 (user)')
    expect(await leafOf(sid)).toBe('u-1')
  })

  test('is answered from the browser where it is', async () => {
    const sid = await server.newSession()
    using watched = await watchSession(server.test.server, sid)
    await using terminal = await server.test.store.open(sid)
    await say(terminal, 'u-1')
    const sent = await server.post(`${sid}/message`, { parentId: 'u-1', content: 'And?', generate: { nodeId: 'a-1' } })
    expect(sent.body.activeLeafId).toBe('a-1')
    await watched.until('node.completed')
    expect(await leafOf(sid)).toBe('a-1')
  })

  test('C1 beside a turn of the server’s own keeps its branch, and neither takes the other along', async () => {
    const sid = await server.newSession()
    await using terminal = await server.test.store.open(sid)
    await say(terminal, 'u-1')
    await server.post(`${sid}/message`, { parentId: 'u-1', content: 'Mine', nodeId: 'mine', generate: false })
    await say(terminal, 'theirs')
    const tree = await server.get(`${sid}/tree`)
    expect(tree.nodes['u-1']!.childrenIds).toEqual(['mine', 'theirs'])
    expect(tree.activeLeafId).toBe('mine')
    expect(terminal.leafId).toBe('theirs')
    await say(terminal, 'further')
    expect(await leafOf(sid)).toBe('mine')
  })

  test('that goes on from the server’s own turn takes it along again', async () => {
    const sid = await server.newSession()
    await server.post(`${sid}/message`, { parentId: null, content: 'Mine', nodeId: 'mine', generate: false })
    await using terminal = await server.test.store.open(sid)
    await say(terminal, 'theirs')
    expect(await leafOf(sid)).toBe('theirs')
    await terminal.branch('mine')
    expect(await leafOf(sid)).toBe('mine')
  })

  test('does not move a leaf that somebody chose over HTTP', async () => {
    const sid = await server.newSession()
    await using terminal = await server.test.store.open(sid)
    await say(terminal, 'u-1')
    await say(terminal, 'u-2')
    await server.test.fetch(`/api/chat/${sid}/active_leaf`, { method: 'PUT', body: '{"leafId":"u-1"}' })
    await terminal.setLabel('u-2', 'here')
    expect(await leafOf(sid)).toBe('u-1')
  })
})

test('the end of an answer is nobody’s echo, also when nobody heard of its beginning', async () => {
  const sid = await server.newSession()
  await server.post(`${sid}/message`, { parentId: null, content: 'Wait at the echo gate' })
  using watched = await watchSession(server.test.server, sid)
  server.letGo('echo')
  expect((await watched.until('node.completed')).cause).toBeUndefined()
})
