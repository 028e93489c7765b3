import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { openHome, openMemoryHome } from '../home.ts'
import { openMemoryStore } from '../memory-store.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import { header, makeTempHome } from '../testing/temp-home.ts'
import { measureBranches } from './branch-space.ts'

/** Length of an entry's line with its line end, from the log itself. */
function lineBytes(text: string, id: string): number {
  return text.split('\n').find((line) => line.includes(`"id":"${id}"`))!.length + 1
}

test('every byte of a log is of one branch, shared, cut off or no part of any', async () => {
  const storage = createMemoryStorage()
  await using store = await openMemoryStore({ storage })
  await using session = await store.create({ cwd: '/p' })
  await session.append(user('root', 'r1'))
  await session.append(user('left', 'a1'))
  await session.append(user('x'.repeat(5000), 'a2'))
  await session.branch('r1')
  await session.append(user('right', 'b1'))
  await session.branch('r1')
  await session.append(user('cut', 'c1'))
  await session.append(user('below the cut', 'c2'))
  await session.branch('r1')
  await session.append(user('deleted', 'd1'))
  await session.branch('b1')
  await session.edit({ operations: [{ op: 'prune', nodeId: 'c1' }] })
  await session.edit({ operations: [{ op: 'delete', nodeIds: ['d1'] }] })
  const home = openMemoryHome({ storage })
  const space = await measureBranches(home, session.path)
  const text = await storage.readText(session.path)
  const of = (...ids: string[]) => ids.reduce((sum, id) => sum + lineBytes(text, id), 0)
  expect(space.sizeBytes).toBe(text.length)
  expect(space.branches).toEqual([
    { leafId: 'a2', isTrunk: false, ownBytes: of('a1', 'a2'), sharedBytes: of('r1') },
    { leafId: 'b1', isTrunk: true, ownBytes: of('b1'), sharedBytes: of('r1') },
    { leafId: 'c1', isTrunk: false, ownBytes: of('c1'), sharedBytes: of('r1') },
  ])
  expect(space.fragments).toEqual([{ fragmentId: 'c2', sizeBytes: of('c2') }])
  expect(space.deletedBytes).toBe(of('d1'))
  const all = of('r1', 'a1', 'a2', 'b1', 'c1', 'c2', 'd1')
  expect(space.otherBytes).toBe(text.length - all)
  expect(space.largest[0]).toEqual({ entryId: 'a2', sizeBytes: of('a2') })
  expect(space.largest.map(({ sizeBytes }) => sizeBytes)).toEqual(
    space.largest.map(({ sizeBytes }) => sizeBytes).sort((a, b) => b - a),
  )
})

test('one branch has everything; a log without entries has none; one that is not there is told', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  await using store = await openFileStore(temp)
  await using session = await store.create({ cwd: '/p' })
  for (const id of ['a1', 'a2', 'a3']) await session.append(user(id, id))
  const { branches, otherBytes, sizeBytes } = await measureBranches(home, session.path)
  expect(branches).toEqual([{ leafId: 'a3', isTrunk: true, ownBytes: sizeBytes - otherBytes, sharedBytes: 0 }])
  const empty = temp.plant('empty', header('empty'))
  expect(await measureBranches(home, empty)).toMatchObject({
    branches: [],
    otherBytes: statSync(empty).size,
    largest: [],
  })
  await expect(measureBranches(home, `${empty}x`)).rejects.toMatchObject({ code: 'session_not_found' })
  home.locks.close()
})

test('G1 a long chain and many siblings are measured without depth', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  const lines: object[] = [header('s')]
  const say = (id: string, parentId: string | null) => ({
    type: 'message',
    id,
    parentId,
    timestamp: '2026-01-01T00:00:01.000Z',
    message: { role: 'user', content: 'x', timestamp: 1 },
  })
  for (let i = 0; i < 20_000; i++) lines.push(say(`c${i}`, i === 0 ? null : `c${i - 1}`))
  for (let i = 0; i < 5_000; i++) lines.push(say(`s${i}`, 'c0'))
  const path = temp.plant('s', ...lines)
  const { branches, largest } = await measureBranches(home, path)
  expect(branches).toHaveLength(5_001)
  expect(branches[0]).toMatchObject({ leafId: 'c19999' })
  expect(largest).toHaveLength(20)
})
