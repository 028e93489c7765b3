import type { EntryDraft } from '@treeline/core'
import { openMemoryStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { measureSession } from './measure-session.ts'

const user = (text: string): EntryDraft => ({ type: 'message', message: { role: 'user', content: text, timestamp: 1 } })
const answer = (cost: number, model = 'large'): EntryDraft => ({
  type: 'message',
  message: {
    role: 'assistant',
    provider: 'demo',
    model,
    content: [
      { type: 'text', text: 'ok' },
      { type: 'toolCall', id: `t${cost}`, name: 'bash', arguments: {} },
    ],
    usage: { input: cost * 100, output: cost * 10, cacheRead: cost, cacheWrite: 2, cost: { total: cost } },
    stopReason: 'stop',
  },
})

test('what branches share is counted once, and the sums of the branches are the sum of the session', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  const first = await session.append(user('hi'))
  const shared = await session.append(answer(1))
  await session.append(user('left'))
  const left = await session.append(answer(2, 'small'))
  await session.append(user('right'), { parentId: shared.id })
  const right = await session.append(answer(4))
  const { totals, branches, elsewhere, models, days } = await measureSession(session)
  expect(totals).toMatchObject({
    messages: 6,
    toolCalls: 3,
    answers: 3,
    inputTokens: 700,
    cost: 7,
    cacheWriteTokens: 6,
  })
  expect(branches.map(({ branch, own, path }) => [branch.leafId, branch.isTrunk, own.cost, path.cost])).toEqual([
    [right.id, true, 5, 5],
    [left.id, false, 2, 3],
  ])
  expect(branches[0]!.path).toMatchObject({ messages: 4, toolCalls: 2 })
  expect(branches[1]!.own).toMatchObject({ messages: 2, toolCalls: 1 })
  expect(elsewhere.cost).toBe(0)
  expect(models.byCost().map(([model, { cost }]) => [model, cost])).toEqual([
    ['demo/large', 5],
    ['demo/small', 2],
  ])
  expect(days.sums.size).toBe(1)
  expect(first.id).not.toBe(shared.id)
})

test('what was cut off was paid for all the same', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  const first = await session.append(user('hi'))
  await session.append(answer(1))
  const aside = await session.append(user('aside'), { parentId: first.id })
  await session.append(answer(8))
  await session.append({ type: 'usage', kind: 'cache_warm', provider: 'demo', model: 'large', usage: { input: 5 } })
  await session.edit({ operations: [{ op: 'prune', nodeId: aside.id }] })
  const { totals, branches, elsewhere } = await measureSession(session)
  expect(totals).toMatchObject({ cost: 9, answers: 3, inputTokens: 905 })
  expect(elsewhere).toMatchObject({ cost: 8, messages: 1, answers: 2, inputTokens: 805 })
  expect(branches.reduce((sum, { own }) => sum + own.cost, 0)).toBe(1)
})

test('a session without anything has nothing', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  const { totals, branches } = await measureSession(session)
  expect(totals.messages).toBe(0)
  expect(branches).toEqual([])
})

test('a long path is measured without recursion', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  await session.appendAll(Array.from({ length: 6_000 }, (_, i) => (i % 2 === 0 ? user('q') : answer(1))))
  const { totals, branches } = await measureSession(session)
  expect(totals).toMatchObject({ messages: 6_000, cost: 3_000 })
  expect(branches).toMatchObject([{ own: { cost: 3_000 }, path: { cost: 3_000 } }])
})
