import { describe, expect, test } from 'vitest'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStore } from '../store.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { makeTempHome } from '../testing/temp-home.ts'
import type { Session } from './session.ts'

const FULL = { type: 'error', code: 'ENOSPC' } as const

type Move = (session: Session) => Promise<unknown>
const MOVES: Readonly<Record<string, Move>> = {
  branch: (session) => session.branch('above'),
  resetLeaf: (session) => session.resetLeaf(),
  'an entry that leaves it elsewhere': (session) =>
    session.append(user('beside'), { parentId: 'above', leafAfter: 'above' }),
  'deleting the leaf': (session) => session.edit({ operations: [{ op: 'delete', nodeIds: ['leaf'] }] }),
  'an entry': (session) => session.append(user('refused')),
}

describe('R3 a change that could not be stored leaves the leaf where it was', () => {
  const plan = new FaultPlan()

  async function withRefused(move: Move, then: (session: Session, refused: Promise<unknown>) => Promise<void>) {
    using temp = makeTempHome()
    await using store = await openFileStore({ ...temp, storage: createFaultyStorage(createFileStorage(), plan) })
    await using session = await store.create()
    await session.append(user('above', 'above'))
    await session.append(user('leaf', 'leaf'))
    plan.arm({ nth: 1, kinds: ['write'], outcome: FULL })
    await then(session, expect(move(session)).rejects.toMatchObject({ code: 'storage_full' }))
  }

  test.each(Object.entries(MOVES))('%s', async (_name, move) => {
    await withRefused(move, async (session, refused) => {
      await refused
      expect(session.leafId).toBe('leaf')
      expect(await session.append(user('next'))).toMatchObject({ parentId: 'leaf' })
    })
  })

  test.each(Object.entries(MOVES))('%s, and what was asked for while it was written', async (_name, move) => {
    await withRefused(move, async (session, refused) => {
      // Not before the write that fails has begun.
      await Promise.resolve()
      await Promise.resolve()
      const next = session.append(user('next'))
      await refused
      expect(await next).toMatchObject({ parentId: 'leaf' })
    })
  })

  test('two of one batch', async () => {
    await withRefused(
      (session) => Promise.all([session.branch('above'), session.append(user('under it'))]),
      async (session, refused) => {
        await refused
        expect(session.leafId).toBe('leaf')
      },
    )
  })
})

test('R3 a move that was refused is not taken for one of its own by who follows others', async () => {
  using temp = makeTempHome()
  const plan = new FaultPlan()
  await using store = await openFileStore({ ...temp, storage: createFaultyStorage(createFileStorage(), plan) })
  await using session = await createWithTwo(store)
  session.followLeaf()
  plan.arm({ nth: 1, kinds: ['write'], outcome: FULL })
  await expect(session.branch('a')).rejects.toMatchObject({ code: 'storage_full' })
  await using other = await (await openFileStore(temp)).open(session.id)
  await other.append(user('apart', 'c'), { parentId: null })
  await session.refresh()
  expect(session.leafId).toBe('c')
})

test('D5 a move whose sync failed is in the log, and so is the leaf', async () => {
  using temp = makeTempHome()
  const plan = new FaultPlan()
  await using store = await openFileStore({ ...temp, storage: createFaultyStorage(createFileStorage(), plan) })
  await using session = await createWithTwo(store)
  plan.arm({ nth: 1, kinds: ['datasync'], outcome: { type: 'error', code: 'EIO' } })
  await expect(session.branch('a')).rejects.toMatchObject({ code: 'internal' })
  await using other = await openFileStore(temp)
  expect([session.leafId, (await other.open(session.id)).leafId]).toEqual(['a', 'a'])
})

async function createWithTwo(store: SessionStore): Promise<Session> {
  const session = await store.create()
  await session.append(user('a', 'a'))
  await session.append(user('b', 'b'))
  return session
}
