import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { makeTempHome } from '../testing/temp-home.ts'

const EIO = { type: 'error', code: 'EIO' } as const

function planned(): { readonly plan: FaultPlan; readonly storage: ReturnType<typeof createFaultyStorage> } {
  const plan = new FaultPlan()
  return { plan, storage: createFaultyStorage(createFileStorage(), plan) }
}

test('D1 the folder cannot be synced: the entry is refused, and so is its retry until the folder is durable', async () => {
  using temp = makeTempHome()
  const { plan, storage } = planned()
  await using store = await openFileStore({ home: temp.home, storage })
  await using session = await store.create()
  plan.arm({ nth: 1, kinds: ['syncDir'], outcome: EIO, lasts: 'until-healed' })
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(session.append(user('once', '0000000a'))).rejects.toMatchObject({ name: 'TreelineError' })
  }
  plan.heal()
  const before = plan.calls.length
  await session.append(user('once', '0000000a'))
  const kindsSince = () => plan.calls.slice(before).map(({ kind }) => kind)
  expect(kindsSince()).toContain('syncDir')
  await session.append(user('more'))
  expect(kindsSince().filter((kind) => kind === 'syncDir')).toHaveLength(1)
})

test('D5 what was written, and could then not be measured, is written again when its sync fails', async () => {
  using temp = makeTempHome()
  const { plan, storage } = planned()
  await using store = await openFileStore({ home: temp.home, storage })
  await using session = await store.create()
  await session.append(user('first'))
  const before = plan.calls.length
  await session.append(user('second'))
  const stats = plan.calls.slice(before).filter(({ kind }) => kind === 'stat')
  plan.arm({ nth: stats.length, kinds: ['stat'], outcome: EIO })
  await expect(session.append(user('written', '0000000a'))).rejects.toMatchObject({ name: 'TreelineError' })
  const linesWith = (id: string) => readFileSync(session.path, 'utf8').split(`"id":"${id}"`).length - 1
  expect([plan.hasStruck, linesWith('0000000a')]).toEqual([true, 1])
  // From here on it can be read and may be on no disk, whatever a later sync says.
  plan.arm({ nth: 1, kinds: ['datasync'], outcome: EIO })
  await expect(session.append(user('next', '0000000b'))).rejects.toMatchObject({ name: 'TreelineError' })
  plan.heal()
  await session.append(user('written', '0000000a'))
  expect([linesWith('0000000a'), linesWith('0000000b')]).toEqual([2, 2])
})
