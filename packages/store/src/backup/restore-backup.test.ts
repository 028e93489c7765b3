import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { openFileStore } from '../file-store.ts'
import { type Home, openHome } from '../home.ts'
import { readAudit } from '../house/audit.ts'
import { listTrash } from '../house/trash-item.ts'
import { openPromptHistory } from '../prompt-history/prompt-history.ts'
import { openDatabase } from '../sqlite.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { killRun } from '../testing/kill-run.ts'
import { makeSampleHome, openEmptyHome, readFiles, readSessions, type SampleHome } from '../testing/sample-home.ts'
import { header, message } from '../testing/temp-home.ts'
import { amount } from '../torture/amounts.ts'
import { createBackup } from './backup.ts'
import { restoreBackup } from './restore-backup.ts'

async function makeBackup(): Promise<SampleHome & { readonly made: string }> {
  const sample = await makeSampleHome()
  const { folder } = await createBackup(sample.home, sample.folder)
  return Object.assign(sample, { made: folder })
}

async function readPrompts(home: Home): Promise<string[]> {
  await using history = openPromptHistory({ home })
  return (await history.recent()).map(({ prompt }) => prompt)
}

function filesOf(home: Home): Map<string, string> {
  const files = readFiles(home.paths.home)
  for (const name of files.keys()) if (name.startsWith('history.db')) files.delete(name)
  return files
}

/** The file of a log, by the end of its name. */
function logOf(home: Home, id: string): string {
  const names = readdirSync(home.paths.sessions, { recursive: true }).map(String)
  return join(home.paths.sessions, names.find((name) => name.endsWith(`${id}.jsonl`))!)
}

test('N77 restored into an empty home, every session, blob, prompt and trashed thing is as it was', async () => {
  await using sample = await makeBackup()
  const fresh = openEmptyHome(sample.temp, 'fresh')
  const dry = await restoreBackup(sample.made, fresh, { dryRun: true })
  expect(readFiles(fresh.paths.home)).toEqual(new Map())
  const report = await restoreBackup(sample.made, fresh)
  expect({ ...report, isDryRun: true }).toEqual(dry)
  expect(report).toMatchObject({ promptsAdded: 3, findings: [], counts: { conflict: 0, damaged: 0, merge: 1 } })
  expect(await readAudit(fresh)).toMatchObject([{ action: 'restore' }, { action: 'backup' }, { action: 'trash' }])
  expect(await readSessions(fresh.paths.home)).toEqual(await readSessions(sample.temp.home))
  expect(await readPrompts(fresh)).toEqual(['third', 'second', 'first'])
  expect((await listTrash(fresh)).map(({ sessionId }) => sessionId)).toEqual([sample.ids.trashed])
  const [there, here] = [filesOf(fresh), filesOf(sample.home)]
  for (const files of [there, here]) files.delete('audit.jsonl')
  expect(there).toEqual(here)
  for (const name of there.keys()) expect(statSync(join(fresh.paths.home, name)).mode & 0o777).toBe(0o600)
})

test('restored a second time, nothing is written', async () => {
  await using sample = await makeBackup()
  const fresh = openEmptyHome(sample.temp, 'fresh')
  await restoreBackup(sample.made, fresh)
  const before = filesOf(fresh)
  const { counts, promptsAdded } = await restoreBackup(sample.made, fresh)
  expect([counts.restore, counts.copy, promptsAdded]).toEqual([0, 0, 0])
  expect(filesOf(fresh)).toEqual(before)
})

test('sessions that went on, were migrated or moved since are kept, and only what is missing comes back', async () => {
  await using sample = await makeSampleHome()
  const { home, ids, temp } = sample
  temp.plant('v1', header('v1', 1), message('older'))
  const { folder } = await createBackup(home, sample.folder)
  {
    await using store = await openFileStore({ home: temp.home })
    for (const id of [ids.plain, 'v1']) {
      await using session = await store.open(id)
      await session.append(message('went on') as never)
    }
  }
  rmSync(logOf(home, ids.image))
  rmSync(home.paths.blobs, { recursive: true })
  const sessions = await readSessions(temp.home)
  const before = filesOf(home)
  const { steps } = await restoreBackup(folder, home)
  const actionOf = (part: string) => steps.filter(({ path }) => path.includes(part)).map(({ action }) => action)
  expect(actionOf(`sessions/--p--/2026-01-01T00-00-00-000Z_v1.jsonl`)).toEqual(['newer'])
  expect(actionOf('blobs/')).toEqual(['restore'])
  expect(actionOf('partial/')).toEqual(['present'])
  const restored = steps.filter(({ action }) => action === 'restore').map(({ path }) => path)
  expect(restored.filter((path) => path.startsWith('sessions/')).map((path) => path.slice(-42, -6))).toEqual([
    ids.image,
  ])
  for (const [name, bytes] of before) if (name !== 'audit.jsonl') expect(filesOf(home).get(name)).toBe(bytes)
  const after = await readSessions(temp.home)
  expect(after.has(ids.image)).toBe(true)
  after.delete(ids.image)
  expect(after).toEqual(sessions)
})

test('an answer that was under way is not brought back to a session that went on', async () => {
  await using sample = await makeBackup()
  const { home, ids } = sample
  const partial = home.paths.partialFile(ids.plain, 'n1')
  rmSync(partial)
  await restoreBackup(sample.made, home)
  expect(readFileSync(partial, 'utf8')).toBe('half an answ')
  rmSync(partial)
  appendFileSync(logOf(home, ids.plain), `${JSON.stringify(message('more', 'x1'))}\n`)
  const { counts } = await restoreBackup(sample.made, home)
  expect(counts).toMatchObject({ outdated: 1, newer: 2, restore: 0 })
})

test('R1 a session with other lines is never overwritten; asked for, the other becomes a session of its own', async () => {
  await using sample = await makeBackup()
  const { home, ids, temp } = sample
  const path = logOf(home, ids.plain)
  truncateSync(path, statSync(path).size - 200)
  appendFileSync(path, `\n${JSON.stringify(message('another way', 'x1'))}\n`)
  const other = logOf(home, ids.image)
  truncateSync(other, 300)
  const before = filesOf(home)
  const untouched = openEmptyHome(temp, 'untouched')
  await restoreBackup(sample.made, untouched)
  const original = (await readSessions(untouched.paths.home)).get(ids.plain)

  const skipped = await restoreBackup(sample.made, home)
  const conflicts = skipped.steps.filter(({ action }) => action === 'conflict').map(({ path }) => basename(path))
  expect(conflicts.sort()).toEqual([basename(path), basename(other)].sort())
  expect(filesOf(home)).toEqual(before)

  const dry = await restoreBackup(sample.made, home, { onConflict: 'copy', dryRun: true })
  expect(filesOf(home)).toEqual(before)
  const copied = await restoreBackup(sample.made, home, { onConflict: 'copy' })
  expect({ ...copied, isDryRun: true }).toEqual(dry)
  expect(copied.counts).toMatchObject({ copy: 2, conflict: 0 })
  for (const [name, bytes] of before) if (name !== 'audit.jsonl') expect(filesOf(home).get(name)).toBe(bytes)
  const sessions = await readSessions(temp.home)
  const copy = [...sessions.keys()].find((id) => id.startsWith(`${ids.plain}-restored-`))!
  expect(sessions.get(copy)).toMatchObject({ parentSession: ids.plain })
  const { messages } = original as { messages: unknown }
  expect(sessions.get(copy)).toMatchObject({ messages })
  await using store = await openFileStore({ home: temp.home })
  await using session = await store.open(copy)
  expect([session.access.mode, session.report().skipped]).toEqual(['write', []])

  const again = await restoreBackup(sample.made, home, { onConflict: 'copy' })
  expect(again.counts).toMatchObject({ copy: 0, conflict: 0, restore: 0 })
})

test('the prompts that are missing are added in their place, the others are there once', async () => {
  await using sample = await makeBackup()
  const { home } = sample
  {
    await using history = openPromptHistory({ home })
    const [second] = (await history.recent()).filter(({ prompt }) => prompt === 'second')
    await history.remove(second!.id)
    history.add('fourth', '/p')
  }
  expect(await restoreBackup(sample.made, home)).toMatchObject({ promptsAdded: 1 })
  expect(await readPrompts(home)).toEqual(['fourth', 'third', 'second', 'first'])
})

test('I7 a file of the backup that is damaged is not restored, and hides no other', async () => {
  await using sample = await makeBackup()
  const { ids, made } = sample
  const name = [...readFiles(made).keys()].find((path) => path.startsWith('sessions/') && path.includes(ids.plain))!
  const bytes = readFileSync(join(made, name))
  bytes[300]! ^= 1
  writeFileSync(join(made, name), bytes)
  const fresh = openEmptyHome(sample.temp, 'fresh')
  const { counts, findings, steps } = await restoreBackup(made, fresh)
  expect(counts.damaged).toBe(1)
  expect(findings).toMatchObject([{ type: 'changed', path: name }])
  expect(steps.find(({ path }) => path === name)).toMatchObject({ action: 'damaged' })
  const sessions = await readSessions(sample.temp.home)
  sessions.delete(ids.plain)
  expect(await readSessions(fresh.paths.home)).toEqual(sessions)
})

test('K3 a hostile manifest changes nothing', async () => {
  await using sample = await makeBackup()
  const fresh = openEmptyHome(sample.temp, 'fresh')
  const manifest = join(sample.made, 'manifest.json')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.replace('"settings.json"', '"../../settings.json"'))
  await expect(restoreBackup(sample.made, fresh)).rejects.toMatchObject({ code: 'damaged' })
  expect(readFiles(fresh.paths.home)).toEqual(new Map())
})

/** Puts another file into a backup and says so in the manifest. */
function forge(made: string, name: string, bytes: Buffer): void {
  writeFileSync(join(made, name), bytes)
  const path = join(made, 'manifest.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { files: { path: string; size: number; sha256: string }[] }
  const file = manifest.files.find((one) => one.path === name)!
  Object.assign(file, { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
  writeFileSync(path, JSON.stringify(manifest))
}

test('K3 a forged history is not used, and hides nothing else', async () => {
  await using sample = await makeBackup()
  const path = join(sample.temp.outside, 'forged.db')
  const database = openDatabase(path)
  const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i'
  database.exec(`CREATE VIEW history AS ${endless} AS id, 'x' AS prompt, 1 AS created_at, NULL AS cwd FROM n`)
  database.close()
  for (const bytes of [readFileSync(path), Buffer.from('no database'.repeat(100)), Buffer.alloc(0)]) {
    forge(sample.made, 'history.db', bytes)
    const fresh = openEmptyHome(sample.temp, `fresh${bytes.length}`)
    const dry = await restoreBackup(sample.made, fresh, { dryRun: true })
    expect(dry.steps.find(({ path }) => path === 'history.db')).toMatchObject({ action: 'damaged' })
    expect(await restoreBackup(sample.made, fresh)).toEqual({ ...dry, isDryRun: false })
    expect(await readSessions(fresh.paths.home)).toEqual(await readSessions(sample.temp.home))
    expect(readdirSync(fresh.paths.home).filter((name) => name.startsWith('history.db'))).toEqual([])
  }
})

test('K3 nothing is written through a link in the home', async () => {
  await using sample = await makeBackup()
  const fresh = openEmptyHome(sample.temp, 'fresh')
  const outside = join(sample.temp.outside, 'elsewhere')
  mkdirSync(outside)
  mkdirSync(fresh.paths.sessions)
  symlinkSync(outside, join(fresh.paths.sessions, '--p--'))
  symlinkSync(join(outside, 'settings'), join(fresh.paths.home, 'settings.json'))
  const { counts, steps } = await restoreBackup(sample.made, fresh)
  expect(readdirSync(outside)).toEqual([])
  expect(counts.conflict).toBe(5)
  expect(steps.filter(({ action }) => action === 'restore').map(({ path }) => path.split('/')[0])).toContain('blobs')
})

test('R3 any write may fail: whole files only, and a second run finishes', async () => {
  await using sample = await makeBackup()
  const expected = filesOf(sample.home)
  expected.delete('audit.jsonl')
  const counted = new FaultPlan()
  const storageOf = (plan: FaultPlan) => createFaultyStorage(createFileStorage(), plan)
  const count = openHome({ home: join(sample.temp.outside, 'counted'), storage: storageOf(counted) })
  await restoreBackup(sample.made, count)
  const writes = counted.calls.filter(({ kind }) => kind === 'write').length
  expect(writes).toBeGreaterThan(8)
  for (let nth = 1; nth <= writes; nth += 3) {
    const plan = new FaultPlan({ nth, outcome: { type: 'short', bytes: 7 }, lasts: 'until-healed' })
    const home = openHome({ home: join(sample.temp.outside, `full${nth}`), storage: storageOf(plan) })
    await expect(restoreBackup(sample.made, home)).rejects.toMatchObject({ code: 'storage_full' })
    for (const [name, bytes] of filesOf(home)) if (name !== 'audit.jsonl') expect(bytes).toBe(expected.get(name))
    plan.heal()
    await restoreBackup(sample.made, home)
    const files = filesOf(home)
    files.delete('audit.jsonl')
    expect(files).toEqual(expected)
  }
})

test('kill -9 in the middle leaves whole files only, and a second run finishes', async () => {
  await using sample = await makeBackup()
  const expected = filesOf(sample.home)
  const homes = [8, 2, 4, 6]
    .slice(0, amount(1, 4))
    .map((stopAt) => ({ stopAt, home: join(sample.temp.outside, `killed${stopAt}`) }))
  await Promise.all(homes.map(({ home, stopAt }) => killRun('restore', home, sample.made, stopAt)))
  for (const { home } of homes) {
    const opened = openHome({ home })
    const left = [...filesOf(opened)].filter(([name]) => !name.endsWith('.tmp'))
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(expected.size)
    for (const [name, bytes] of left) expect(bytes).toBe(name === 'audit.jsonl' ? bytes : expected.get(name))
    const { counts } = await restoreBackup(sample.made, opened)
    expect(counts).toMatchObject({ conflict: 0, damaged: 0 })
    expect(await readSessions(home)).toEqual(await readSessions(sample.temp.home))
    expect(await readPrompts(opened)).toEqual(['third', 'second', 'first'])
  }
})
