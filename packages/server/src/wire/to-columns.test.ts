import type { Entry } from '@treeline/core'
import { columnsTreeSchema, readColumns } from '@treeline/protocol'
import { openMemoryStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { generation, openSample, user } from './testing/sample-session.ts'
import { toColumns } from './to-columns.ts'

const { columns: schema } = columnsTreeSchema.shape

test('a tree as columns says where every node hangs and what it is', async () => {
  await using sample = await openSample('u1', 'a1', 'u2', 'a2')
  const { session } = sample
  await session.append(user('other', 'u3'), { parentId: 'a1' })
  await session.append(generation('a3'))
  await session.setLabel('u1', 'start')
  await session.edit({
    operations: [
      { op: 'mute', nodeIds: ['u1'] },
      { op: 'reorder', parentId: 'a1', childrenIds: ['u3', 'u2'] },
      { op: 'prune', nodeId: 'a1', include: 'self' },
      { op: 'graft', sourceId: 'u2', targetId: 'u1' },
    ],
  })
  const packed = toColumns(session.tree)
  expect(schema.safeParse(packed)).toMatchObject({ success: true })
  const columns = readColumns(packed)
  expect(columns).toMatchObject({
    id: ['u1', 'a1', 'u2', 'a2', 'u3', 'a3'],
    parent: Int32Array.of(-1, -2, 0, 2, 1, 4),
    role: Uint8Array.of(1, 2, 1, 2, 1, 2),
    flags: Int32Array.of(1 | 16, 2, 0, 0, 2, 2 | 4),
    reordered: {},
  })
  expect(columns.time[0]).toBe(Date.parse((await session.readEntry('u1'))!.timestamp))
})

test('siblings that do not stand as they came are listed, and only those', async () => {
  await using sample = await openSample('u1', 'a1', 'u2')
  const { session } = sample
  await session.append(user('other', 'u3'), { parentId: 'a1' })
  expect(toColumns(session.tree).reordered).toEqual({})
  await session.edit({ operations: [{ op: 'reorder', parentId: 'a1', childrenIds: ['u3', 'u2'] }] })
  expect(toColumns(session.tree).reordered).toEqual({ a1: ['u3', 'u2'] })
})

test('100,000 nodes are columns at once, and no body is read for it', async () => {
  await using store = await openMemoryStore()
  const session = await store.create({ entries: manyEntries(100_000) })
  const start = performance.now()
  const packed = toColumns(session.tree)
  const tookMs = performance.now() - start
  const columns = readColumns(packed)
  expect(columns.id).toHaveLength(100_000)
  expect(columns.parent[99_999]).toBe(49_999)
  expect(JSON.stringify(packed).length).toBeLessThan(2_600_000)
  expect(tookMs).toBeLessThan(2_000)
})

function* manyEntries(count: number): Generator<Entry> {
  for (let i = 0; i < count; i++) {
    const parentId = i === 0 ? null : idOf((i - 1) >> 1)
    const timestamp = new Date(1.7e12 + i * 1_000).toISOString()
    yield { type: 'message', id: idOf(i), parentId, timestamp, message: { role: 'user', content: 'x', timestamp: 1 } }
  }
}

function idOf(i: number): string {
  return i.toString(16).padStart(8, '0')
}
