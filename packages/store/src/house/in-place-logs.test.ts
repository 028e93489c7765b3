import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBackup } from '../backup/backup.ts'
import { applyBlobCollection, planBlobCollection } from '../backup/collect-blobs.ts'
import { verifyBackup } from '../backup/verify-backup.ts'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { type Home, openHome } from '../home.ts'
import { makeTempHome, type TempHome } from '../testing/temp-home.ts'

/** A log of another tool, continued in place with a text so long that it becomes a blob. */
async function continueInPlace(temp: TempHome): Promise<string> {
  const folder = join(temp.outside, 'tool')
  mkdirSync(folder)
  const path = join(folder, 'log.jsonl')
  await using store = await openFileStore(temp)
  await using session = await store.openPath(path, { inPlace: true, create: true })
  await session.append(user('x'.repeat(600_000), 'e1'))
  return path
}

function makeOld({ paths }: Home): string {
  const [name] = readdirSync(paths.blobs)
  const file = join(paths.blobs, name!)
  utimesSync(file, 1, 1)
  return file
}

test('R1 a blob that a log continued in place names is not collected, until that log is deleted', async () => {
  using temp = makeTempHome()
  const path = await continueInPlace(temp)
  using home = openHome(temp)
  const blob = makeOld(home)
  const plan = await planBlobCollection(home)
  expect(plan.unused).toEqual([])
  await applyBlobCollection(home, plan)
  expect(existsSync(blob)).toBe(true)
  rmSync(path)
  expect((await planBlobCollection(home)).unused).toHaveLength(1)
})

test('R1, R2 while such a log is out of reach nothing counts as unused, and it is said what to do', async () => {
  using temp = makeTempHome()
  const path = await continueInPlace(temp)
  using home = openHome(temp)
  makeOld(home)
  renameSync(join(temp.outside, 'tool'), join(temp.outside, 'unmounted'))
  await expect(planBlobCollection(home)).rejects.toThrow(path)
  renameSync(join(temp.outside, 'unmounted'), join(temp.outside, 'tool'))
  const [note] = readdirSync(home.paths.inPlace)
  for (const text of ['"/etc/passwd"', 'rubbish', '7', '']) {
    writeFileSync(join(home.paths.inPlace, note!), text)
    await expect(planBlobCollection(home)).rejects.toMatchObject({ code: 'damaged' })
  }
})

test('N77 a backup knows of it too', async () => {
  using temp = makeTempHome()
  await continueInPlace(temp)
  using home = openHome(temp)
  const { folder } = await createBackup(home, join(temp.outside, 'backups'))
  expect(readdirSync(join(folder, 'in-place'))).toEqual(readdirSync(home.paths.inPlace))
  expect(await verifyBackup(folder)).toMatchObject({ isSound: true })
})
