import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type Home, openHome } from '../home.ts'
import { header, makeTempHome, message, type TempHome } from '../testing/temp-home.ts'
import { readAudit } from './audit.ts'
import { purgeTrash } from './purge-trash.ts'
import { restoreFromTrash } from './restore-from-trash.ts'
import { trashSession } from './trash.ts'
import { listTrash } from './trash-item.ts'

function putPartial({ paths }: Home, id: string): string {
  const path = paths.partialFile(id, 'n1')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'half an answ')
  return path
}

const plant = (temp: TempHome, id: string) => temp.plant(id, header(id), message('hello', 'e1'))

test('R1 another session whose name begins with that of the log is not taken along', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const path = plant(temp, 's')
  const other = `${path}.copy.jsonl`
  writeFileSync(other, readFileSync(path))
  writeFileSync(`${path}.v1`, 'original')
  const { trashId } = await trashSession(home, path)
  await purgeTrash(home, { trashId })
  expect(existsSync(other)).toBe(true)
  expect(existsSync(`${path}.v1`)).toBe(false)
})

test('R1 answers under way stay with a log of the same id, also with one that was renamed', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const path = plant(temp, 's')
  const partial = putPartial(home, 's')
  writeFileSync(join(dirname(path), 'renamed.jsonl'), readFileSync(path))
  const { trashId } = await trashSession(home, path)
  expect(existsSync(partial)).toBe(true)
  await purgeTrash(home, { trashId })
  expect(existsSync(partial)).toBe(true)
})

test('R1 an item.json that names another session takes nothing of that one along', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const { trashId } = await trashSession(home, plant(temp, 's'))
  const partial = putPartial(home, 'gone')
  writeFileSync(join(home.paths.trashItem(trashId), 'item.json'), JSON.stringify({ sessionId: 'gone' }))
  await purgeTrash(home, { trashId })
  expect(existsSync(partial)).toBe(true)
})

test.each(['sessions', 'partial', 'blobs'])('K3 %s of an item that is a link leads to nothing', async (area) => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const path = plant(temp, 's')
  putPartial(home, 's')
  writeFileSync(join(temp.outside, 'x'), 'not ours')
  const item = home.paths.trashItem('evil')
  mkdirSync(item, { recursive: true })
  writeFileSync(join(item, 'item.json'), JSON.stringify({ trashedAt: '2020-01-01T00:00:00.000Z' }))
  symlinkSync(area === 'blobs' ? temp.outside : join(temp.home, area), join(item, area))
  expect(await listTrash(home)).toEqual([])
  await purgeTrash(home, { olderThanDays: 0 })
  expect(existsSync(path)).toBe(true)
  expect(existsSync(home.paths.partialFile('s', 'n1'))).toBe(true)
  expect(existsSync(join(temp.outside, 'x'))).toBe(true)
})

test('I7 an item that cannot be read hides no other', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const { trashId } = await trashSession(home, plant(temp, 's'))
  mkdirSync(home.paths.trashItem('bad'), { recursive: true })
  const listDirsSync = (dir: string) => {
    if (dir.startsWith(home.paths.trashItem('bad'))) throw Object.assign(new Error('no'), { code: 'EACCES' })
    return home.storage.listDirsSync(dir)
  }
  const blind = { ...home, storage: { ...home.storage, listDirsSync } }
  expect((await listTrash(blind)).map((item) => item.trashId)).toEqual([trashId])
  expect((await purgeTrash(blind, { olderThanDays: 0 })).items).toHaveLength(1)
})

test('R1 purged while it is being restored, at any step: one of the two has all of it', async () => {
  const outcomes = new Set<string>()
  for (let purgeAt = 1; purgeAt <= 3; purgeAt++) {
    using temp = makeTempHome()
    using home = openHome(temp)
    const path = plant(temp, 's')
    const kept = ['.damaged', '.v1'].map((ending) => path + ending)
    for (const file of kept) writeFileSync(file, 'original')
    const { trashId } = await trashSession(home, path)
    const restoring = Promise.withResolvers<boolean>()
    const reached = Promise.withResolvers<void>()
    let purging: Promise<unknown> | undefined
    // Stops before its line in the audit until the other one is done.
    const waiting: Home = {
      ...home,
      locks: {
        ...home.locks,
        run: async (id, work) => {
          reached.resolve()
          await restoring.promise
          return home.locks.run(id, work)
        },
      },
    }
    let renames = 0
    const rename = async (from: string, to: string) => {
      if (++renames === purgeAt) {
        purging = purgeTrash(waiting, { trashId }).finally(reached.resolve)
        await reached.promise
      }
      await home.storage.rename(from, to)
    }
    const restored = await restoreFromTrash({ ...home, storage: { ...home.storage, rename } }, trashId).then(
      () => true,
      (error) => {
        expect(error).toMatchObject({ code: 'session_not_found', message: expect.stringContaining('List the trash') })
        return false
      },
    )
    restoring.resolve(restored)
    await purging
    const there = [path, ...kept].map((file) => existsSync(file))
    outcomes.add(String(restored))
    expect({ purgeAt, restored, there }).toEqual({ purgeAt, restored, there: [restored, restored, restored] })
  }
  expect([...outcomes].sort()).toEqual(['false', 'true'])
})

test('R1 a line of the audit is not lost when a scrub puts another file in its place', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const path = plant(temp, 's')
  await trashSession(home, plant(temp, 'first'))
  const { auditFile } = home.paths
  const replacing: Home = {
    ...home,
    locks: {
      ...home.locks,
      run: (id, work) => {
        if (id === 'audit') home.storage.writeTextSync(auditFile, readFileSync(auditFile, 'utf8'))
        return home.locks.run(id, work)
      },
    },
  }
  await trashSession(replacing, path)
  expect((await readAudit(home)).map(({ sessionIds }) => sessionIds)).toEqual([['s'], ['first']])
})

test.each(['a session', 'an answer under way'])('R1 blobs among other things stay when %s needs them', async (who) => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const hash = 'a'.repeat(64)
  const item = home.paths.trashItem('mixed')
  for (const folder of ['blobs', 'partial/gone']) mkdirSync(join(item, folder), { recursive: true })
  writeFileSync(join(item, 'blobs', hash), 'large')
  writeFileSync(join(item, 'partial/gone/n1'), 'half')
  if (who === 'a session') temp.plant('s', header('s'), message(`blob:sha256:${hash}`, 'e1'))
  else writeFileSync(putPartial(home, 's'), `blob:sha256:${hash}`)
  expect((await purgeTrash(home, { trashId: 'mixed' })).failed).toMatchObject([{ trashId: 'mixed' }])
  expect(existsSync(join(item, 'blobs', hash))).toBe(true)
})
