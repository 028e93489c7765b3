import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openFileStore } from '../file-store.ts'
import { openHome } from '../home.ts'
import { readAudit } from '../house/audit.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { bundleAppender } from '../testing/bundle-appender.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { killRun } from '../testing/kill-run.ts'
import { makeSampleHome, readFiles } from '../testing/sample-home.ts'
import { header, makeTempHome, message } from '../testing/temp-home.ts'
import { amount } from '../torture/amounts.ts'
import { AppenderProcess } from '../torture/appender-process.ts'
import { createBackup } from './backup.ts'
import { readManifest } from './backup-manifest.ts'
import { verifyBackup } from './verify-backup.ts'

test('N77 a backup is a dated folder that holds everything, and a manifest of it', async () => {
  await using sample = await makeSampleHome()
  const report = await createBackup(sample.home, sample.folder)
  expect(report).toMatchObject({ isComplete: true, problems: [], unfinished: [] })
  expect(basename(report.folder)).toMatch(/^treeline-backup-\d{8}-\d{6}$/)
  const here = readFiles(sample.temp.home)
  const there = readFiles(report.folder)
  there.delete('manifest.json')
  // SQLite's copy has the same rows in other bytes; its journals are part of it.
  for (const files of [here, there])
    for (const name of files.keys()) if (name.includes('history.db')) files.delete(name)
  expect(there).toEqual(here)
  const { files } = await readManifest(sample.home.storage, report.folder)
  expect(files.map(({ path }) => path)).toEqual([...there.keys(), 'history.db'].sort())
  for (const top of ['sessions', 'blobs', 'trash', 'partial', 'terminal-sessions', 'audit.jsonl', 'settings.json']) {
    expect(files.some(({ path }) => path.startsWith(top))).toBe(true)
  }
  expect(files.some(({ path }) => path.endsWith('.v1'))).toBe(true)
  expect(report.fileCount).toBe(files.length)
  expect(await verifyBackup(report.folder)).toMatchObject({ isSound: true, isComplete: true, findings: [] })
  expect(await readAudit(sample.home)).toMatchObject([
    { action: 'backup', paths: [report.folder] },
    { action: 'trash' },
  ])
})

test('K5 files are 0600 and folders 0700, whatever the umask', async () => {
  await using sample = await makeSampleHome()
  const umask = process.umask(0)
  try {
    const { folder } = await createBackup(sample.home, sample.folder)
    for (const path of ['.', ...readdirSync(folder, { recursive: true }).map(String)]) {
      const stat = statSync(join(folder, path))
      expect([path, (stat.mode & 0o777).toString(8)]).toEqual([path, stat.isDirectory() ? '700' : '600'])
    }
  } finally {
    process.umask(umask)
  }
})

test('a backup never overwrites another, also not one of the same second', async () => {
  await using sample = await makeSampleHome()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 0, 31, 23, 59, 59) })
  try {
    const made = await Promise.all([1, 2, 3].map(() => createBackup(sample.home, sample.folder)))
    const names = made.map(({ folder }) => basename(folder)).sort()
    const name = 'treeline-backup-20260131-235959'
    expect(names).toEqual([name, `${name}-2`, `${name}-3`])
    for (const { folder } of made) expect((await verifyBackup(folder)).isSound).toBe(true)
    expect(readdirSync(sample.folder).sort()).toEqual(names)
  } finally {
    vi.useRealTimers()
  }
})

test('a folder inside the home is refused, also by way of a link', async () => {
  await using sample = await makeSampleHome()
  const link = join(sample.temp.outside, 'link')
  mkdirSync(join(sample.temp.home, 'sessions/backups'))
  symlinkSync(join(sample.temp.home, 'sessions'), link)
  for (const folder of [sample.temp.home, join(sample.temp.home, 'new/er'), join(link, 'backups'), link]) {
    await expect(createBackup(sample.home, folder)).rejects.toMatchObject({ code: 'bad_request' })
  }
  await expect(createBackup(sample.home, '')).rejects.toMatchObject({ code: 'validation_failed' })
  expect(existsSync(join(sample.temp.home, 'new'))).toBe(false)
})

test('X15 while three processes append, each log is backed up as a clean beginning of itself', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore({ home: temp.home })
  const ids = await Promise.all([1, 2].map(async () => (await store.create({ cwd: '/p' })).id))
  const script = await bundleAppender(join(temp.outside, 'cache'))
  const writers = [0, 1, 2].map(() => new AppenderProcess(script))
  const home = openHome({ home: temp.home })
  const folders: string[] = []
  try {
    await Promise.all(writers.map((writer) => writer.ready()))
    for (const [i, writer] of writers.entries()) {
      // The third writes to the log of the first.
      const order = { sessionId: ids[i % 2]!, name: `w${i}x`, count: 60_000, sizes: [200, 4096, 100_000] }
      writer.give({ ...order, home: temp.home, how: 'at once' })
    }
    for (let n = 1; n <= 3; n++) {
      await Promise.all(writers.map((writer) => writer.until(() => writer.acknowledged.length > 10 * n)))
      const { folder, problems } = await createBackup(home, join(temp.outside, 'backups'))
      expect(problems).toEqual([])
      folders.push(folder)
    }
  } finally {
    await Promise.all(writers.map((writer) => writer.kill()))
    home.locks.close()
  }
  expect(writers.flatMap(({ problems }) => problems)).toEqual([])
  for (const folder of folders) {
    expect(await verifyBackup(folder)).toMatchObject({ isSound: true, logCount: 2, findings: [] })
    for (const [name, bytes] of readFiles(join(folder, 'sessions'))) {
      expect(bytes.endsWith('}\n')).toBe(true)
      expect(readFileSync(join(temp.home, 'sessions', name), 'latin1').startsWith(bytes)).toBe(true)
    }
  }
})

test('what a killed writer left of a line is not backed up; a record without its line end and a file of garbage are', async () => {
  using temp = makeTempHome()
  const whole = temp.plant('torn', header('torn'), message('kept', 'a1'))
  const bytes = readFileSync(whole, 'utf8')
  appendFileSync(whole, '{"type":"message","id":"a2","par')
  const open = temp.plant('open', header('open'), JSON.stringify(message('last', 'b1')))
  const garbage = temp.plant('garbage', 'no line end at all')
  const { folder } = await createBackup(openHome({ home: temp.home }), join(temp.outside, 'b'))
  const copied = (path: string) => readFileSync(path.replace(temp.home, folder), 'utf8')
  expect(copied(whole)).toBe(bytes)
  expect(copied(open)).toBe(readFileSync(open, 'utf8'))
  expect(copied(garbage)).toBe('no line end at all')
})

test('I7 a file that cannot be read hides no other, and the backup says that it is not complete', async () => {
  await using sample = await makeSampleHome()
  const real = createFileStorage()
  const isBad = (path: string) => path.startsWith(sample.temp.home) && path.includes(sample.ids.plain)
  const storage: SessionStorage = {
    ...real,
    openReader(path) {
      if (isBad(path)) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
      return real.openReader(path)
    },
  }
  const report = await createBackup(openHome({ home: sample.temp.home, storage }), sample.folder)
  expect(report.isComplete).toBe(false)
  expect(report.problems.map(({ type }) => type)).toEqual(['unreadable', 'unreadable'])
  const there = readFiles(report.folder)
  const missing = [...readFiles(sample.temp.home).keys()].filter((name) => !there.has(name) && !name.includes('.db-'))
  expect(missing).toHaveLength(2)
  for (const name of missing) expect(name).toContain(sample.ids.plain)
  expect(await verifyBackup(report.folder)).toMatchObject({ isSound: true, isComplete: false, findings: [] })
})

test('a blob that is damaged or missing in the home is told of', async () => {
  await using sample = await makeSampleHome()
  const { storage, paths } = sample.home
  const [blob] = storage.listFilesSync(paths.blobs, '*') as [string]
  writeFileSync(blob, 'not what its name says')
  const damaged = await createBackup(sample.home, sample.folder)
  expect(damaged).toMatchObject({ isComplete: true, problems: [{ type: 'damaged_blob', path: blob }] })
  expect((await verifyBackup(damaged.folder)).findings).toMatchObject([{ type: 'damaged_blob' }])
  await storage.unlink(blob)
  const missing = await createBackup(sample.home, sample.folder)
  expect(missing).toMatchObject({ isComplete: true, problems: [{ type: 'missing_blob', path: blob }] })
  expect((await verifyBackup(missing.folder)).findings).toMatchObject([{ type: 'missing_blob' }])
})

test('a log that is replaced while it is copied is copied again', async () => {
  using temp = makeTempHome()
  const path = temp.plant('one', header('one'), message('old', 'a1'))
  const real = createFileStorage()
  let isReplaced = false
  const storage: SessionStorage = {
    ...real,
    openWriter(to, options) {
      const isCopy = to.startsWith(temp.outside) && to.endsWith('.jsonl') && !to.includes('audit')
      if (isCopy && !isReplaced) {
        isReplaced = true
        real.writeTextSync(path, `${JSON.stringify(header('one'))}\n${JSON.stringify(message('new', 'a1'))}\n`)
      }
      return real.openWriter(to, options)
    },
  }
  const { folder } = await createBackup(openHome({ home: temp.home, storage }), join(temp.outside, 'b'))
  expect(isReplaced).toBe(true)
  expect(readFileSync(path.replace(temp.home, folder), 'utf8')).toBe(readFileSync(path, 'utf8'))
  expect(await verifyBackup(folder)).toMatchObject({ isSound: true, findings: [] })
})

test('a session that goes to the trash, or comes from it, meanwhile is in the backup', async () => {
  await using sample = await makeSampleHome()
  const { home, ids } = sample
  const { sessions, trash } = home.paths
  const logs = readdirSync(sample.temp.home, { recursive: true }).map((name) => join(sample.temp.home, String(name)))
  const going = logs.find((path) => path.startsWith(sessions) && path.endsWith(`${ids.image}.jsonl`))!
  const coming = logs.find((path) => path.startsWith(trash) && path.endsWith(`${ids.trashed}.jsonl`))!
  const real = createFileStorage()
  let moves = 0
  const storage: SessionStorage = {
    ...real,
    listDirsSync(dir) {
      const found = real.listDirsSync(dir)
      // After the sessions are listed one goes, and before the trash is listed another comes.
      if (dir === join(sessions, '--p--') && moves++ === 0) {
        mkdirSync(join(trash, 'new/sessions/--p--'), { recursive: true })
        renameSync(going, join(trash, 'new/sessions/--p--', basename(going)))
        renameSync(coming, join(sessions, '--p--', basename(coming)))
      }
      return dir === trash ? real.listDirsSync(dir) : found
    },
  }
  const { folder, isComplete } = await createBackup(openHome({ home: sample.temp.home, storage }), sample.folder)
  expect([moves > 0, isComplete]).toEqual([true, true])
  const names = [...readFiles(folder).keys()].filter((name) => name.endsWith('.jsonl'))
  const copies = (id: string) => names.filter((name) => name.endsWith(`${id}.jsonl`)).map((name) => name.split('/')[0])
  expect(copies(ids.image)).toEqual(['trash'])
  expect(copies(ids.trashed)).toEqual(['sessions'])
})

test('R3 whatever call fails: nothing that looks like a backup is left, the home is as it was, and the next one succeeds', async () => {
  await using sample = await makeSampleHome()
  const plan = new FaultPlan()
  const home = openHome({ home: sample.temp.home, storage: createFaultyStorage(createFileStorage(), plan) })
  await createBackup(home, join(sample.temp.outside, 'counted'))
  const isTarget = ({ path }: { path: string }) => path.startsWith(join(sample.temp.outside, 'counted'))
  const calls = plan.calls.filter(({ kind }) => kind === 'write').filter(isTarget).length
  expect(calls).toBeGreaterThan(8)
  const before = new Map(readFiles(join(sample.temp.home, 'sessions')))
  const all = plan.calls.filter(({ kind }) => kind === 'write').length
  // The first is the line in the audit.
  for (let nth = 2; nth <= all; nth++) {
    const outcome =
      nth % 2 === 0 ? ({ type: 'error', code: 'ENOSPC' } as const) : ({ type: 'short', bytes: 3 } as const)
    plan.arm({ nth, kinds: ['write'], outcome, lasts: 'until-healed' })
    await expect(createBackup(home, sample.folder)).rejects.toMatchObject({ code: 'storage_full' })
    plan.heal()
    expect(readdirSync(sample.folder)).toEqual([])
  }
  for (const [kind, nth] of [
    ['datasync', 3],
    ['syncDir', 3],
    ['rename', 1],
    ['rename', 2],
  ] as const) {
    plan.arm({ nth, kinds: [kind], outcome: { type: 'error', code: 'EIO' }, lasts: 'until-healed' })
    await expect(createBackup(home, sample.folder)).rejects.toMatchObject({ code: 'internal' })
    plan.heal()
    expect(readdirSync(sample.folder)).toEqual([])
  }
  expect(readFiles(join(sample.temp.home, 'sessions'))).toEqual(before)
  const { folder } = await createBackup(home, sample.folder)
  expect((await verifyBackup(folder)).isSound).toBe(true)
})

test('a backup that is cancelled leaves nothing', async () => {
  await using sample = await makeSampleHome()
  const cancel = new AbortController()
  const onProgress = () => cancel.abort()
  await expect(createBackup(sample.home, sample.folder, { signal: cancel.signal, onProgress })).rejects.toThrow(
    'aborted',
  )
  expect(readdirSync(sample.folder)).toEqual([])
})

test('kill -9 in the middle leaves no backup but its beginnings, which the next one tells of', async () => {
  await using sample = await makeSampleHome()
  const moments = [6, 1, 3, 9].slice(0, amount(1, 4))
  await Promise.all(moments.map((stopAt) => killRun('backup', sample.temp.home, sample.folder, stopAt)))
  const left = readdirSync(sample.folder)
  expect(left).toHaveLength(moments.length)
  for (const name of left) {
    expect(name).toMatch(/\.partial$/)
    await expect(verifyBackup(join(sample.folder, name))).rejects.toMatchObject({ code: 'damaged' })
  }
  const report = await createBackup(sample.home, sample.folder)
  expect(report.unfinished).toEqual(left.sort().map((name) => join(sample.folder, name)))
  expect(await verifyBackup(report.folder)).toMatchObject({ isSound: true, isComplete: true })
})
