import type { ContextPreview } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchSession } from '../../testing/watch-session.ts'
import { startTalkServer, type TalkServer } from './testing/talk-server.ts'

const TURNS = 12

let server: TalkServer
let sid: string
beforeAll(async () => {
  server = await startTalkServer()
  sid = await server.newSession()
  await using session = await server.test.store.open(sid)
  for (let i = 0; i < TURNS; i++) {
    const question = { role: 'user', content: `Question ${i}. ${'word '.repeat(6_000)}`, timestamp: 1 }
    await session.append({ type: 'message', id: `u${i}`, message: question })
    const content = [{ type: 'text', text: `Answer ${i}.` }]
    const answer = { role: 'assistant', content, stopReason: 'stop', timestamp: 1 }
    await session.append({ type: 'message', id: `a${i}`, message: answer })
  }
  await session.edit({ operations: [{ op: 'meta', nodeId: 'u1', patch: { pinned: true } }] })
})
afterAll(() => server[Symbol.asyncDispose]())

const ask = (content: string, generate: object) =>
  server.post(`${sid}/message`, { parentId: `a${TURNS - 1}`, content, generate, activate: 'never' })
const context = (query = '') => server.get<ContextPreview>(`${sid}/context?leafId=a${TURNS - 1}${query}`)

test('T37 what is too long is refused unless something is chosen to be done about it', async () => {
  expect(await ask('And?', {})).toMatchObject({ status: 422, body: { code: 'context_overflow' } })
  expect(await ask('And?', { strategy: 'default' })).toMatchObject({ status: 422 })
  const told = await ask('x'.repeat(400_000), { strategy: 'truncate' })
  expect(told).toMatchObject({ status: 422, body: { code: 'context_overflow' } })
  const both = [{ strategy: 'truncate' }, {}]
  expect(await ask('And?', both)).toMatchObject({ status: 422, body: { code: 'context_overflow' } })
})

test('T37 truncate leaves out the oldest turns, as many as it takes, and neither pins nor what is asked now', async () => {
  using watched = await watchSession(server.test.server, sid)
  const sent = await ask('And what now?', { strategy: 'truncate' })
  expect(sent.status).toBe(202)
  const nodeId = sent.body.generations[0]!.node.id
  await watched.until('node.completed', ({ node }) => node.id === nodeId)
  const given = server.asked.at(-1)!
  const questions = [...given.matchAll(/Question (\d+)\./g)].map(([, i]) => Number(i))
  const first = questions.find((i) => i > 1)!
  expect(first).toBeGreaterThan(2)
  expect(questions).toEqual([1, ...Array.from({ length: TURNS - first }, (_, i) => first + i)])
  expect(given).not.toContain(`Answer ${first - 1}.`)
  expect(given.endsWith('And what now?')).toBe(true)
  const { nodes } = await server.get(`${sid}/tree`)
  expect(Object.values(nodes).every(({ isEnabled }) => isEnabled)).toBe(true)
})

test('T37 a preview says the same: what would be left out for want of room, and that it fits then', async () => {
  const whole = await context()
  expect(whole).toMatchObject({ strategy: 'default', excluded: [], warnings: [{ code: 'context_overflow' }] })
  const cut = await context('&strategy=truncate')
  expect(cut).toMatchObject({ strategy: 'truncate', warnings: [] })
  expect(cut.tokens.context).toBeLessThanOrEqual(cut.tokens.limit)
  expect(cut.excluded.slice(0, 2)).toEqual([
    { nodeId: 'u0', reason: 'budget' },
    { nodeId: 'a0', reason: 'budget' },
  ])
  expect(cut.excluded.map(({ nodeId }) => nodeId)).not.toContain('u1')
  // What is muted as well is muted, and so much less is left out.
  const muted = await context(`&strategy=truncate&mute=${['u8', 'u9', 'u10'].join(',')}`)
  expect(muted.excluded).toContainEqual({ nodeId: 'u9', reason: 'disabled' })
  expect(muted.excluded.filter(({ reason }) => reason === 'budget').length).toBeLessThan(cut.excluded.length)
  const summed = await context('&strategy=compact')
  expect(summed).toMatchObject({ strategy: 'compact', excluded: [], warnings: [{ code: 'context_overflow' }] })
  const short = await server.get<ContextPreview>(`${sid}/context?leafId=a2&strategy=truncate`)
  expect(short).toMatchObject({ excluded: [], warnings: [] })
})
