import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { PAGE_BYTES } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { createBlobStore } from '../blobs/blob-store.ts'
import { entriesOf, lookAt, trunkOf } from '../contract/look.ts'
import { assistant, model, user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { createMemoryLocks } from '../locks/memory-locks.ts'
import { homePaths } from '../paths.ts'
import { Session } from '../session/session.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import { runs } from '../testing/runs.ts'
import { makeTempHome, type TempHome } from '../testing/temp-home.ts'
import { watchStorage } from '../testing/watched-storage.ts'
import { createColumnsFile } from './columns-file.ts'
import { FileLog } from './file-log.ts'

const ID = 'columns'

/** A session of some 500 KB with every kind of edit, closed, so that its columns are saved. */
async function makeSaved(temp: TempHome): Promise<{ readonly cols: string; readonly path: string }> {
  await using store = await openFileStore(temp)
  const session = await store.create({ id: ID, cwd: '/p' })
  const text = 'x'.repeat(1000)
  await session.appendAll(
    Array.from({ length: 240 }, (_, i) => [user(`${i} ${text}`, `q${i}`), assistant(`${i} ${text}`, `a${i}`)]).flat(),
  )
  await session.append(model('m', 'm1'))
  for (let i = 20; i < 240; i += 40) {
    await session.append(user('branch', `b${i}`), { parentId: `a${i}` })
    await session.edit({ operations: [{ op: 'mute', nodeIds: [`q${i - 1}`] }] })
    await session.setLabel(`b${i}`, `label ${i}`)
  }
  await session.edit({ operations: [{ op: 'prune', nodeId: 'a200' }] })
  await session.edit({ operations: [{ op: 'graft', sourceId: 'b20', targetId: 'a100', index: 0 }] })
  await session.edit({ operations: [{ op: 'graft', sourceId: 'b60', targetId: 'b20', mode: 'copy' }] })
  await session.edit({ operations: [{ op: 'delete', nodeIds: ['b100'] }] })
  await session.rename('Saved')
  await session.setConfig({ approvalMode: 'yolo' })
  await session.branch('b140')
  await session.close()
  return { cols: homePaths(temp.home).columnsFile(ID), path: session.path }
}

/** Everything that could be told apart, and how many bytes of the log it took to open it. */
async function open(temp: TempHome) {
  const watched = watchStorage()
  await using store = await openFileStore({ ...temp, storage: watched.storage })
  const session = await store.open(ID)
  return await describeSession(session, watched)
}

async function describeSession(session: Session, watched: { readBytes: number }) {
  const { readBytes } = watched
  return {
    readBytes,
    seen: {
      look: lookAt(session.tree),
      trunk: trunkOf(session),
      leafId: session.leafId,
      seq: session.seq,
      name: session.name,
      config: session.config,
      header: session.header,
      line: await session.line(),
      entries: await entriesOf(session),
      report: session.report(),
    },
  }
}

describe('saved columns', () => {
  test('G3 a warm opening gives the same as a cold one and reads a fraction of the log', async () => {
    using temp = makeTempHome()
    const { cols, path } = await makeSaved(temp)
    expect(existsSync(cols)).toBe(true)
    const warm = await open(temp)
    rmSync(cols)
    const cold = await open(temp)
    expect(warm.seen).toEqual(cold.seen)
    const { size } = statSync(path)
    expect(warm.readBytes).toBeLessThan(size / 10)
    expect(cold.readBytes).toBeGreaterThanOrEqual(size)
  })

  test('G2 undo, redo and further edits work on a tree that was opened warm', async () => {
    using temp = makeTempHome()
    const { cols } = await makeSaved(temp)
    {
      await using store = await openFileStore(temp)
      const session = await store.open(ID)
      for (let i = 0; i < 6; i++) await session.undo()
      expect(session.name).toBeUndefined()
      for (let i = 0; i < 3; i++) await session.redo()
      await session.append(user('after', 'late'))
      await session.edit({ operations: [{ op: 'delete', nodeIds: ['q10'], how: 'splice' }] })
    }
    const warm = await open(temp)
    rmSync(cols)
    expect(warm.seen).toEqual((await open(temp)).seen)
  })

  test('what came after the columns were saved is read from the log', async () => {
    using temp = makeTempHome()
    const { cols, path } = await makeSaved(temp)
    copyFileSync(cols, `${cols}.kept`)
    {
      await using store = await openFileStore(temp)
      const session = await store.open(ID)
      await session.appendAll([user('new', 'n1'), assistant('new', 'n2')])
      await session.edit({ operations: [{ op: 'mute', nodeIds: ['n1'] }] })
    }
    copyFileSync(`${cols}.kept`, cols)
    const warm = await open(temp)
    expect(warm.readBytes).toBeLessThan(statSync(path).size / 10)
    expect(warm.seen.trunk.slice(-2)).toEqual(['n1', 'n2'])
    rmSync(cols)
    expect(warm.seen).toEqual((await open(temp)).seen)
  })

  test('a late line that changes how earlier ones are read makes the log be scanned', async () => {
    using temp = makeTempHome()
    const { cols, path } = await makeSaved(temp)
    const orphan = { ...user('orphan', 'o2'), parentId: 'o1', timestamp: '2026-01-01T00:00:00.000Z' }
    writeFileSync(path, `${JSON.stringify(orphan)}\n`, { flag: 'a' })
    await open(temp)
    const parent = { ...user('late parent', 'o1'), parentId: 'q3', timestamp: '2026-01-01T00:00:00.000Z' }
    const again = { ...user('q5 again', 'q5'), parentId: 'q0', timestamp: '2026-01-01T00:00:00.000Z' }
    writeFileSync(path, `${JSON.stringify(parent)}\n${JSON.stringify(again)}\n`, { flag: 'a' })
    const warm = await open(temp)
    rmSync(cols)
    expect(warm.seen).toEqual((await open(temp)).seen)
    expect(warm.seen.look.nodes.o2!.parent).toBe('o1')
  })

  test('I6 deleted, empty, truncated or foreign columns lead to a scan', async () => {
    using temp = makeTempHome()
    const { cols } = await makeSaved(temp)
    const good = readFileSync(cols)
    const { seen } = await open(temp)
    for (const cut of [0, 1, 18, 36, 37, 100, 1000, good.length >> 1, good.length - 1]) {
      writeFileSync(cols, good)
      truncateSync(cols, cut)
      expect((await open(temp)).seen, `cut at ${cut}`).toEqual(seen)
    }
    for (const other of ['', 'not columns at all', '\0'.repeat(5000), `treeline-columns 3 ffffffff ffffffff\n{}`]) {
      writeFileSync(cols, other)
      expect((await open(temp)).seen).toEqual(seen)
    }
    rmSync(cols)
    expect((await open(temp)).seen).toEqual(seen)
  })

  test('I6 columns with a flipped bit lead to a scan', async () => {
    using temp = makeTempHome()
    const { cols } = await makeSaved(temp)
    const good = readFileSync(cols)
    const { seen } = await open(temp)
    let seed = 7
    for (let i = 0; i < runs(40); i++) {
      seed = (seed * 48271) % 2147483647
      const bytes = Buffer.from(good)
      bytes[seed % bytes.length]! ^= 1 << ((seed >> 8) % 8)
      writeFileSync(cols, bytes)
      expect((await open(temp)).seen, `bit at ${seed % bytes.length}`).toEqual(seen)
    }
  })

  test('I6 columns of a log that was rewritten, shortened or exchanged are not used', async () => {
    using temp = makeTempHome()
    const { cols, path } = await makeSaved(temp)
    const saved = readFileSync(cols)
    const log = readFileSync(path, 'utf8')
    const lines = log.trimEnd().split('\n')
    const variants = {
      shortened: `${lines.slice(0, 100).join('\n')}\n`,
      'of the same length with another end':
        log.slice(0, -40) + log.slice(-40).replace(/[0-9a-f]{8}"\}\n$/, '00000000"}\n'),
      'replaced by a longer one': `${lines.slice(0, 2).join('\n')}\n${lines.slice(4).join('\n')}\n${lines.slice(2, 4).join('\n')}\n${lines[5]}\n`,
    }
    for (const [name, text] of Object.entries(variants)) {
      writeFileSync(path, text)
      writeFileSync(cols, saved)
      const warm = await open(temp)
      rmSync(cols)
      expect(warm.seen, name).toEqual((await open(temp)).seen)
    }
  })

  test('I6 columns with a sound checksum that say what cannot be lead to a scan', async () => {
    using temp = makeTempHome()
    const { cols } = await makeSaved(temp)
    const good = readFileSync(cols)
    const { seen } = await open(temp)
    const at = good.indexOf(0x0a) + 1
    const length = Number.parseInt(good.toString('latin1', 19, 27), 16)
    const meta = JSON.parse(good.toString('utf8', at, at + length))
    const { state, mark } = meta
    const changes = [
      { state: { ...state, skipped: {} } },
      { state: { ...state, skipped: [null] } },
      { state: { ...state, skipped: [{ offset: -1, length: 2, line: 3 }] } },
      { state: { ...state, notes: -1 } },
      { state: { ...state, offset: -1 } },
      { state: { ...state, line: 1.5 } },
      { mark: { ...mark, length: { length: 1_000_000_000 } } },
      { mark: { ...mark, length: 1_000_000_000 } },
    ]
    for (const change of changes) {
      const text = Buffer.from(JSON.stringify({ ...meta, ...change }))
      const hex = (value: number) => value.toString(16).padStart(8, '0')
      const intro = `treeline-columns 4 ${hex(text.length)} ${hex(crc32(text))}\n`
      writeFileSync(cols, Buffer.concat([Buffer.from(intro), text, good.subarray(at + length)]))
      expect((await open(temp)).seen, JSON.stringify(change).slice(0, 80)).toEqual(seen)
    }
  })

  test('I6 columns that cannot be written stop nobody', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    writeFileSync(homePaths(temp.home).index, 'a file where the folder should be')
    const session = await store.create()
    for (let i = 0; i < 10; i++) await session.append(user('x'.repeat(40_000)))
    await session.close()
    expect((await store.open(session.id)).tree.rowCount).toBe(10)
  })
})

describe('whatever happens around them', () => {
  test('I2 a log rewritten in place after a warm open is read anew', async () => {
    using temp = makeTempHome()
    const { path } = await makeSaved(temp)
    const [header, ...lines] = readFileSync(path, 'utf8').split('\n')
    await using store = await openFileStore(temp)
    const session = await store.open(ID)
    const epoch = session.tree.rowCount
    const other = { ...JSON.parse(lines[0]!), id: 'other' }
    const shorter = [header, JSON.stringify(other), ...lines.slice(1, 100)]
    writeFileSync(path, `${[...shorter, ...lines.slice(200), ...lines.slice(200)].join('\n')}\n`)
    await session.refresh()
    const cold = await openFileStore({ home: temp.home })
    rmSync(homePaths(temp.home).index, { recursive: true })
    const anew = await cold.open(ID)
    expect(session.tree.rowCount).toBe(anew.tree.rowCount)
    expect(session.tree.rowCount).not.toBe(epoch)
    expect(lookAt(session.tree)).toEqual(lookAt(anew.tree))
    await cold.close()
  })

  test('D1 columns are not made durable before the lines they speak of', async () => {
    using temp = makeTempHome()
    const calls: string[] = []
    const storage = createFileStorage()
    const { cols } = await makeSaved(temp)
    rmSync(cols)
    const watched = {
      ...storage,
      openReader: (file: string) => {
        const reader = storage.openReader(file)
        const datasync = reader.datasync.bind(reader)
        reader.datasync = () => {
          calls.push(file.endsWith('.jsonl') ? 'sync log' : 'sync other')
          return datasync()
        }
        return reader
      },
      rename: (from: string, to: string) => {
        calls.push(to.endsWith('.cols') ? 'columns' : 'other')
        return storage.rename(from, to)
      },
    }
    await using store = await openFileStore({ ...temp, storage: watched })
    await (await store.open(ID)).close()
    expect(calls.filter((call) => call === 'sync log' || call === 'columns')).toEqual(['sync log', 'columns'])
  })
})

test('I6 a large cache damaged anywhere costs a scan or one coded error, never the session', async () => {
  using temp = makeTempHome()
  const { cols, path } = await makeSaved(temp)
  const good = readFileSync(cols)
  const storage = createFileStorage()
  const locks = createMemoryLocks()
  let whole: unknown
  for (let at = 40; at < good.length; at += Math.ceil(good.length / runs(60))) {
    const bytes = Buffer.from(good)
    if (whole !== undefined) bytes[at]! ^= 4
    writeFileSync(cols, bytes)
    const log = await FileLog.open({ storage, locks, path, columns: createColumnsFile(storage, cols, 0) })
    const look = () => {
      const { tree } = log.view()
      return { look: lookAt(tree), leaf: tree.ids.textOf(tree.leaf), rows: tree.rowCount }
    }
    const first = (() => {
      try {
        return look()
      } catch (error) {
        expect(error).toMatchObject({ code: 'damaged' })
        return look()
      }
    })()
    whole ??= first
    expect([at, first]).toEqual([at, whole])
    await log.commit(() => ({ entries: [], result: undefined }))
    await log.close()
  }
})

describe('what was not looked at before', () => {
  /** Too large to be held in memory, so that columns are still in their file after the opening. */
  async function makeLarge(temp: TempHome): Promise<string> {
    await using store = await openFileStore({ ...temp, durability: 'written' })
    await using session = await store.create({ id: ID, cwd: '/p' })
    for (let i = 0; i < 40; i++) await session.appendAll(Array.from({ length: 1000 }, (_, k) => user(`${i} ${k}`)))
    return homePaths(temp.home).columnsFile(ID)
  }

  test('I6 looking at it after the session was closed says so, and leaves the columns alone', async () => {
    using temp = makeTempHome()
    const cols = await makeLarge(temp)
    const store = await openFileStore(temp)
    const session = await store.open(ID)
    const { tree } = session
    await store.close()
    expect(() => tree.ids.textOf(1)).toThrow(expect.objectContaining({ code: 'bad_request' }))
    await new Promise(setImmediate)
    expect(existsSync(cols)).toBe(true)
  })

  test('I3 a tree that is in use when the log is read anew keeps its columns', async () => {
    using temp = makeTempHome()
    const cols = await makeLarge(temp)
    await using store = await openFileStore(temp)
    const session = await store.open(ID)
    const { tree, path } = session
    copyFileSync(path, `${path}.copy`)
    renameSync(`${path}.copy`, path)
    await session.refresh()
    expect(session.tree).not.toBe(tree)
    expect(tree.ids.textOf(1)).toBe(session.tree.ids.textOf(1))
    expect(existsSync(cols)).toBe(true)
  })
})

describe('a line of which only the end is read', () => {
  /** Many pages of every column, a compaction near the end, model changes before it. */
  async function makeLong(temp: TempHome) {
    await using store = await openFileStore({ ...temp, durability: 'written' })
    await using session = await store.create({ id: ID, cwd: '/p' })
    for (let i = 0; i < 12; i++) {
      await session.append(model(`m${i}`, `model${i}`))
      const turns = Array.from({ length: 500 }, (_, k) => [user(`q${i} ${k}`, `q${i}-${k}`), assistant(`a${i} ${k}`)])
      await session.appendAll(turns.flat())
    }
    await session.append({ type: 'compaction', summary: 'before', firstKeptEntryId: 'q11-450', tokensBefore: 1 })
    await session.appendAll([user('and now', 'last1'), assistant('this', 'last2')])
    return { cols: homePaths(temp.home).columnsFile(ID), path: session.path }
  }

  /** As a store opens it whose columns are too many to be checked first. */
  async function openLarge(temp: TempHome, cols: string, path: string) {
    const watched = watchStorage()
    const { storage } = watched
    const log = await FileLog.open({
      storage,
      locks: createMemoryLocks(),
      path,
      columns: createColumnsFile(storage, cols, 0),
    })
    const blobs = createBlobStore({ storage, paths: homePaths(temp.home) })
    return { watched, session: new Session({ log, blobs, release: () => log.close() }) }
  }

  /** One whose line is known, before its columns are damaged. */
  async function makeKnown(temp: TempHome) {
    const { cols, path } = await makeLong(temp)
    const good = readFileSync(cols)
    const { session } = await openLarge(temp, cols, path)
    const expected = JSON.stringify(await session.line())
    await session.close()
    return { cols, path, good, expected }
  }

  test('P reads a fraction of the columns and is that of a cold opening', async () => {
    using temp = makeTempHome()
    const { cols, path } = await makeLong(temp)
    const warm = await openLarge(temp, cols, path)
    const line = await warm.session.line()
    expect(warm.watched.readBytes).toBeLessThan(statSync(path).size / 4)
    expect(warm.session.tree.columns.loading.isPending).toBe(true)
    copyFileSync(cols, `${cols}.kept`)
    rmSync(cols)
    const cold = await openLarge(temp, cols, path)
    const { messages, state, injected, nodes } = await cold.session.line()
    expect({ messages: line.messages, state: line.state, injected: line.injected }).toEqual({
      messages,
      state,
      injected,
    })
    await cold.session.append(user('more'))
    await warm.session.edit({ operations: [{ op: 'mute', nodeIds: ['q0-0'] }] })
    expect(line.nodes).toEqual(nodes)
    await cold.session.close()
    await warm.session.close()
  })

  test('I2 I6 a page damaged anywhere costs one coded error at most, and is never believed', async () => {
    using temp = makeTempHome()
    const { cols, path, good, expected } = await makeKnown(temp)
    const { sections, end } = placesOf(good)
    let errors = 0
    for (const { bytes, at } of sections) {
      // The first and the last page of each.
      for (const hit of new Set([end + at, end + at + bytes - 1])) {
        const bad = Buffer.from(good)
        bad[hit]! ^= 8
        writeFileSync(cols, bad)
        const { session } = await openLarge(temp, cols, path)
        const line = await session.line().catch((error) => {
          expect(error).toMatchObject({ code: 'damaged' })
          errors++
          return session.line()
        })
        const nodes = (): unknown => JSON.stringify(line)
        expect(attempt(nodes) ?? JSON.stringify(await session.line())).toBe(expected)
        await session.close()
      }
    }
    expect(errors).toBeGreaterThan(3)
  })

  test('I6 columns that say what cannot be are refused once, then the log is scanned', async () => {
    using temp = makeTempHome()
    const { cols, path, good, expected } = await makeKnown(temp)
    const count = placesOf(good).sections.find(({ name }) => name === 'kinds')!.bytes
    const changes = [
      ['rawParents', count - 3, 99_999_999],
      ['rawParents', count - 3, count - 1],
      ['rawParents', 100, 99_999_999],
      ['landmarks', 4, 50],
      ['lengths', count - 4, -1],
    ] as const
    for (const [name, at, value] of changes) {
      writeFileSync(cols, forge(good, name, at, value))
      const { session } = await openLarge(temp, cols, path)
      const line = async () => JSON.stringify(await session.line())
      await expect(line(), `${name} ${at}`).rejects.toMatchObject({ code: 'damaged' })
      expect(await line()).toBe(expected)
      await session.close()
    }
  })

  test('I6 after a damaged page was found, everything else is read from the log; a report reads it at once', async () => {
    using temp = makeTempHome()
    const { cols, path, good } = await makeKnown(temp)
    const { sections, end } = placesOf(good)
    for (const name of ['rawParents', 'roles', 'kinds']) {
      const bad = Buffer.from(good)
      bad[end + sections.find((section) => section.name === name)!.at]! ^= 8
      for (const look of [
        (session: Session) => session.report().problems,
        ({ seq, tree }: Session) => [seq, tree.load()],
      ]) {
        writeFileSync(cols, bad)
        const { session } = await openLarge(temp, cols, path)
        attempt(() => session.tree.load())
        attempt(() => look(session))
        expect(() => look(session)).not.toThrow()
        await session.close()
      }
      writeFileSync(cols, bad)
      const { session } = await openLarge(temp, cols, path)
      expect(session.report().problems).toEqual([])
      await session.close()
    }
  })

  test('I6 what a line cannot say of its nodes makes the log be read anew once, not each time it is asked', async () => {
    using temp = makeTempHome()
    const { cols, path } = await makeLong(temp)
    const bad = readFileSync(cols)
    const { sections, end } = placesOf(bad)
    bad[end + sections.find(({ name }) => name === 'rawParents')!.at]! ^= 8
    writeFileSync(cols, bad)
    const { session } = await openLarge(temp, cols, path)
    const line = await session.line()
    const trees = new Set([session.tree])
    for (let i = 0; i < 3; i++) {
      expect(() => line.nodes).toThrow(expect.objectContaining({ code: 'damaged' }))
      await session.line()
      trees.add(session.tree)
    }
    expect(trees.size).toBe(2)
    await session.close()
  })

  test('I6 columns that claim to begin with more than there is make nobody ask for it', async () => {
    using temp = makeTempHome()
    const { cols, path } = await makeLong(temp)
    const bad = readFileSync(cols)
    bad.write('7', 19)
    writeFileSync(cols, bad)
    const storage = createFileStorage()
    const asked: number[] = []
    const openReader = (file: string) => {
      const reader = storage.openReader(file)
      const readSync = reader.readSync.bind(reader)
      reader.readSync = (into, position) => {
        asked.push(into.length)
        return readSync(into, position)
      }
      return reader
    }
    const log = storage.openReader(path)
    expect(createColumnsFile({ ...storage, openReader }, cols).restore(log)).toBeUndefined()
    expect(Math.max(...asked)).toBeLessThan(bad.length)
    log.closeSync()
  })

  /** Columns with one number changed and all checksums right. */
  function forge(file: Buffer, name: string, at: number, value: number): Buffer {
    const { sections, end } = placesOf(file)
    const rest = Buffer.from(file.subarray(end))
    rest.writeInt32LE(value, sections.find((section) => section.name === name)!.at + at * 4)
    const saved = JSON.parse(file.toString('utf8', 37, end)) as object
    const withCrcs = sections.map(({ name, bytes, at: from }) => {
      const starts = Array.from({ length: Math.ceil(bytes / PAGE_BYTES) }, (_, page) => from + page * PAGE_BYTES)
      const crcs = starts.map((start) => crc32(rest.subarray(start, Math.min(start + PAGE_BYTES, from + bytes))))
      return { name, bytes, crcs }
    })
    const meta = Buffer.from(JSON.stringify({ ...saved, sections: withCrcs }))
    const hex = (number: number) => number.toString(16).padStart(8, '0')
    return Buffer.concat([Buffer.from(`treeline-columns 4 ${hex(meta.length)} ${hex(crc32(meta))}\n`), meta, rest])
  }

  function attempt(work: () => unknown): unknown {
    try {
      return work()
    } catch (error) {
      expect(error).toMatchObject({ code: 'damaged' })
      return undefined
    }
  }

  /** Where the sections are in a columns file. */
  function placesOf(file: Buffer) {
    const metaEnd = 37 + Number.parseInt(file.toString('latin1', 19, 27), 16)
    const meta = JSON.parse(file.toString('utf8', 37, metaEnd)) as {
      sections: { readonly name: string; readonly bytes: number }[]
    }
    let at = 0
    const sections = meta.sections.map((section) => {
      const place = { ...section, at }
      at += section.bytes
      return place
    })
    return { sections, end: metaEnd }
  }
})

test('of several that append, columns are saved by the one whose lines are enough', async () => {
  using temp = makeTempHome()
  await using one = await openFileStore(temp)
  await using other = await openFileStore(temp)
  await using session = await one.create({ id: ID, cwd: '/p' })
  await using same = await other.open(ID)
  const cols = homePaths(temp.home).columnsFile(ID)
  const savings = async (): Promise<number | undefined> => {
    await setTimeout(100)
    return existsSync(cols) ? statSync(cols).ino : undefined
  }
  await session.appendAll(Array.from({ length: 4000 }, () => user('x'.repeat(80))))
  expect(await savings()).toBeUndefined()
  await session.appendAll(Array.from({ length: 200 }, () => user('x')))
  const saved = await savings()
  expect(saved).toBeDefined()
  await same.append(user('comes to it late'))
  expect(await savings()).toBe(saved)
  await same.appendAll(Array.from({ length: 4000 }, () => user('x')))
  expect(await savings()).not.toBe(saved)
})

test('I6 a log that was written over in its middle is not read by what was saved of it before', async () => {
  using temp = makeTempHome()
  const pad = { type: 'custom', customType: 'pad', data: 'x'.repeat(300_000) }
  let path: string
  {
    await using store = await openFileStore(temp)
    await using session = await store.create({ id: ID, cwd: '/p' })
    for (const id of ['a', 'b', 'c']) await session.append(user(id, id))
    await session.append(pad)
    path = session.path
  }
  expect(existsSync(homePaths(temp.home).columnsFile(ID))).toBe(true)
  const before = statSync(path)
  const text = readFileSync(path, 'utf8').replace('"id":"c","parentId":"b"', '"id":"c","parentId":"a"')
  const file = openSync(path, 'r+')
  writeSync(file, text)
  closeSync(file)
  expect(statSync(path)).toMatchObject({ ino: before.ino, size: before.size })
  await using store = await openFileStore(temp)
  const { tree } = await store.open(ID)
  expect(tree.columns.children(tree.ids.find('a')).map((ref) => tree.ids.textOf(ref))).toEqual(['b', 'c'])
})
