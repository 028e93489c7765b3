import { expect, test } from 'vitest'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { makeTempHome } from '../testing/temp-home.ts'

test('C1 an append fails, an edit does not: the session still goes on from its own leaf, whatever others do', async () => {
  using temp = makeTempHome()
  const plan = new FaultPlan()
  await using store = await openFileStore({ home: temp.home, storage: createFaultyStorage(createFileStorage(), plan) })
  await using others = await openFileStore(temp)
  await using session = await store.create()
  const root = await session.append(user('root'))
  const own = await session.append(user('own'))
  await using other = await others.open(session.id)
  await other.append(user('beside'), { parentId: root.id })
  plan.arm({ nth: 1, kinds: ['write'], outcome: { type: 'error', code: 'ENOSPC' } })
  await expect(session.append(user('lost'))).rejects.toMatchObject({ code: 'storage_full' })
  plan.heal()
  await session.setLabel(own.id, 'mine')
  await other.append(user('beside again'))
  await session.refresh()
  expect(session.leafId).toBe(own.id)
  expect(await session.append(user('next'))).toMatchObject({ parentId: own.id })
})
