import { openMemoryStore, type Session } from '@treeline/store'
import { expect, test } from 'vitest'
import { SessionCost } from './session-cost.ts'

let answers = 0

async function answer(session: Session, cost: number): Promise<void> {
  const usage = { input: 10, output: ++answers, cacheRead: 0, cacheWrite: 0, cost: { total: cost } }
  await session.append({
    type: 'message',
    message: {
      role: 'assistant',
      content: [{ type: 'text', text: 'yes' }],
      provider: 'demo',
      model: 'demo',
      usage,
      stopReason: 'stop',
      timestamp: answers,
    },
  })
}

test('what was paid before counts, and what comes is added without reading it all again', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  await answer(session, 0.5)
  await answer(session, 0.25)
  const cost = new SessionCost(session)
  expect(await cost.read()).toEqual({ cost: 0.75, isCostPartial: false })
  expect(await cost.read()).toEqual({ cost: 0.75, isCostPartial: false })
  await answer(session, 1)
  expect(await cost.read()).toEqual({ cost: 1.75, isCostPartial: false })
})

test('of a long session only the end is read, and that is said', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  for (let i = 0; i < 250; i++) await answer(session, 1)
  const cost = new SessionCost(session)
  expect(await cost.read()).toEqual({ cost: 200, isCostPartial: true })
  await answer(session, 1)
  expect(await cost.read()).toEqual({ cost: 201, isCostPartial: true })
})
