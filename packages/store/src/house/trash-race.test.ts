import { expect, test } from 'vitest'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { type Home, openHome } from '../home.ts'
import { runs } from '../testing/runs.ts'
import { makeTempHome } from '../testing/temp-home.ts'
import { restoreFromTrash } from './restore-from-trash.ts'
import { trashSession } from './trash.ts'
import { listTrash } from './trash-item.ts'

test('D1, R1 appended and trashed at once, by those who do not see each other: what was acknowledged can be restored', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  const blind: Home = { ...home, presence: { ...home.presence, openLogs: () => new Set<string>() } }
  let trashed = 0
  for (let i = 0; i < runs(25); i++) {
    const id = `s${i}`
    const acknowledged: string[] = []
    {
      await using store = await openFileStore(temp)
      const session = await store.create({ id, cwd: '/p' })
      const appends = Array.from({ length: 8 }, async (_, n) => {
        await session.append(user('x'.repeat(100 * n), `e${n}`))
        acknowledged.push(`e${n}`)
      })
      await Promise.race(appends)
      const trash = trashSession(blind, id)
      const outcomes = await Promise.allSettled([trash, ...appends])
      if (outcomes[0]!.status === 'fulfilled') trashed++
    }
    for (const { trashId } of await listTrash(home)) await restoreFromTrash(home, trashId)
    await using store = await openFileStore(temp)
    await using again = await store.open(id)
    for (const entryId of acknowledged) expect(again.tree.ids.find(entryId), `${id} ${entryId}`).toBeGreaterThan(0)
  }
  expect(trashed).toBeGreaterThan(0)
  home.locks.close()
})

test('R1 of several who trash the same session one does, and of several who restore it one does', async () => {
  using temp = makeTempHome()
  const homes = [openHome(temp), openHome(temp), openHome(temp)]
  {
    await using store = await openFileStore(temp)
    await store.create({ id: 's', cwd: '/p' })
  }
  const trashed = await Promise.allSettled(homes.map((home) => trashSession(home, 's')))
  expect(trashed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const items = await listTrash(homes[0]!)
  expect(items).toHaveLength(1)
  const restored = await Promise.allSettled(homes.map((home) => restoreFromTrash(home, items[0]!.trashId)))
  expect(restored.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await using store = await openFileStore(temp)
  expect(await store.exists('s')).toBe(true)
  expect(await listTrash(homes[0]!)).toEqual([])
  for (const home of homes) home.locks.close()
})
