import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type Home, openHome } from '../../home.ts'
import { header, makeTempHome, message } from '../../testing/temp-home.ts'
import { applyScrub } from './apply-scrub.ts'
import { finishScrub } from './finish-scrub.ts'
import { planScrub } from './scrub-plan.ts'

const SECRET = 'secret-that-came-late'
const line = (value: object) => `${JSON.stringify(value)}\n`

/** Runs a scrub that dies right behind its journal. */
async function interrupt(home: Home, secret: string): Promise<void> {
  const dying: Home = { ...home, locks: { ...home.locks, run: () => Promise.reject(new Error('killed')) } }
  // The audit has a lock of its own.
  dying.locks.run = (id, work) => (id === 'audit' ? home.locks.run(id, work) : Promise.reject(new Error('killed')))
  await expect(applyScrub(dying, await planScrub(home, secret), { confirm: true })).rejects.toThrow('killed')
  expect(readdirSync(home.paths.scrub)).toHaveLength(1)
}

test('a line that came after the plan and must not be changed: refused, and nothing is changed', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const path = temp.plant('s', header('s'), message(SECRET, 'a', null))
  const plan = await planScrub(home, SECRET)
  appendFileSync(path, line(message('late', `id-${SECRET}`, 'a')))
  const before = readFileSync(path, 'utf8')
  await expect(applyScrub(home, plan, { confirm: true })).rejects.toMatchObject({ code: 'forbidden' })
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(readdirSync(dirname(path))).toHaveLength(1)
})

test('a line that must not be changed and comes in the middle stays as it is, and is in the report', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const path = temp.plant('s', header('s'), message(SECRET, 'a', null))
  const late = line(message('late', `id-${SECRET}`, 'a'))
  const ensureDirSync = (dir: string) => {
    if (dir === home.paths.scrub) appendFileSync(path, late)
    home.storage.ensureDirSync(dir)
  }
  const appending = { ...home, storage: { ...home.storage, ensureDirSync } }
  const { left } = await applyScrub(appending, await planScrub(home, SECRET), { confirm: true })
  expect(left.refusals).toMatchObject([{ path, line: 3 }])
  expect(readFileSync(path, 'utf8').endsWith(late)).toBe(true)
  expect(readFileSync(path, 'utf8')).toContain('[removed]')
})

test('D1 a fork made before an interrupted scrub is finished keeps its large text; scrubbed again it is without', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const ref = await home.blobs.put(Buffer.from(`a large text with ${SECRET} in it`))
  const named = { ...message('x', 'a', null), image_url: ref }
  temp.plant('s', header('s'), named)
  await interrupt(home, SECRET)
  const fork = temp.plant('fork', header('fork'), named)
  expect(await finishScrub(home)).toMatchObject({ finished: 1 })
  expect(await home.blobs.read(ref)).toBeDefined()
  const { left } = await applyScrub(home, await planScrub(home, SECRET), { confirm: true })
  expect(left.isEmpty).toBe(true)
  expect(await home.blobs.read(ref)).toBeUndefined()
  const [, hash] = /blob:sha256:([a-f0-9]{64})/.exec(readFileSync(fork, 'utf8'))!
  expect(readFileSync(home.paths.blobFile(hash!), 'utf8')).toBe('a large text with [removed] in it')
})

test('what a killed writer left of saved columns is found: told of while it is new, removed when it is old', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  mkdirSync(home.paths.index, { recursive: true })
  const left = join(home.paths.index, 's.cols.0123456789ab.tmp')
  writeFileSync(left, `label ${SECRET}`)
  expect((await planScrub(home, SECRET)).notReached.join()).toContain(left)
  utimesSync(left, 1, 1)
  await applyScrub(home, await planScrub(home, SECRET), { confirm: true })
  expect(existsSync(left)).toBe(false)
})

test('I5 a prepared file that is shorter than it was takes nobody’s place', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const path = temp.plant('s', header('s'), message(SECRET, 'a', null))
  const before = readFileSync(path, 'utf8')
  await interrupt(home, SECRET)
  const prepared = readdirSync(dirname(path)).find((name) => name.endsWith('.tmp'))!
  writeFileSync(join(dirname(path), prepared), 'x')
  await finishScrub(home)
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test.each([
  { removals: ['sessions/--p--/2026-01-01T00-00-00-000Z_s.jsonl'] },
  { removals: ['history.db'] },
  { removals: ['../outside/x.tmp'] },
  { replacements: [{ temp: 'a.tmp', path: 'b', lockId: '', identity: '', size: -1, tempSize: 0 }] },
])('K3, R1 a journal that %j is none, and nothing is done by it', async (content) => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const path = temp.plant('s', header('s'), message('hello', 'a', null))
  writeFileSync(join(temp.outside, 'x.tmp'), '')
  writeFileSync(join(temp.home, 'history.db'), '')
  mkdirSync(home.paths.scrub)
  const journal = join(home.paths.scrub, 'j.json')
  writeFileSync(journal, JSON.stringify({ version: 1, replacements: [], removals: [], sessionIds: [], ...content }))
  expect(await finishScrub(home)).toEqual({ finished: 0, unreadable: [journal] })
  expect([path, join(temp.outside, 'x.tmp'), join(temp.home, 'history.db')].every((file) => existsSync(file))).toBe(
    true,
  )
})
