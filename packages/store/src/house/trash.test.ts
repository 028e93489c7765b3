import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { converse, user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { type Home, openHome } from '../home.ts'
import type { SessionStore } from '../store.ts'
import { header, makeTempHome, message, type TempHome } from '../testing/temp-home.ts'
import { readAudit } from './audit.ts'
import { purgeTrash } from './purge-trash.ts'
import { restoreFromTrash } from './restore-from-trash.ts'
import { trashSession } from './trash.ts'
import { listTrash } from './trash-item.ts'

let temp: TempHome
let home: Home
let store: SessionStore
beforeEach(async () => {
  temp = makeTempHome()
  home = openHome(temp)
  store = await openFileStore(temp)
})
afterEach(async () => {
  await store.close()
  home.locks.close()
  temp[Symbol.dispose]()
})

/** A log with everything that may belong to one, closed. */
function plantFull(id: string): string {
  const path = temp.plant(id, header(id), message('hello', 'e1'))
  writeFileSync(`${path}.v1`, 'original')
  mkdirSync(home.paths.partialDir(id), { recursive: true })
  writeFileSync(home.paths.partialFile(id, 'e2'), 'half an answ')
  mkdirSync(home.paths.index, { recursive: true })
  writeFileSync(home.paths.columnsFile(id), 'columns')
  return path
}

const filesOf = (id: string, path: string) => [
  path,
  `${path}.v1`,
  home.paths.partialFile(id, 'e2'),
  home.paths.columnsFile(id),
]
const audited = async () => (await readAudit(home)).map(({ action }) => action)

describe('R1 a session goes to the trash', () => {
  test('with all that belongs to it, and comes back as it was', async () => {
    const path = plantFull('s')
    const files = filesOf('s', path)
    const before = files.map((file) => readFileSync(file))
    const { mtimeNs } = statSync(path, { bigint: true })
    const { trashId, leftBehind } = await trashSession(home, 's')
    expect(leftBehind).toEqual([])
    expect(files.map((file) => existsSync(file))).toEqual([false, false, false, false])
    expect(await store.exists('s')).toBe(false)
    const [item] = await listTrash(home)
    expect(item).toMatchObject({ trashId, kind: 'session', sessionId: 's' })
    expect(item!.files.map(({ from }) => from).sort()).toEqual([...files].sort())
    expect(item!.sizeBytes).toBe(before.reduce((sum, bytes) => sum + bytes.length, 0))
    const restored = await restoreFromTrash(home, trashId)
    expect([...restored.paths].sort()).toEqual([...files].sort())
    expect(files.map((file) => readFileSync(file))).toEqual(before)
    expect(statSync(path, { bigint: true }).mtimeNs).toBe(mtimeNs)
    expect(await listTrash(home)).toEqual([])
    expect(existsSync(home.paths.trashItem(trashId))).toBe(false)
    expect(await audited()).toEqual(['restore', 'trash'])
  })

  test('K5 with 0600 and 0700 throughout', async () => {
    const umask = process.umask(0)
    try {
      await (await store.create({ id: 's', cwd: '/p' })).close()
      await trashSession(home, 's')
    } finally {
      process.umask(umask)
    }
    for (const path of temp.list().filter((name) => name.startsWith(home.paths.trash))) {
      const stat = statSync(path)
      expect((stat.mode & 0o777).toString(8), path).toBe(stat.isDirectory() ? '700' : '600')
    }
  })

  test('its blobs stay, and it can be opened again with them', async () => {
    const session = await store.create({ id: 's', cwd: '/p' })
    await session.append(user('x'.repeat(600_000), 'big'))
    await session.close()
    const blobs = home.storage.listFilesSync(home.paths.blobs, '*')
    const { trashId } = await trashSession(home, 's')
    expect(home.storage.listFilesSync(home.paths.blobs, '*')).toEqual(blobs)
    await restoreFromTrash(home, trashId)
    await using again = await store.open('s')
    expect(again.leafId).toBe('big')
  })

  test('whatever state it is in: damaged, without header, empty', async () => {
    const paths = [temp.plant('a', header('a'), 'garbage\n'), temp.plant('b', 'no header\n'), temp.plant('c')]
    for (const path of paths) {
      const before = readFileSync(path)
      const { trashId } = await trashSession(home, path)
      expect(existsSync(path)).toBe(false)
      await restoreFromTrash(home, trashId)
      expect(readFileSync(path).equals(before)).toBe(true)
    }
  })
})

describe('what stays', () => {
  test('X15 a session that is open anywhere, until it is closed', async () => {
    const session = await store.create({ id: 's', cwd: '/p' })
    await expect(trashSession(home, 's', { force: true })).rejects.toMatchObject({ code: 'session_locked' })
    await converse(session, 'a1')
    await session.close()
    await trashSession(home, 's')
    expect(await audited()).toEqual(['trash'])
  })

  test('X15 one that is open where nobody can tell: it says so with the next append, and nothing is lost', async () => {
    const session = await store.create({ id: 's', cwd: '/p' })
    await converse(session, 'a1')
    const blind: Home = { ...home, presence: { ...home.presence, openLogs: () => new Set() } }
    const { trashId } = await trashSession(blind, 's')
    await expect(session.append(user('late'))).rejects.toMatchObject({ code: 'session_not_found' })
    await restoreFromTrash(home, trashId)
    await session.append(user('in time', 'a2'))
    expect(session.tree.ids.find('a2')).toBeGreaterThan(0)
  })

  test('one that is open for reading goes; its reader is told', async () => {
    await (await store.create({ id: 's', cwd: '/p' })).close()
    await using reader = await store.open('s', { readOnly: true })
    await trashSession(home, 's')
    await expect(reader.refresh()).rejects.toMatchObject({ code: 'session_not_found' })
  })

  test('X15 one that is pinned, unless forced', async () => {
    const session = await store.create({ id: 's', cwd: '/p' })
    await session.edit({ operations: [{ op: 'session', patch: { starred: true } }] })
    await session.close()
    await expect(trashSession(home, 's')).rejects.toMatchObject({ code: 'forbidden' })
    expect(await store.exists('s')).toBe(true)
    await trashSession(home, 's', { force: true })
    expect(await store.exists('s')).toBe(false)
  })

  test('K3 files of other tools, and what is behind a link', async () => {
    const foreign = join(temp.outside, 'x_s.jsonl')
    writeFileSync(foreign, JSON.stringify(header('s')))
    await expect(trashSession(home, foreign)).rejects.toMatchObject({ code: 'forbidden' })
    mkdirSync(home.paths.sessions, { recursive: true })
    symlinkSync(temp.outside, join(home.paths.sessions, '--link--'))
    const behind = join(home.paths.sessions, '--link--', 'x_s.jsonl')
    await expect(trashSession(home, behind)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(trashSession(home, home.paths.auditFile)).rejects.toMatchObject({ code: 'forbidden' })
    expect(existsSync(foreign)).toBe(true)
    expect(await listTrash(home)).toEqual([])
  })

  test('one that is not there, and one of which there are two', async () => {
    await expect(trashSession(home, 'none')).rejects.toMatchObject({ code: 'session_not_found' })
    await expect(trashSession(home, '../../etc')).rejects.toMatchObject({ code: 'session_not_found' })
    const path = temp.plant('s', header('s'))
    const other = join(home.paths.sessions, '--q--', basename(path))
    mkdirSync(dirname(other))
    writeFileSync(other, readFileSync(path))
    await expect(trashSession(home, 's')).rejects.toMatchObject({ code: 'id_in_use' })
    await trashSession(home, other)
    expect(existsSync(path)).toBe(true)
  })

  test('the answers under way of a session of which a copy stays', async () => {
    const path = plantFull('s')
    const other = join(home.paths.sessions, '--q--', basename(path))
    mkdirSync(dirname(other))
    writeFileSync(other, readFileSync(path))
    await trashSession(home, other)
    expect(existsSync(home.paths.partialFile('s', 'e2'))).toBe(true)
  })

  test('one that has changed since it was looked at', async () => {
    const path = temp.plant('s', header('s'))
    const expected = { identity: home.storage.statSync(path).identity, sizeBytes: 1 }
    await expect(trashSession(home, 's', { expected })).rejects.toMatchObject({ code: 'session_locked' })
    expect(existsSync(path)).toBe(true)
    expect(await listTrash(home)).toEqual([])
  })
})

describe('restore', () => {
  test('where something is now: refused, or under another name', async () => {
    const path = plantFull('s')
    const { trashId } = await trashSession(home, 's')
    const newer = temp.plant('s', header('s'), message('another', 'e9'))
    await expect(restoreFromTrash(home, trashId)).rejects.toMatchObject({ code: 'id_in_use' })
    expect(await listTrash(home)).toHaveLength(1)
    const { paths, left } = await restoreFromTrash(home, trashId, { renamed: true })
    expect(left).toEqual([])
    expect(readFileSync(newer, 'utf8')).toContain('another')
    const restored = paths.find((file) => home.paths.isSessionFile(file))!
    expect(restored).not.toBe(path)
    expect(paths).toContain(`${restored}.v1`)
    await using session = await store.openPath(restored)
    expect(session.tree.ids.find('e1')).toBeGreaterThan(0)
  })

  test('where a session of that id is in another project: refused', async () => {
    const path = temp.plant('s', header('s'))
    const { trashId } = await trashSession(home, 's')
    const other = join(home.paths.sessions, '--q--', basename(path))
    mkdirSync(dirname(other))
    writeFileSync(other, JSON.stringify(header('s')))
    await expect(restoreFromTrash(home, trashId)).rejects.toMatchObject({ code: 'id_in_use' })
  })

  test('what cannot go back to its place stays in the trash and is named', async () => {
    plantFull('s')
    const { trashId } = await trashSession(home, 's')
    mkdirSync(home.paths.partialDir('s'), { recursive: true })
    writeFileSync(home.paths.partialFile('s', 'e2'), 'another')
    const { left } = await restoreFromTrash(home, trashId)
    expect(left.map((file) => readFileSync(file, 'utf8'))).toEqual(['half an answ'])
    expect(readFileSync(home.paths.partialFile('s', 'e2'), 'utf8')).toBe('another')
    expect((await listTrash(home)).map(({ files }) => files.length)).toEqual([1])
  })

  test.each(['none', '../../x', '', 'a/b', '.'])('K3 %o is not in the trash', async (trashId) => {
    await expect(restoreFromTrash(home, trashId)).rejects.toMatchObject({ code: 'session_not_found' })
  })

  test.each([
    ['missing', undefined],
    ['torn', '{"kind":"sess'],
    ['hostile', '{"sessionId":{"a":1},"trashedAt":"soon","from":"/etc/passwd","files":["../../../x"]}'],
  ])('I7 an item.json that is %s hides no other item, and nothing from the restore', async (_name, text) => {
    const path = plantFull('s')
    const { trashId } = await trashSession(home, 's')
    temp.plant('t', header('t'))
    await trashSession(home, 't')
    const meta = join(home.paths.trashItem(trashId), 'item.json')
    if (text === undefined) await home.storage.unlink(meta)
    else writeFileSync(meta, text)
    expect((await listTrash(home)).map(({ trashedAt }) => trashedAt === undefined)).toEqual([false, true])
    expect((await purgeTrash(home, { olderThanDays: 0, dryRun: true })).items).toHaveLength(1)
    await restoreFromTrash(home, trashId)
    expect(existsSync(path)).toBe(true)
  })
})

describe('R1 purge', () => {
  test('a dry run touches nothing; then it is gone for good, with a line in the audit before', async () => {
    const path = plantFull('s')
    const { trashId } = await trashSession(home, 's')
    const before = temp.list()
    const dry = await purgeTrash(home, { trashId, dryRun: true })
    expect(dry).toMatchObject({ items: [{ trashId }], failed: [] })
    expect(temp.list()).toEqual(before)
    const progress: number[] = []
    const report = await purgeTrash(home, { trashId, onProgress: ({ done }) => progress.push(done) })
    expect(report.sizeBytes).toBe(dry.sizeBytes)
    expect(progress).toEqual([0, 1])
    expect(temp.list().filter((name) => name.startsWith(`${home.paths.trash}/`))).toEqual([])
    const [line] = await readAudit(home)
    expect(line).toMatchObject({ action: 'purge', trashId, sessionIds: ['s'], paths: [path] })
    await expect(restoreFromTrash(home, trashId)).rejects.toMatchObject({ code: 'session_not_found' })
  })

  test('by age: what came lately stays', async () => {
    temp.plant('s', header('s'))
    await trashSession(home, 's')
    expect((await purgeTrash(home, { olderThanDays: 1 })).items).toEqual([])
    expect(await listTrash(home)).toHaveLength(1)
    expect((await purgeTrash(home, { olderThanDays: 0 })).items).toHaveLength(1)
  })

  test.each([{}, { trashId: 'a', olderThanDays: 1 }, { olderThanDays: -1 }, { olderThanDays: Number.NaN }])(
    'what to purge has to be said: %o',
    async (options) => {
      await expect(purgeTrash(home, options)).rejects.toMatchObject({ code: 'validation_failed' })
    },
  )

  test('aborted, it stops', async () => {
    temp.plant('s', header('s'))
    await trashSession(home, 's')
    await expect(purgeTrash(home, { olderThanDays: 0, signal: AbortSignal.abort() })).rejects.toThrow('abort')
    expect(await listTrash(home)).toHaveLength(1)
  })

  test('X15 side files that a crash left in their place go with their session', async () => {
    const path = temp.plant('s', header('s'))
    const { trashId } = await trashSession(home, 's')
    mkdirSync(home.paths.partialDir('s'), { recursive: true })
    writeFileSync(home.paths.partialFile('s', 'e2'), 'half an answ')
    writeFileSync(`${path}.v2`, 'left')
    await purgeTrash(home, { trashId })
    expect(temp.list().filter((name) => name.includes('/partial/') || name.endsWith('.v2'))).toEqual([])
  })

  test('blobs that a log refers to again are not purged', async () => {
    const session = await store.create({ id: 's', cwd: '/p' })
    await session.append(user('x'.repeat(600_000), 'big'))
    const [blob] = home.storage.listFilesSync(home.paths.blobs, '*')
    const trashId = 'gc1'
    mkdirSync(join(home.paths.trashItem(trashId), 'blobs'), { recursive: true })
    const place = join(home.paths.trashItem(trashId), 'blobs', basename(blob!))
    await home.storage.rename(blob!, place)
    const { failed } = await purgeTrash(home, { trashId })
    expect(failed).toMatchObject([{ trashId }])
    expect(existsSync(place)).toBe(true)
    await restoreFromTrash(home, trashId)
    expect(existsSync(blob!)).toBe(true)
  })
})
