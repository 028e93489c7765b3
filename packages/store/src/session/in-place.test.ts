import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, readLog } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { entriesOf } from '../contract/look.ts'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { encodeSlot, makeSlot } from '../log/title-slot.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { hasShared, listLogs, SKIPPED } from '../testing/shared-fixtures.ts'
import { header, makeTempHome, message, type TempHome, toText } from '../testing/temp-home.ts'
import { explainInPlace } from './in-place.ts'

const SLOT = Buffer.from(encodeSlot(makeSlot('Theirs', '2026-01-01T00:00:00.000Z'))).toString()

function place({ outside }: TempHome, ...lines: readonly (object | string)[]): string {
  const path = join(outside, 'theirs.jsonl')
  writeFileSync(path, toText(lines))
  return path
}

function linesOf(path: string): Entry[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const FILES = {
  pi: [header('0198aaaa-0000-7000-8000-000000000001'), message('one', 'e1')],
  xcsh: [{ ...header('147214bd6601be05'), title: 'Theirs' }, message('one', 'e1')],
  omp: [SLOT, header('0198aaaa-0000-7000-8000-000000000001'), message('one', 'e1')],
} as const

describe.each([
  ['pi', 'session_info', 'name'],
  ['xcsh', 'session_info', 'name'],
  ['omp', 'title_change', 'title'],
] as const)('in place in a log of %s', (dialect, type, field) => {
  test('a name is said in its words, the second time too; whose log it is does not change', async () => {
    using temp = makeTempHome()
    const path = place(temp, ...FILES[dialect])
    const before = readFileSync(path)
    await using store = await openFileStore(temp)
    for (const name of ['First', 'Second']) {
      await using session = await store.openPath(path, { inPlace: true })
      expect(session).toMatchObject({ dialect, isInPlace: true })
      await session.rename(name)
      expect(linesOf(path).at(-1)).toMatchObject({ type, [field]: name, crc: expect.any(String) })
      expect(session.name).toBe(name)
      await session.edit({ operations: [{ op: 'mute', nodeIds: ['e1'] }] })
      await session.undo()
      await session.append(user(`after ${name}`))
      expect(session.dialect).toBe(dialect)
    }
    const start = dialect === 'omp' ? 256 : 0
    expect(readFileSync(path).subarray(start, before.length).equals(before.subarray(start))).toBe(true)
    await using again = await store.openPath(path)
    expect(again).toMatchObject({ dialect, isInPlace: false, name: 'Second' })
    expect(again.report()).toMatchObject({ skipped: [], notes: [], problems: [] })
  })

  test('a name is taken back by undo, brought again by redo, and cleared', async () => {
    using temp = makeTempHome()
    const path = place(temp, ...FILES[dialect])
    await using store = await openFileStore(temp)
    await using session = await store.openPath(path, { inPlace: true })
    const first = session.name
    await session.rename('Ours')
    await session.undo()
    expect(session.name).toBe(first)
    await session.redo()
    expect(session.name).toBe('Ours')
    await session.rename(null)
    expect(session.name).toBeUndefined()
    await using again = await (await openFileStore(temp)).openPath(path)
    expect(again.name).toBeUndefined()
  })

  test('S31 an image stays in the line, where the tool finds it; a retry is recognised', async () => {
    using temp = makeTempHome()
    const path = place(temp, ...FILES[dialect])
    await using store = await openFileStore(temp)
    await using session = await store.openPath(path, { inPlace: true })
    const content = [{ type: 'image', data: Buffer.alloc(3000, 3).toString('base64'), mimeType: 'image/png' }]
    const draft = { type: 'message', id: 'i1', message: { role: 'user', content, timestamp: 1 } }
    await session.append(draft)
    await session.append(draft)
    expect(linesOf(path).filter(({ id }) => id === 'i1')).toMatchObject([draft])
    expect(await session.readFull('i1')).toMatchObject({ entry: draft, unresolved: [] })
    expect(temp.list().filter((file) => file.includes('/blobs/'))).toEqual([])
  })
})

test.each([
  ['pi', 1, []],
  ['pi', 2, []],
  ['omp', 2, [SLOT]],
] as const)(
  'I5, S31 a log of %s of version %i is still its own after the first append made it version 3',
  async (dialect, version, before) => {
    using temp = makeTempHome()
    const old = version === 1 ? message('one') : message('one', 'e1')
    const path = place(temp, ...before, header('0198aaaa-0000-7000-8000-000000000001', version), old)
    await using store = await openFileStore(temp)
    await (await store.openPath(path, { inPlace: true })).append(user('two'))
    await store.close()
    await using again = await openFileStore(temp)
    await using session = await again.openPath(path, { inPlace: true })
    expect(session).toMatchObject({ dialect, isInPlace: true })
    expect(linesOf(path).map(({ type }) => type)).toEqual([
      ...before.map(() => 'title'),
      'session',
      'message',
      'message',
    ])
    const data = Buffer.alloc(3000, 3).toString('base64')
    const content = [{ type: 'image', data, mimeType: 'image/png' }]
    await session.append({ type: 'message', message: { role: 'user', content, timestamp: 1 } })
    expect(linesOf(path).at(-1)).toMatchObject({ message: { content } })
  },
)

describe("oh-my-pi's title slot", () => {
  test('says the new name, cut to its 256 bytes; nothing else of the file moves', async () => {
    using temp = makeTempHome()
    const path = place(temp, ...FILES.omp)
    const before = readFileSync(path)
    await using store = await openFileStore(temp)
    await using session = await store.openPath(path, { inPlace: true })
    const name = `${'🦊'.repeat(80)} "a"\n…`
    await session.rename(name)
    const after = readFileSync(path)
    expect(after[255]).toBe(0x0a)
    const slot = JSON.parse(after.toString('utf8', 0, 255))
    expect(slot).toMatchObject({
      type: 'title',
      v: 1,
      source: 'user',
      updatedAt: expect.stringMatching(/^20\d\d-.*Z$/),
    })
    expect(slot.title).toMatch(/^🦊+$/u)
    expect(after.subarray(256, before.length).equals(before.subarray(256))).toBe(true)
    const [line] = linesOf(path).slice(-1)
    expect(line).toMatchObject({ type: 'title_change', title: name, previousTitle: 'Theirs', source: 'user' })
    expect(session.header.title).toBe(slot.title)
    await session.undo()
    expect(linesOf(path)[0]).toMatchObject({ type: 'title', title: 'Theirs' })
    expect(linesOf(path).at(-1)).toMatchObject({ type: 'title_change', title: 'Theirs', previousTitle: name })
    expect(readLog(readFileSync(path))).toMatchObject({ skipped: [], notes: [] })
  })

  test('G2 a name that was given together with other edits is taken back with them', async () => {
    using temp = makeTempHome()
    const path = place(temp, ...FILES.omp)
    await using store = await openFileStore(temp)
    await using session = await store.openPath(path, { inPlace: true })
    const named = (name: string) => [session.name, linesOf(path)[0]!.title].every((said) => said === name)
    await session.edit({
      operations: [
        { op: 'mute', nodeIds: ['e1'] },
        { op: 'name', name: 'Ours' },
      ],
    })
    expect(named('Ours')).toBe(true)
    await session.undo()
    expect(named('Theirs')).toBe(true)
    await session.redo()
    expect(named('Ours')).toBe(true)
  })

  test('of many who rename at once the slot says what the last line says', async () => {
    using temp = makeTempHome()
    const path = place(temp, ...FILES.omp)
    const stores = await Promise.all([openFileStore(temp), openFileStore(temp), openFileStore(temp)])
    const sessions = await Promise.all(stores.map((store) => store.openPath(path, { inPlace: true })))
    await Promise.all(sessions.flatMap((session, i) => [1, 2, 3].map((n) => session.rename(`by ${i}, ${n}`))))
    const lines = linesOf(path)
    expect(lines[0]!.title).toBe(lines.at(-1)!.title)
    expect(lines.filter(({ type }) => type === 'title_change')).toHaveLength(9)
    for (const store of stores) await store.close()
  })

  test('is not waited for in vain: closing writes it', async () => {
    using temp = makeTempHome()
    const path = place(temp, ...FILES.omp)
    await using store = await openFileStore(temp)
    const session = await store.openPath(path, { inPlace: true })
    const renaming = session.rename('Last words')
    await session.close()
    expect(linesOf(path)[0]).toMatchObject({ title: 'Last words' })
    await renaming
  })

  test('I4 one that is none is left as it is, and the name is kept all the same', async () => {
    using temp = makeTempHome()
    const short = '{"type":"title","v":1,"title":"Short","updatedAt":"","pad":""}\n'
    const path = place(temp, short, ...FILES.omp.slice(1))
    await using store = await openFileStore(temp)
    await using session = await store.openPath(path, { inPlace: true })
    await session.rename('Ours')
    expect(readFileSync(path, 'utf8').startsWith(short)).toBe(true)
    expect(linesOf(path).at(-1)).toMatchObject({ type: 'title_change', title: 'Ours', previousTitle: 'Short' })
  })

  test('R2 a slot that cannot be written is told of; the name is kept, and asking again writes it', async () => {
    using temp = makeTempHome()
    const path = place(temp, ...FILES.omp)
    const plan = new FaultPlan()
    await using store = await openFileStore({
      home: temp.home,
      storage: createFaultyStorage(createFileStorage(), plan),
    })
    await using session = await store.openPath(path, { inPlace: true })
    plan.arm({ nth: 2, kinds: ['write'], outcome: { type: 'error', code: 'EIO' } })
    await expect(session.rename('Ours')).rejects.toMatchObject({ message: expect.stringMatching(/^The name is kept/) })
    expect(plan.hasStruck).toBe(true)
    expect(session.name).toBe('Ours')
    plan.heal()
    await session.rename('Ours')
    expect(linesOf(path)[0]).toMatchObject({ title: 'Ours' })
  })
})

test('a log of ours in another place, and one of theirs in our home, are named as ours', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore(temp)
  const path = join(temp.outside, 'ours.jsonl')
  await using ours = await store.openPath(path, { inPlace: true, create: true })
  await ours.rename('Ours')
  expect(ours.dialect).toBe('treeline')
  expect(linesOf(path).at(-1)).toMatchObject({ type: 'session_info', name: 'Ours' })
  const planted = temp.plant('x', ...FILES.omp)
  await using theirs = await store.openPath(planted)
  await theirs.rename('Ours')
  expect(theirs).toMatchObject({ dialect: 'omp', isInPlace: false })
  expect(linesOf(planted).at(-1)).toMatchObject({ type: 'session_info', name: 'Ours' })
  expect(linesOf(planted)[0]).toMatchObject({ title: 'Theirs' })
})

test('D1 what in place means is said for each tool', () => {
  for (const dialect of ['xcsh', 'omp'] as const) {
    const { tool, durability } = explainInPlace(dialect)
    expect(durability).toMatch(new RegExp(`^What is acknowledged is on disk, but ${tool} rewrites .* may erase it`))
  }
  expect(explainInPlace('xcsh').name).toContain('xcsh keeps')
  for (const dialect of ['pi', 'omp', 'treeline'] as const) expect(explainInPlace(dialect).name).toBeUndefined()
})

const families = { pi: 'pi', xcsh: 'xcsh/sessions', omp: 'omp18/sessions' } as const

describe.skipIf(!hasShared)(hasShared ? 'real files' : SKIPPED, () => {
  test.each(Object.entries(families))(
    '%s: continued and renamed in place they lose no byte and stay theirs',
    async (dialect, folder) => {
      let count = 0
      for (const [name, fixture] of listLogs(folder)) {
        using temp = makeTempHome()
        const path = join(temp.outside, 'theirs.jsonl')
        writeFileSync(path, readFileSync(fixture))
        await using store = await openFileStore(temp)
        await using session = await store.openPath(path, { inPlace: true })
        const { version = 1 } = readLog(readFileSync(path)).tree.options
        if (session.access.mode === 'read' || version < 3) continue
        count++
        expect(session.dialect, name).toBe(dialect)
        const before = { bytes: readFileSync(path), entries: (await entriesOf(session)).length }
        await session.append(user('goes on', 'mine'))
        await session.rename('Ours')
        await session.edit({ operations: [{ op: 'mute', nodeIds: ['mine'] }] })
        const start = dialect === 'omp' ? 256 : 0
        const after = readFileSync(path)
        expect(after.subarray(start, before.bytes.length).equals(before.bytes.subarray(start)), name).toBe(true)
        if (dialect === 'omp') expect(JSON.parse(after.toString('utf8', 0, 256)), name).toMatchObject({ title: 'Ours' })
        await using again = await (await openFileStore(temp)).openPath(path)
        expect(again, name).toMatchObject({ dialect, name: 'Ours' })
        expect(await entriesOf(again), name).toHaveLength(before.entries + 3)
      }
      expect(count).toBeGreaterThan(3)
    },
  )
})
