import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nextMillisecond } from '../contract/next-millisecond.ts'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { type Home, openHome, openMemoryHome } from '../home.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import { createCrashStorage, seededRandom } from '../testing/crash-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { header, makeTempHome, message, type TempHome, toText } from '../testing/temp-home.ts'
import { leaveBreadcrumb, preferredBy, readBreadcrumb, writeBreadcrumb } from './breadcrumbs.ts'

interface Place extends Disposable {
  readonly temp: TempHome
  readonly home: Home
}

function openPlace(): Place {
  const temp = makeTempHome()
  const home = openHome(temp)
  const close = () => {
    home.locks.close()
    temp[Symbol.dispose]()
  }
  return { temp, home, [Symbol.dispose]: close }
}

describe('breadcrumbs', () => {
  test('S3, K5 two lines in a file of this terminal, 0600 in 0700', async () => {
    using place = openPlace()
    const { home, temp } = place
    const path = temp.plant('one', header('one'))
    await writeBreadcrumb(home, 'pts-3', { cwd: '/p', path })
    const file = join(temp.home, 'terminal-sessions', 'pts-3')
    expect(readFileSync(file, 'utf8')).toBe(`/p\n${path}\n`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
    expect(await readBreadcrumb(home, 'pts-3', '/p')).toBe(path)
  })

  test('S3 terminals do not disturb each other; another project is none of their business', async () => {
    using place = openPlace()
    const { home, temp } = place
    const [one, two] = ['one', 'two'].map((id) => temp.plant(id, header(id)))
    await writeBreadcrumb(home, 'pts-1', { cwd: '/a-b', path: one! })
    await writeBreadcrumb(home, 'pts-2', { cwd: '/a-b', path: two! })
    expect(await readBreadcrumb(home, 'pts-1', '/a-b')).toBe(one)
    expect(await readBreadcrumb(home, 'pts-2', '/a-b')).toBe(two)
    expect(await readBreadcrumb(home, 'pts-1', '/x/../a-b/')).toBe(one)
    expect(await readBreadcrumb(home, 'pts-1', '/a/b')).toBeUndefined()
    expect(await readBreadcrumb(home, 'pts-3', '/a-b')).toBeUndefined()
  })

  test('S3 of many written at once the last one stays, and no other file', async () => {
    using place = openPlace()
    const { home, temp } = place
    const paths = Array.from({ length: 20 }, (_, i) => temp.plant(`s${i}`, header(`s${i}`)))
    await Promise.all(paths.map((path) => writeBreadcrumb(home, 'pts-1', { cwd: '/p', path })))
    expect(await readBreadcrumb(home, 'pts-1', '/p')).toBe(paths.at(-1))
    expect(readdirSync(join(temp.home, 'terminal-sessions'))).toEqual(['pts-1'])
  })

  test('S3 a slow write does not undo the one after it', async () => {
    const home = openMemoryHome()
    let isFirst = true
    const started = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const storage = {
      ...home.storage,
      async writeText(path: string, text: string) {
        if (isFirst) {
          isFirst = false
          started.resolve()
          await held.promise
        }
        await home.storage.writeText(path, text)
      },
    }
    const slow = writeBreadcrumb({ ...home, storage }, 'pts-1', { cwd: '/slow', path: '/s.jsonl' })
    await started.promise
    const quick = writeBreadcrumb({ ...home, storage }, 'pts-1', { cwd: '/quick', path: '/s.jsonl' })
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    held.resolve()
    await Promise.all([slow, quick])
    expect(await storage.readText(home.paths.breadcrumbFile('pts-1'))).toBe('/quick\n/s.jsonl\n')
  })

  test('S3 one that failed is told so and keeps the next from nothing', async () => {
    using place = openPlace()
    const { home, temp } = place
    const path = temp.plant('one', header('one'))
    const plan = new FaultPlan({ nth: 1, kinds: ['write'], outcome: { type: 'error', code: 'ENOSPC' } })
    const faulty = { ...home, storage: createFaultyStorage(createFileStorage(), plan) }
    const results = await Promise.all([
      leaveBreadcrumb(faulty, 'pts-1', { cwd: '/other', path }),
      leaveBreadcrumb(faulty, 'pts-1', { cwd: '/p', path }),
    ])
    expect(results).toMatchObject([{ code: 'storage_full' }, undefined])
    expect(await readBreadcrumb(home, 'pts-1', '/p')).toBe(path)
    expect(readdirSync(join(temp.home, 'terminal-sessions'))).toEqual(['pts-1'])
  })

  test('K3 a terminal id that is no id and a path of several lines are refused, nothing is written', async () => {
    using place = openPlace()
    const { home, temp } = place
    const path = temp.plant('one', header('one'))
    const before = temp.list()
    const crumbs = [
      ['../pts', '/p', path],
      ['', '/p', path],
      ['pts-1', '/p\n/q', path],
      ['pts-1', '/p', `${path}\n`],
    ] as const
    for (const [terminalId, cwd, file] of crumbs) {
      expect(await leaveBreadcrumb(home, terminalId, { cwd, path: file })).toMatchObject({ code: 'validation_failed' })
    }
    expect(await leaveBreadcrumb(home, undefined, { cwd: '/p', path })).toBeUndefined()
    expect(temp.list()).toEqual(before)
    await expect(readBreadcrumb(home, '../pts', '/p')).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('S3 what is no breadcrumb, or leads to no session, is none', async () => {
    using place = openPlace()
    const { home, temp } = place
    const path = temp.plant('one', header('one'))
    const file = home.paths.breadcrumbFile('pts-1')
    mkdirSync(dirname(file))
    const notes = join(temp.outside, 'notes.jsonl')
    writeFileSync(notes, 'no session\n')
    const other = join(temp.outside, 'session.txt')
    writeFileSync(other, toText([header('two')]))
    const link = join(temp.outside, 'link.jsonl')
    symlinkSync(path, link)
    mkdirSync(join(temp.outside, 'folder.jsonl'))
    const hostile = [
      '',
      '\n',
      '\n\n',
      '/p\n',
      `/p\n${path}`,
      `/p\n${path}\nmore\n`,
      `/p\r\n${path}\r\n`,
      `\ufeff/p\n${path}\n`,
      `/p\n${path}\0\n`,
      `/p\n${relative(process.cwd(), path)}\n`,
      `/p\n${path}.gone.jsonl\n`,
      `/p\n${notes}\n`,
      `/p\n${other}\n`,
      `/p\n${link}\n`,
      `/p\n${join(temp.outside, 'folder.jsonl')}\n`,
      '/p\n/dev/zero\n',
      `/p\n/${'x'.repeat(20_000)}.jsonl\n`,
      `${'/p\n'.repeat(100_000)}`,
      'x'.repeat(1_000_000),
      Buffer.from([0xff, 0xfe, 0x0a, 0xff, 0x0a]),
    ]
    for (const text of hostile) {
      writeFileSync(file, text)
      expect(await readBreadcrumb(home, 'pts-1', '/p'), JSON.stringify(text.toString().slice(0, 60))).toBeUndefined()
    }
    writeFileSync(file, `/p\n${path}\n`)
    expect(await readBreadcrumb(home, 'pts-1', '/p')).toBe(path)
    mkdirSync(home.paths.breadcrumbFile('pts-2'))
    symlinkSync(file, home.paths.breadcrumbFile('pts-3'))
    expect(await readBreadcrumb(home, 'pts-2', '/p')).toBeUndefined()
    expect(await readBreadcrumb(home, 'pts-3', '/p')).toBeUndefined()
  })

  test('S3 power fails at any operation: the breadcrumb is the old one or the new one, the new one once acknowledged', async () => {
    const [older, newer] = ['/treeline/sessions/--p--/1_a.jsonl', '/treeline/sessions/--p--/2_b.jsonl'] as const
    let points = 0
    for (let isDone = false; !isDone; ) {
      points++
      for (const random of [() => 0, () => 0.999, seededRandom(points)]) {
        const first = createCrashStorage()
        const home = openMemoryHome({ storage: first })
        first.ensureDirSync(dirname(older))
        for (const path of [older, newer]) first.writeTextSync(path, toText([header('s')]))
        await writeBreadcrumb(home, 'pts-1', { cwd: '/p', path: older })
        const running = first.crash(() => 0, { crashAt: points })
        const failure = await leaveBreadcrumb({ ...home, storage: running }, 'pts-1', { cwd: '/p', path: newer })
        expect(failure !== undefined).toBe(running.isStopped)
        isDone = !running.isStopped
        const found = await readBreadcrumb({ ...home, storage: running.crash(random) }, 'pts-1', '/p')
        expect(isDone ? [newer] : [older, newer]).toContain(found)
      }
    }
    expect(points).toBeGreaterThan(4)
  })
})

describe('continuing in a terminal', () => {
  test('S3, S25, X72 its own session, else the latest of the project, else a new one', async () => {
    using place = openPlace()
    const { home, temp } = place
    await using store = await openFileStore(temp)
    const continued = async (terminalId: string | undefined, cwd = '/a/b') =>
      (await store.continueRecent({ cwd, preferred: preferredBy(home, terminalId) })).id
    const leave = (terminalId: string, cwd: string, path: string) => leaveBreadcrumb(home, terminalId, { cwd, path })

    const one = await store.create({ cwd: '/a/b' })
    await nextMillisecond()
    const two = await store.create({ cwd: '/a/b' })
    await nextMillisecond()
    const namesake = await store.create({ cwd: '/a-b' })
    await namesake.append(user('in a project whose folder has the same name'))
    await leave('pts-1', '/a/b', one.path)
    await leave('pts-2', '/a-b', namesake.path)

    expect(await continued('pts-1')).toBe(one.id)
    expect(await continued('pts-2')).toBe(two.id)
    expect(await continued('pts-2', '/a-b')).toBe(namesake.id)
    expect(await continued('pts-1', '/a-b')).toBe(namesake.id)
    expect(await continued('pts-3')).toBe(two.id)
    expect(await continued(undefined)).toBe(two.id)

    // A backup or an editor touches files; that is no event.
    const later = new Date(Date.now() + 3_600_000)
    utimesSync(one.path, later, later)
    expect(await continued('pts-3')).toBe(two.id)
    await nextMillisecond()
    await one.append(user('hello'))
    expect(await continued('pts-3')).toBe(one.id)

    const made = await continued('pts-1', '/new')
    expect([one.id, two.id, namesake.id]).not.toContain(made)
    expect(await continued('pts-9', '/new')).toBe(made)
  })

  test('S3 the breadcrumb of a session that is gone leads to the latest of the project, and makes nothing', async () => {
    using place = openPlace()
    const { home, temp } = place
    await using store = await openFileStore(temp)
    const { id } = await store.create({ cwd: '/p' })
    const gone = join(temp.outside, 'gone.jsonl')
    await leaveBreadcrumb(home, 'pts-1', { cwd: '/p', path: gone })
    const session = await store.continueRecent({ cwd: '/p', preferred: preferredBy(home, 'pts-1') })
    expect(session.id).toBe(id)
    expect(readdirSync(temp.outside)).toEqual([])
  })

  test("I4, S3 the breadcrumb of another tool's session leads to it, for reading only", async () => {
    using place = openPlace()
    const { home, temp } = place
    const path = join(temp.outside, 'foreign.jsonl')
    writeFileSync(path, toText([header('theirs'), message('hello', 'e1')]))
    await leaveBreadcrumb(home, 'pts-1', { cwd: '/p', path })
    await using store = await openFileStore(temp)
    const session = await store.continueRecent({ cwd: '/p', preferred: preferredBy(home, 'pts-1') })
    expect(session).toMatchObject({ id: 'theirs', path, access: { mode: 'read', reason: 'foreign' } })
  })
})
