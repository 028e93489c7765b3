import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openHome } from '../home.ts'
import { type HomePaths, homePaths } from '../paths.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { createCrashStorage, seededRandom } from '../testing/crash-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { makeTempHome } from '../testing/temp-home.ts'
import { createPartials, type Partials } from './partials.ts'

const paths = homePaths('/home')

function makePartials(storage: SessionStorage, of: HomePaths = paths): Partials {
  return createPartials(storage, of, 's1')!
}

function makeFaulty() {
  const plan = new FaultPlan()
  const inner = createMemoryStorage()
  inner.ensureDirSync('/home')
  return { plan, partials: makePartials(createFaultyStorage(inner, plan)), read: makePartials(inner).read }
}

test('K3 a session whose id is no name of a folder has no partials', () => {
  for (const id of ['', '..', '../s', 'a/b', 'a\u0000']) {
    expect(createPartials(createMemoryStorage(), paths, id)).toBeUndefined()
  }
})

describe('when the disk fails', () => {
  test('R3 a full disk is said so; with room again the next line is a line of its own', async () => {
    const { plan, partials, read } = makeFaulty()
    const writer = partials.open('a1')
    await writer.append('one')
    plan.arm({ nth: 1, outcome: { type: 'short', bytes: 2 }, lasts: 'until-healed' })
    await expect(writer.append('two')).rejects.toMatchObject({ code: 'storage_full' })
    await expect(writer.append('three')).rejects.toMatchObject({ code: 'storage_full' })
    plan.heal()
    await writer.append('four')
    await writer.close()
    expect(await read('a1')).toBe('one\ntw\nfour\n')
  })

  test('R3 whatever call fails, what was acknowledged is kept, in order, and the writer goes on', async () => {
    const quiet = makeFaulty()
    await keep(quiet.partials)
    const count = quiet.plan.calls.length
    expect(count).toBeGreaterThan(8)
    for (const code of ['EIO', 'ENOSPC', 'EACCES']) {
      for (const type of ['error', 'error-after'] as const) {
        for (let nth = 1; nth <= count; nth++) {
          const { plan, partials, read } = makeFaulty()
          plan.arm({ nth, outcome: { type, code } })
          const kept = await keep(partials)
          expect(plan.hasStruck).toBe(true)
          const lines = ((await read('a1')) ?? '').split('\n')
          expect(lines.filter((line) => kept.includes(line))).toEqual(kept)
          expect(kept.length).toBeGreaterThanOrEqual(2)
        }
      }
    }
  })

  test('a folder that cannot be synced is synced before anything is acknowledged', async () => {
    const { plan, partials } = makeFaulty()
    const writer = partials.open('a1')
    plan.arm({ nth: 1, kinds: ['syncDir'], outcome: { type: 'error', code: 'EIO' }, lasts: 'until-healed' })
    await expect(writer.append('one')).rejects.toMatchObject({ code: 'internal' })
    await expect(writer.append('two')).rejects.toMatchObject({ code: 'internal' })
    plan.heal()
    await writer.append('three')
  })

  test('D1 lines that were acknowledged survive a power cut at any moment, also when two were under way', async () => {
    const whole = await keepUntilCrash(Number.POSITIVE_INFINITY)
    expect(whole.kept).toEqual(['one', 'two', 'three'])
    let lost = 0
    for (let crashAt = 1; crashAt <= whole.disk.operations; crashAt++) {
      const { disk, kept } = await keepUntilCrash(crashAt)
      if (kept.length < 3) lost++
      for (const random of [() => 0.999, seededRandom(crashAt), seededRandom(-crashAt)]) {
        const text = await makePartials(disk.crash(random)).read('a1')
        const lines = (text ?? '').split('\n')
        expect(lines.filter((line) => kept.includes(line))).toEqual(kept)
      }
    }
    expect(lost).toBeGreaterThan(3)
  })
})

test('a last line that was torn stays one; what is kept afterwards is not spliced into it', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const path = home.paths.partialFile('s1', 'a1')
  const partials = makePartials(home.storage, home.paths)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, Buffer.from('one\ntw\xc3', 'latin1'))
  expect(await partials.read('a1')).toBe('one\ntw\ufffd')
  const writer = partials.open('a1')
  await writer.append('three')
  await writer.close()
  expect(await partials.read('a1')).toBe('one\ntw\ufffd\nthree\n')
})

test('the folder goes with the last answer, and whoever begins just then makes it again', async () => {
  using temp = makeTempHome()
  const real = createFileStorage()
  using home = openHome(temp)
  const dir = home.paths.partialDir('s1')
  let taken = 0
  // Another process ends its answer between two steps of this one: of making the folder, or of making the file in it.
  const storage: SessionStorage = {
    ...real,
    ensureDirSync(path) {
      real.ensureDirSync(path)
      if (path !== dir || ++taken > 3) return
      rmSync(dir, { recursive: true })
      if (taken === 1) chmodSync(dir, 0o700)
    },
  }
  const partials = makePartials(storage, home.paths)
  const writer = partials.open('a1')
  await writer.append('one')
  await writer.close()
  expect([taken, await partials.read('a1')]).toEqual([4, 'one\n'])
  await partials.remove('a1')
  expect(readdirSync(dirname(dir))).toEqual([])
  mkdirSync(join(dir, 'others'), { recursive: true })
  await partials.remove('a1')
  expect(readdirSync(dir)).toEqual(['others'])
})

test('twenty answers that begin and end at once do not get in each other’s way', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const partials = makePartials(home.storage, home.paths)
  const answers = Array.from({ length: 20 }, async (_, i) => {
    for (let round = 0; round < 5; round++) {
      const writer = partials.open(`a${i}`)
      await writer.append(`${round}`)
      await writer.close()
      expect(await partials.read(`a${i}`)).toBe(`${round}\n`)
      await partials.remove(`a${i}`)
    }
  })
  await Promise.all(answers)
  expect(partials.list()).toEqual([])
})

test('what is no answer is not listed, what cannot be read is a coded error, and no link is followed', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const dir = home.paths.partialDir('s1')
  const partials = makePartials(home.storage, home.paths)
  mkdirSync(join(dir, 'folder'), { recursive: true })
  for (const name of ['a1', '.DS_Store', 'a b', '-x', 'a1~']) writeFileSync(join(dir, name), 'x')
  expect(partials.list()).toEqual(['a1'])
  await expect(partials.read('folder')).rejects.toMatchObject({ name: 'TreelineError' })
  const target = join(temp.outside, 'target')
  writeFileSync(target, 'mine')
  symlinkSync(target, join(dir, 'link'))
  await expect(partials.open('link').append('x')).rejects.toMatchObject({ code: 'forbidden' })
  await expect(partials.read('link')).rejects.toMatchObject({ code: 'forbidden' })
  expect(readFileSync(target, 'utf8')).toBe('mine')
  rmSync(dir, { recursive: true })
  writeFileSync(dir, 'in the way')
  await expect(partials.open('a1').append('x')).rejects.toMatchObject({ name: 'TreelineError' })
})

test('K5 the folder is 0700 and the file 0600, whatever the umask', async () => {
  using temp = makeTempHome()
  const umask = process.umask(0)
  try {
    using home = openHome(temp)
    const writer = makePartials(home.storage, home.paths).open('a1')
    await writer.append('x')
    await writer.close()
    expect(statSync(home.paths.partialDir('s1')).mode & 0o777).toBe(0o700)
    expect(statSync(home.paths.partialFile('s1', 'a1')).mode & 0o777).toBe(0o600)
  } finally {
    process.umask(umask)
  }
})

/** Four lines through one writer; those that were acknowledged. */
async function keep(partials: Partials): Promise<string[]> {
  const kept: string[] = []
  const writer = partials.open('a1')
  for (const line of ['one', 'two', 'three', 'four']) {
    try {
      await writer.append(line)
      kept.push(line)
    } catch (error) {
      expect(error).toMatchObject({ name: 'TreelineError' })
    }
  }
  await writer.close()
  return kept
}

async function keepUntilCrash(crashAt: number) {
  const disk = createCrashStorage({ crashAt })
  const kept: string[] = []
  const noted = (line: string) => () => kept.push(line)
  try {
    disk.ensureDirSync('/home')
    const writer = makePartials(disk).open('a1')
    const under = ['one', 'two'].map((line) => writer.append(line).then(noted(line)))
    await Promise.all(under)
    await writer.append('three').then(noted('three'))
  } catch {
    expect(disk.isStopped).toBe(true)
  }
  return { disk, kept }
}
