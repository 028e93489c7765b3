import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { idsOf } from './contract/look.ts'
import { user } from './contract/say.ts'
import { openFileStore } from './file-store.ts'
import { openMemoryStore } from './memory-store.ts'
import { homePaths } from './paths.ts'
import { createFileStorage } from './storage/file-storage.ts'
import { createCrashStorage, seededRandom } from './testing/crash-storage.ts'
import { createFaultyStorage } from './testing/faulty-storage.ts'
import { FaultPlan } from './testing/faulty-storage-plan.ts'
import { runs } from './testing/runs.ts'
import { header, makeTempHome, message, toText } from './testing/temp-home.ts'

describe('a session at a path of its user', () => {
  test('S18 an empty file becomes a session, also for who had it open as it was', async () => {
    using temp = makeTempHome()
    const path = temp.plant('it')
    await using store = await openFileStore(temp)
    const before = await store.openPath(path)
    expect(before.access).toEqual({ mode: 'read', reason: 'no_header' })
    const session = await store.openPath(path, { create: { cwd: '/p' } })
    expect(session).toMatchObject({ id: 'it', path, access: { mode: 'write' } })
    await session.append(user('hello', 'e1'))
    await before.refresh()
    expect(before.header.id).toBe('it')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await using other = await openFileStore(temp)
    expect(await idsOf(await other.open('it'))).toEqual(['e1'])
  })

  test.each([
    ['a blank line', ['\n']],
    ['notes', ['# Notes\n\nabout this and that']],
    ['a torn header', ['{"type":"sess']],
    ['no header', [message('one', 'e1')]],
    ['a newer version', [header('it', 4), message('one', 'e1')]],
    ['a title slot', ['{"type":"title","v":1,"title":"x","pad":""}\n', header('it')]],
    ['an old version', [header('it', 1), message('one')]],
    ['NULs', ['\0\0\0\0']],
  ])('I4, S18 what holds anything is not touched, in or outside of home: %s', async (_name, lines) => {
    using temp = makeTempHome()
    const inside = temp.plant('it', ...lines)
    const outside = join(temp.outside, 'it.jsonl')
    writeFileSync(outside, toText(lines))
    {
      await using store = await openFileStore(temp)
      await store.openPath(inside, { create: true })
      await store.openPath(outside, { create: true, inPlace: true })
    }
    expect(readFileSync(inside, 'utf8')).toBe(toText(lines))
    expect(readFileSync(outside, 'utf8')).toBe(toText(lines))
    expect(readdirSync(temp.outside)).toEqual(['it.jsonl'])
  })

  test('S18 outside of home one has to say that it is written in place', async () => {
    using temp = makeTempHome()
    const path = join(temp.outside, 'mine.jsonl')
    await using store = await openFileStore(temp)
    await expect(store.openPath(path, { create: true })).rejects.toMatchObject({ code: 'forbidden' })
    expect(readdirSync(temp.outside)).toEqual([])
    const session = await store.openPath(path, { create: { cwd: '/p' }, inPlace: true })
    expect(session).toMatchObject({ path, access: { mode: 'write' }, header: { cwd: '/p' } })
    expect(session.id).toMatch(/^[0-9a-f-]{36}$/)
    await session.append(user('hello', 'e1'))
    expect(await idsOf(await store.openPath(path))).toEqual(['e1'])
    expect(readdirSync(temp.outside)).toEqual(['mine.jsonl'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('K3 neither links nor folders become sessions, and no folder that is a link is written to', async () => {
    using temp = makeTempHome()
    const { sessions } = homePaths(temp.home)
    mkdirSync(sessions, { recursive: true })
    mkdirSync(join(temp.outside, 'folder.jsonl'))
    symlinkSync(join(temp.outside, 'nothing'), join(temp.outside, 'link.jsonl'))
    symlinkSync(temp.outside, join(sessions, '--link--'))
    const names = readdirSync(temp.outside).sort()
    await using store = await openFileStore(temp)
    const options = { create: true, inPlace: true }
    for (const path of [join(temp.outside, 'link.jsonl'), join(sessions, '--link--', 'new.jsonl')]) {
      await expect(store.openPath(path, options), path).rejects.toMatchObject({ code: 'forbidden' })
    }
    await expect(store.openPath(join(temp.outside, 'folder.jsonl'), options)).rejects.toMatchObject({
      code: 'internal',
    })
    await expect(store.openPath(join(temp.outside, 'no', 'x.jsonl'), options)).rejects.toMatchObject({
      code: 'validation_failed',
    })
    expect(readdirSync(temp.outside).sort()).toEqual(names)
  })

  test('S18, C1 of three processes that begin sessions at the same paths all get the same ones', async () => {
    using temp = makeTempHome()
    const dir = dirname(temp.plant('other', header('other')))
    const paths = Array.from({ length: runs(12) }, (_, i) =>
      i % 3 === 0 ? join(temp.outside, `${i}.jsonl`) : join(dir, i % 3 === 1 ? `${i}.jsonl` : `no id ${i}.jsonl`),
    )
    const starters = ['a', 'b', 'c'].map((name) => new Starter(temp.home, name, paths))
    await Promise.all(starters.map((starter) => starter.ready))
    const said = await Promise.all(starters.map((starter) => starter.go()))
    const ids = said.map((text) => JSON.parse(text) as string[])
    expect(ids[0]).toHaveLength(paths.length)
    expect(ids[1]).toEqual(ids[0])
    expect(ids[2]).toEqual(ids[0])
    await using store = await openFileStore(temp)
    for (const path of paths) expect((await idsOf(await store.openPath(path))).sort(), path).toEqual(['a', 'b', 'c'])
    expect([...temp.list(), ...readdirSync(temp.outside)].filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('R3 whichever step fails, the path holds nothing or a whole session, and the next try succeeds', async () => {
    const steps = await countSteps()
    expect(steps).toBeGreaterThan(8)
    for (let nth = 1; nth <= steps; nth++) {
      for (const type of ['error', 'error-after'] as const) {
        using temp = makeTempHome()
        const path = temp.plant('it')
        const plan = new FaultPlan({ nth, outcome: { type, code: 'EIO' } })
        const storage = createFaultyStorage(createFileStorage(), plan)
        await startWith(temp.home, path, storage).catch(() => {})
        expect(plan.hasStruck).toBe(true)
        const text = readFileSync(path, 'utf8')
        if (text !== '') expect(JSON.parse(text)).toMatchObject({ type: 'session', id: 'it' })
        await using store = await openFileStore(temp)
        const session = await store.openPath(path, { create: true })
        await session.append(user('hello', 'e1'))
        expect(await idsOf(session)).toEqual(['e1'])
      }
    }
  })

  test('D1 power fails at any operation: nothing, an empty file or a whole session; acknowledged means there', async () => {
    const path = '/treeline/sessions/--p--/mine.jsonl'
    for (let crashAt = 1, isDone = false; !isDone; crashAt++) {
      for (const random of [() => 0, () => 0.999, seededRandom(crashAt)]) {
        const first = createCrashStorage()
        await (await openMemoryStore({ storage: first })).create({ cwd: '/p' })
        const running = first.crash(() => 0, { crashAt })
        let isMade = false
        try {
          await using store = await openMemoryStore({ storage: running })
          await store.openPath(path, { create: true })
          isMade = true
        } catch (error) {
          if (!running.isStopped) throw error
        }
        isDone = !running.isStopped
        const disk = running.crash(random)
        await using store = await openMemoryStore({ storage: disk })
        if (isMade) expect((await store.openPath(path)).id).toBe('mine')
        const session = await store.openPath(path, { create: true })
        expect(session).toMatchObject({ id: 'mine', access: { mode: 'write' } })
      }
    }
  })
})

/** A process that begins a session at each path, says something in it, and tells the ids. */
class Starter {
  readonly ready: Promise<void>
  private readonly child: ChildProcessWithoutNullStreams
  private said = ''

  constructor(home: string, name: string, paths: readonly string[]) {
    const module = new URL('./file-store.ts', import.meta.url).href
    const code = `
      import { openFileStore } from ${JSON.stringify(module)}
      const [home, name, paths] = ${JSON.stringify([home, name, paths])}
      const store = await openFileStore({ home })
      console.log('ready')
      await new Promise((go) => process.stdin.once('data', go))
      const ids = []
      for (const path of paths) {
        const session = await store.openPath(path, { create: true, inPlace: true })
        await session.append({ type: 'message', id: name, message: { role: 'user', content: name, timestamp: 1 } })
        ids.push(session.id)
      }
      await store.close()
      console.log(JSON.stringify(ids))
      process.exit()`
    this.child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'pipe' })
    this.child.stderr.pipe(process.stderr)
    this.ready = new Promise((resolve) => {
      this.child.stdout.on('data', (bytes) => {
        this.said += bytes
        resolve()
      })
    })
  }

  async go(): Promise<string> {
    const ended = once(this.child, 'close')
    this.child.stdin.write('go\n')
    await ended
    return this.said.replace('ready\n', '')
  }
}

async function countSteps(): Promise<number> {
  using temp = makeTempHome()
  const plan = new FaultPlan()
  await startWith(temp.home, temp.plant('it'), createFaultyStorage(createFileStorage(), plan))
  return plan.calls.length
}

async function startWith(home: string, path: string, storage: ReturnType<typeof createFileStorage>): Promise<void> {
  await using store = await openFileStore({ home, storage })
  await store.openPath(path, { create: true })
}
