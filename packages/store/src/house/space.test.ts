import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { openHome } from '../home.ts'
import { idInName } from '../log-files.ts'
import { openIndex } from '../session-index/open-index.ts'
import { header, makeTempHome } from '../testing/temp-home.ts'
import { measureSpace } from './space.ts'
import { trashSession } from './trash.ts'

const big = (char: string, size = 600_000) => char.repeat(size)

test('what eats the space: totals, sessions with what is theirs alone, blobs with who needs them', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  await using index = await openIndex({ home, worker: false })
  const paths = new Map<string, string>()
  {
    await using store = await openFileStore(temp)
    for (const [id, texts] of Object.entries({ one: ['a', 'b'], two: ['b'], gone: ['c'] })) {
      await using session = await store.create({ id, cwd: '/p', title: `name of ${id}` })
      for (const char of texts) await session.append(user(big(char)))
      paths.set(id, session.path)
    }
    await store.putBlob(Buffer.from('nobody needs me'))
  }
  writeFileSync(`${paths.get('two')}.v1`, 'an original')
  mkdirSync(home.paths.partialDir('two'), { recursive: true })
  writeFileSync(home.paths.partialFile('two', 'n1'), 'half')
  writeFileSync(home.paths.historyFile, 'history')
  const { trashId } = await trashSession(home, 'gone')
  const done: number[] = []
  const space = await measureSpace(home, index, { onProgress: (progress) => done.push(progress.done) })
  const size = (id: string) => statSync(paths.get(id)!).size
  expect(space.totals).toMatchObject({
    logs: size('one') + size('two'),
    originals: 11,
    blobs: 3 * big('x').length + 15,
    history: 7,
    partial: 4,
  })
  expect(space.totals.trash).toBeGreaterThan(500_000)
  expect(space.totals.index).toBeGreaterThan(0)
  expect(space.sessions).toEqual([
    session('one', { ownBlobBytes: 600_000, sharedBlobBytes: 600_000 }),
    session('two', { originalBytes: 11, sharedBlobBytes: 600_000 }),
  ])
  const referrers = space.blobs.map((blob) => blob.referrers.map(idInName).sort().join())
  expect(referrers.sort()).toEqual(['', 'gone', 'one', 'one,two'])
  expect(space.blobs.find(({ sizeBytes }) => sizeBytes === 15)?.referrers).toEqual([])
  expect(space.blobs.flatMap((blob) => blob.referrers).some((path) => path.includes(trashId))).toBe(true)
  expect(done[0]).toBe(0)
  expect(done.at(-1)).toBeGreaterThanOrEqual(size('one') + size('two'))
  home.locks.close()

  function session(id: string, more: object) {
    const none = { originalBytes: 0, ownBlobBytes: 0, sharedBlobBytes: 0 }
    return { path: paths.get(id), id, name: `name of ${id}`, logBytes: size(id), ...none, ...more }
  }
})

test('I4 measuring changes no log, and stops when it is told to', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  const path = temp.plant('s', header('s'))
  await using index = await openIndex({ home, worker: false })
  await measureSpace(home, index)
  expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(header('s'))}\n`)
  await expect(measureSpace(home, index, { signal: AbortSignal.abort() })).rejects.toThrow('abort')
})

test('an empty home takes nothing', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  await using index = await openIndex({ home, worker: false })
  const { totals, sessions, blobs } = await measureSpace(home, index)
  expect([totals.logs, totals.blobs, totals.trash, sessions.length, blobs.length]).toEqual([0, 0, 0, 0, 0])
})
