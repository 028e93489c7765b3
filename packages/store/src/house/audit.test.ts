import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openHome, openMemoryHome } from '../home.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import { createCrashStorage } from '../testing/crash-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { makeTempHome } from '../testing/temp-home.ts'
import { type AuditedHome, appendAudit, readAudit } from './audit.ts'

const trashIds = async (home: AuditedHome, limit?: number) =>
  (await readAudit(home, { limit })).map(({ trashId }) => trashId)

test('R1 a line says when, what and who, in a file of mode 0600', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  await appendAudit(home, { action: 'purge', trashId: 't1', sessionIds: ['s1'], paths: ['/a'], bytes: 7, count: 1 })
  const [record] = await readAudit(home)
  expect(record).toMatchObject({
    action: 'purge',
    trashId: 't1',
    sessionIds: ['s1'],
    paths: ['/a'],
    bytes: 7,
    count: 1,
  })
  expect(Date.now() - Date.parse(record!.time)).toBeLessThan(60_000)
  expect(record!.by).toContain(`process ${process.pid}`)
  expect(statSync(home.paths.auditFile).mode & 0o777).toBe(0o600)
  home.locks.close()
})

test('newest first, and no more than asked for; nothing where there is none', async () => {
  const home = openMemoryHome()
  expect(await readAudit(home)).toEqual([])
  for (const trashId of ['a', 'b', 'c']) await appendAudit(home, { action: 'trash', trashId })
  expect(await trashIds(home)).toEqual(['c', 'b', 'a'])
  expect(await trashIds(home, 2)).toEqual(['c', 'b'])
})

test('I2 torn lines and rubbish hide no other line, and what comes behind a torn one begins on a line of its own', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  const { auditFile } = home.paths
  await appendAudit(home, { action: 'trash', trashId: 'a' })
  appendFileSync(
    auditFile,
    '{"time":"2026-01-01T00:00:00.000Z","action":"launch"}\nnull\n[]\n\0\0\0\n{"time":7,"action":"gc"}\n',
  )
  await appendAudit(home, { action: 'trash', trashId: 'b' })
  truncateSync(auditFile, statSync(auditFile).size - 5)
  await appendAudit(home, { action: 'trash', trashId: 'c' })
  expect(await trashIds(home)).toEqual(['c', 'a'])
  expect(readFileSync(auditFile, 'utf8').endsWith('\n')).toBe(true)
  home.locks.close()
})

test('fields that are not what they should be are left out', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  const line = {
    time: '2026-01-01T00:00:00.000Z',
    action: 'gc',
    paths: [1],
    bytes: 'x',
    trashId: {},
    by: 5,
    text: 'secret',
  }
  writeFileSync(home.paths.auditFile, `${JSON.stringify(line)}\n`)
  expect(await readAudit(home)).toEqual([{ time: line.time, action: 'gc', by: '' }])
})

test('lines longer than a chunk are found, from the end', async () => {
  const home = openMemoryHome()
  const paths = Array.from({ length: 40_000 }, (_, i) => `/some/where/${i}`)
  for (const trashId of ['a', 'b', 'c']) await appendAudit(home, { action: 'gc', trashId, paths })
  expect(await trashIds(home)).toEqual(['c', 'b', 'a'])
})

test('several at once: every line is there, whole', async () => {
  using temp = makeTempHome()
  const homes = [openHome(temp), openHome(temp), openHome(temp)]
  const ids = Array.from({ length: 30 }, (_, i) => `t${i}`)
  await Promise.all(ids.map((trashId, i) => appendAudit(homes[i % 3]!, { action: 'trash', trashId })))
  expect((await trashIds(homes[0]!)).sort()).toEqual(ids.sort())
  for (const home of homes) home.locks.close()
})

test('D1 a line that was acknowledged survives power loss', async () => {
  const storage = createCrashStorage()
  await appendAudit(openMemoryHome({ storage }), { action: 'purge', trashId: 'a' })
  expect(await trashIds(openMemoryHome({ storage: storage.crash(() => 0.999) }))).toEqual(['a'])
})

test('R3 a full disk is told, and leaves no half line', async () => {
  const inner = createMemoryStorage()
  const plan = new FaultPlan()
  const home = openMemoryHome({ storage: createFaultyStorage(inner, plan) })
  await appendAudit(home, { action: 'trash', trashId: 'a' })
  plan.arm({ nth: 1, kinds: ['write'], outcome: { type: 'short', bytes: 9 }, lasts: 'until-healed' })
  await expect(appendAudit(home, { action: 'trash', trashId: 'b' })).rejects.toMatchObject({ code: 'storage_full' })
  plan.heal()
  await appendAudit(home, { action: 'trash', trashId: 'c' })
  const text = await inner.readText(home.paths.auditFile)
  expect(text.trimEnd().split('\n')).toHaveLength(2)
  expect(await trashIds(home)).toEqual(['c', 'a'])
})
