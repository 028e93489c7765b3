import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { TreelineError } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { storeContract } from './contract/index.ts'
import { entriesOf, idsOf, trunkOf } from './contract/look.ts'
import { converse, user } from './contract/say.ts'
import { openFileStore } from './file-store.ts'
import { createFileStorage } from './storage/file-storage.ts'
import type { SessionStorage } from './storage/storage.ts'
import { header, makeTempHome, message, toText } from './testing/temp-home.ts'
import { watchStorage } from './testing/watched-storage.ts'

storeContract('The file store', {
  async open() {
    const temp = makeTempHome()
    const { home } = temp
    return {
      store: await openFileStore({ home }),
      reopen: (options) => openFileStore({ home, ...options }),
      cleanup: async () => temp[Symbol.dispose](),
    }
  },
})

describe('files', () => {
  test('a home that is a link is the folder it leads to', async () => {
    using temp = makeTempHome()
    const link = join(temp.outside, 'home')
    mkdirSync(temp.home, { recursive: true })
    symlinkSync(temp.home, link)
    await using store = await openFileStore({ home: link })
    const { id } = await store.create({ cwd: '/p' })
    await using same = await openFileStore({ home: temp.home })
    expect((await same.open(id)).access).toEqual({ mode: 'write' })
  })

  test('K5 under umask 0 every file is 0600 and every folder 0700', async () => {
    using temp = makeTempHome()
    const umask = process.umask(0)
    try {
      await using store = await openFileStore(temp)
      const session = await store.create({ cwd: '/p' })
      for (let i = 0; i < 10; i++) await session.append(user('x'.repeat(40_000)))
      await session.append(user('x'.repeat(600_000)))
      await store.fork(session)
      await session.close()
    } finally {
      process.umask(umask)
    }
    const paths = [temp.home, ...temp.list()]
    for (const part of ['.jsonl', '.cols', 'blobs/', 'locks/']) expect(paths.join('\n')).toContain(part)
    for (const path of paths) {
      const stat = statSync(path)
      expect((stat.mode & 0o777).toString(8), path).toBe(stat.isDirectory() ? '700' : '600')
    }
  })

  test('S1 a log lies at <home>/sessions/--<cwd>--/<timestamp>_<id>.jsonl', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const { id, path, header } = await store.create({ cwd: '/home/me/project' })
    const time = header.timestamp.replace(/[:.]/g, '-')
    expect(path).toBe(join(temp.home, 'sessions', '--home-me-project--', `${time}_${id}.jsonl`))
  })

  test('K3 a log that is a link is not opened, whatever it points to', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const path = temp.plant('real', header('real'), message('hello', 'e1'))
    const secret = join(temp.outside, 'secret.jsonl')
    renameSync(path, secret)
    symlinkSync(secret, path)
    await expect(store.openPath(path)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(store.open('real')).rejects.toMatchObject({
      code: expect.stringMatching(/forbidden|session_not_found/),
    })
    expect(await store.list()).toEqual([])
  })

  test('K3 a log exchanged for a link while it is open is not written through', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const session = await store.create()
    await converse(session, 'q1')
    const target = join(temp.outside, 'target.jsonl')
    renameSync(session.path, target)
    symlinkSync(target, session.path)
    const bytes = readFileSync(target)
    await expect(session.append(user('leak'))).rejects.toMatchObject({ code: 'forbidden' })
    expect(readFileSync(target).equals(bytes)).toBe(true)
  })

  test.each([
    ['a session of ours', [header('it'), message('one', 'e1'), message('two', 'e2', 'e1')]],
    ['version 1', [header('it', 1), message('one'), message('two')]],
    ['version 2', [header('it', 2), message('one', 'e1')]],
    ['version 4', [header('it', 4), message('one', 'e1')]],
    ['a torn tail', [header('it'), message('one', 'e1'), '{"type":"message","id":"e2","par']],
    ['no line end at the end', [header('it'), message('one', 'e1'), JSON.stringify(message('two', 'e2', 'e1'))]],
    ['damage in the middle', [header('it'), 'garbage\n', message('one', 'e1')]],
    ['no header', [message('one', 'e1')]],
    ['nothing at all', []],
    [
      'a byte order mark and CRLF',
      [`\ufeff${JSON.stringify(header('it'))}\r\n${JSON.stringify(message('one', 'e1'))}\r\n`],
    ],
  ])('I4 opening, reading and closing changes no byte: %s', async (_name, lines) => {
    using temp = makeTempHome()
    const path = temp.plant('it', ...lines)
    const bytes = readFileSync(path)
    const { mtimeNs } = statSync(path, { bigint: true })
    {
      await using store = await openFileStore(temp)
      const session = await store.open('it')
      await entriesOf(session)
      await session.line()
      await session.refresh()
      session.report()
      await store.list()
    }
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(statSync(path, { bigint: true }).mtimeNs).toBe(mtimeNs)
    expect(temp.list().filter((name) => name.includes('/sessions/--p--/'))).toEqual([path])
  })

  test('I7 a bad file hides no other in the list', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    temp.plant('good', header('good'), message('hello', 'e1'))
    temp.plant('empty')
    temp.plant('garbage', '\0\0\0\xff\n{{{\n')
    temp.plant('torn', '{"type":"sess')
    const link = temp.plant('link')
    renameSync(link, `${link}.old`)
    symlinkSync(join(temp.outside, 'nothing'), link)
    const summaries = await store.list()
    expect(summaries.find(({ id }) => id === 'good')).toMatchObject({ firstPrompt: 'hello', messageCount: 1 })
    expect(summaries).toHaveLength(4)
  })

  test('I7 a folder that cannot be read is listed with its problem and keeps nobody from the other sessions', async () => {
    using temp = makeTempHome()
    const bad = join(temp.home, 'sessions', '--bad--')
    const real = createFileStorage()
    const storage: SessionStorage = {
      ...real,
      listFilesSync(dir, pattern) {
        if (dir === bad) throw Object.assign(new Error('EIO: i/o error, scandir'), { code: 'EIO' })
        return real.listFilesSync(dir, pattern)
      },
    }
    mkdirSync(bad, { recursive: true })
    await using store = await openFileStore({ home: temp.home, storage })
    const { id } = await store.create({ cwd: '/zzz' })
    expect(await store.exists(id)).toBe(true)
    expect((await store.open(id)).id).toBe(id)
    await store.create({ id: 'chosen' })
    const summaries = await store.list()
    expect(summaries).toHaveLength(3)
    expect(summaries.find(({ path }) => path === bad)).toMatchObject({
      id: undefined,
      problem: expect.stringContaining('EIO'),
    })
    expect(await store.exists('nobody')).toBe(false)
    const missing = { code: 'session_not_found', message: expect.stringContaining(bad) }
    await expect(store.open('nobody')).rejects.toMatchObject(missing)
  })

  test('S34 a log that was renamed or copied is opened by the id it is listed under', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const path = temp.plant('first', header('first'), message('one', 'e1'))
    const renamed = join(dirname(path), 'notes.jsonl')
    renameSync(path, renamed)
    expect(await store.list()).toMatchObject([{ id: 'first', path: renamed }])
    expect(await store.exists('first')).toBe(true)
    expect((await store.open('first')).path).toBe(renamed)
    await expect(store.create({ id: 'first' })).rejects.toMatchObject({ code: 'id_in_use' })
    const copy = join(dirname(path), 'copy.jsonl')
    copyFileSync(renamed, copy)
    const message2 = expect.stringMatching(/copy\.jsonl.*notes\.jsonl/)
    await expect(store.open('first')).rejects.toMatchObject({ code: 'id_in_use', message: message2 })
    expect(await store.exists('first')).toBe(true)
    renameSync(renamed, path)
    expect((await store.open('first')).path).toBe(path)
  })

  test('I4 the original that a migration keeps cannot be appended to', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const path = temp.plant('old', header('old', 1), message('one'))
    await (await store.open('old')).append(user('two'))
    const original = await store.openPath(`${path}.v1`)
    expect(original.access).toEqual({ mode: 'read', reason: 'foreign' })
    await expect(original.append(user('no'))).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('forks of damaged logs', () => {
  const compaction = (id: string, parentId: string, firstKeptEntryId: string) => {
    const entry = { type: 'compaction', id, parentId, timestamp: '2026-01-01T00:00:02.000Z', summary: 's' }
    return { ...entry, firstKeptEntryId, tokensBefore: 1 }
  }
  /** Framed as an entry, and none: what is in it does not parse. */
  const broken = (entry: object) => `${JSON.stringify(entry).replace(/("content"|"summary"):/, '$1:oops')}\n`

  test.each(['path', 'whole', 'subtree'] as const)(
    'I3 %s: what cannot be read is left out and told of, and what hung under it hangs above',
    async (how) => {
      using temp = makeTempHome()
      await using store = await openFileStore(temp)
      temp.plant(
        'it',
        header('it'),
        message('one', 'e1'),
        message('two', 'e2', 'e1'),
        broken(message('three', 'e3', 'e2')),
        broken(compaction('c1', 'e3', 'e2')),
        message('four', 'e4', 'c1'),
        compaction('c2', 'e4', 'e3'),
        message('five', 'e5', 'c2'),
      )
      const source = await store.open('it', { acceptDamage: true })
      await source.edit({ operations: [{ op: 'mute', nodeIds: ['e3', 'e4'] }] })
      await source.setLabel('e3', 'gone')
      const told: TreelineError[] = []
      const nodeId = how === 'subtree' ? 'e1' : undefined
      const fork = await store.fork(source, { how, nodeId, onLeftOut: (problem) => told.push(problem) })
      expect(told.map(({ code, details }) => [code, details.line])).toEqual([
        ['damaged', 4],
        ['damaged', 5],
      ])
      expect(trunkOf(fork)).toEqual(['e1', 'e2', 'e4', 'c2', 'e5'])
      expect(await fork.readEntry('e4')).toMatchObject({ parentId: 'e2' })
      expect(await fork.readEntry('c2')).toMatchObject({ parentId: 'e4', firstKeptEntryId: 'e4' })
      expect((await entriesOf(fork)).length).toBe(fork.tree.rowCount)
      expect(fork.report()).toMatchObject({ skipped: [], unreadable: [] })
      await store.fork(source, { how, nodeId })
    },
  )

  test('I3 a damaged log of version 2 is forked without what cannot be read', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const lines = [message('one', 'e1'), broken(message('two', 'e2', 'e1')), message('three', 'e3', 'e2')]
    temp.plant('it', header('it', 2), ...lines)
    const source = await store.open('it')
    for (const how of ['path', 'whole'] as const) {
      const told: TreelineError[] = []
      const fork = await store.fork(source, { how, onLeftOut: (problem) => told.push(problem) })
      expect(told).toMatchObject([{ code: 'damaged', details: { line: 3 } }])
      expect(trunkOf(fork)).toEqual(['e1', 'e3'])
      expect(await fork.readEntry('e3')).toMatchObject({ parentId: 'e1' })
    }
  })

  test('I3 an entry that stands before the damaged one it hangs under hangs above it too', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const lines = [message('one', 'e1'), message('three', 'e3', 'e2'), broken(message('two', 'e2', 'e1'))]
    temp.plant('it', header('it'), ...lines)
    const source = await store.open('it')
    for (const how of ['whole', 'subtree'] as const) {
      const told: TreelineError[] = []
      const fork = await store.fork(source, { how, nodeId: 'e1', onLeftOut: (problem) => told.push(problem) })
      expect(await fork.readEntry('e3'), how).toMatchObject({ parentId: 'e1' })
      expect(told).toHaveLength(1)
    }
  })
})

describe('forks of what has no header', () => {
  test('S5 a log without one is named by where it is, and goes on where the program runs', async () => {
    using temp = makeTempHome()
    const path = join(temp.outside, 'log.jsonl')
    writeFileSync(path, toText([message('hi', 'a')]))
    await using store = await openFileStore(temp)
    await using fork = await store.forkFrom(path)
    expect(fork.header).toMatchObject({ cwd: process.cwd(), parentSession: path })
    expect(await idsOf(fork)).toEqual(['a'])
  })

  test.each([
    ['a text', '# Notes\n\nSome words\n'],
    ['bytes without a line end', '\u0000\u0001 no log'],
  ])('I2 %s is no session, and none is made of it', async (_, text) => {
    using temp = makeTempHome()
    const path = join(temp.outside, 'notes.md')
    writeFileSync(path, text)
    await using store = await openFileStore(temp)
    await expect(store.forkFrom(path)).rejects.toMatchObject({ code: 'damaged', details: { line: 1, offset: 0 } })
    expect([await store.list(), readFileSync(path, 'utf8')]).toEqual([[], text])
  })

  test('an empty file is an empty session', async () => {
    using temp = makeTempHome()
    const path = join(temp.outside, 'empty.jsonl')
    writeFileSync(path, '')
    await using store = await openFileStore(temp)
    await using fork = await store.forkFrom(path)
    expect(fork.leafId).toBeNull()
  })
})

describe('versions 1 and 2', () => {
  const v1 = [header('old', 1), message('one'), message('two'), message('three')]

  test('S16, I5 a v1 file is migrated at the first append, the original kept, its ids the same before and after', async () => {
    using temp = makeTempHome()
    const path = temp.plant('old', ...v1)
    const original = readFileSync(path)
    const before = await readIds(temp.home, 'old')
    expect(await readIds(temp.home, 'old')).toEqual(before)
    expect(new Set(before).size).toBe(3)
    {
      await using store = await openFileStore(temp)
      const session = await store.open('old')
      expect(session.leafId).toBe(before[2])
      expect(await session.append(user('four', 'e4'))).toMatchObject({ parentId: before[2] })
      expect(await idsOf(session)).toEqual([...before, 'e4'])
      expect(trunkOf(session)).toEqual([...before, 'e4'])
    }
    expect(readFileSync(`${path}.v1`).equals(original)).toBe(true)
    expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[0]!)).toMatchObject({ version: 3, id: 'old' })
    expect(await readIds(temp.home, 'old')).toEqual([...before, 'e4'])
    await using store = await openFileStore(temp)
    expect(await store.list()).toMatchObject([{ id: 'old', messageCount: 4 }])
    expect(temp.list().filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('I5 a line that another tool writes while the log is migrated is in neither file lost: the append tries again', async () => {
    using temp = makeTempHome()
    const path = temp.plant('old', ...v1)
    const line = { type: 'message', timestamp: '', message: { role: 'assistant', content: 'theirs', timestamp: 1 } }
    let isDue = true
    const real = createFileStorage()
    const openWriter: SessionStorage['openWriter'] = (name, options) => {
      if (isDue && name.startsWith(`${path}.`) && !name.startsWith(`${path}.v1`)) {
        appendFileSync(path, `${JSON.stringify(line)}\n`)
        isDue = false
      }
      return real.openWriter(name, options)
    }
    await using store = await openFileStore({ ...temp, storage: { ...real, openWriter } })
    const session = await store.open('old')
    await expect(session.append(user('four', 'e4'))).rejects.toMatchObject({ code: 'session_locked' })
    expect([isDue, readFileSync(path, 'utf8').includes('theirs')]).toEqual([false, true])
    await session.append(user('four', 'e4'))
    expect(readFileSync(path, 'utf8')).toContain('theirs')
    expect((await idsOf(session)).length).toBe(5)
  })

  test('S14 firstKeptEntryIndex becomes firstKeptEntryId; S15 hookMessage becomes custom', async () => {
    using temp = makeTempHome()
    const compaction = { type: 'compaction', timestamp: '', summary: 's', firstKeptEntryIndex: 2, tokensBefore: 1 }
    temp.plant('old', ...v1, compaction)
    const hook = { role: 'hookMessage', customType: 'x', content: 'hi', display: true, timestamp: 1 }
    temp.plant('two', header('two', 2), { ...message('', 'e1', null), message: hook })
    await using store = await openFileStore(temp)
    const [old, two] = [await store.open('old'), await store.open('two')]
    const ids = await idsOf(old)
    expect(await old.readEntry(ids[3]!)).toMatchObject({ firstKeptEntryId: ids[1] })
    expect(await two.readEntry('e1')).toMatchObject({ message: { role: 'custom' } })
    await old.append(user('x', 'x1'))
    await two.append(user('x', 'x1'))
    expect(await old.readEntry(ids[3]!)).toMatchObject({ firstKeptEntryId: ids[1] })
    expect(readFileSync(two.path, 'utf8')).not.toContain('hookMessage')
    expect(readFileSync(`${two.path}.v2`, 'utf8')).toContain('hookMessage')
  })

  const EXACT = '"n":9007199254740993,"r":1.0,"2":0,"1":0'
  const MEMBERS = `"timestamp":"","message":{"role":"user","content":"a",${EXACT}}`
  test.each([
    ['an entry of version 2', 2, `{"type":"message","id":"a","parentId":null,${MEMBERS},${EXACT}}`],
    ['one with a carriage return', 2, `{"type":"message","id":"a","parentId":null,${MEMBERS},${EXACT}}\r`],
    ['one without a parent', 2, `{"type":"message","id":"a",${MEMBERS},${EXACT}}`],
    [
      'a hook message',
      2,
      `{"type":"message","id":"a","parentId":null,${MEMBERS.replace('user', 'hookMessage')},${EXACT}}`,
    ],
    ['an entry of version 1', 1, `{"type":"message",${MEMBERS},${EXACT}}`],
    ['one with an id', 1, `{"type":"message",${MEMBERS},"id":"old",${EXACT}}`],
  ])('numbers, keys and their order survive migration and every fork: %s', async (_what, version, line) => {
    using temp = makeTempHome()
    const path = temp.plant('old', header('old', version), `${line}\n`)
    await using store = await openFileStore(temp)
    const session = await store.open('old')
    const [id] = trunkOf(session)
    const before = await entriesOf(session)
    const paths = [path]
    for (const how of ['path', 'whole', 'subtree'] as const) {
      const fork = await store.fork(session, { how, nodeId: id! })
      paths.push(fork.path)
      expect((await entriesOf(fork)).map(({ crc: _, ...entry }) => entry)).toEqual(before)
      expect(fork.report()).toMatchObject({ skipped: [], notes: [], problems: [] })
    }
    await session.append(user('next', 'x1'))
    expect((await entriesOf(session)).slice(0, 1)).toMatchObject(before)
    expect(session.report()).toMatchObject({ skipped: [], notes: [], problems: [] })
    for (const path of paths) expect(readFileSync(path, 'utf8').split(EXACT)).toHaveLength(3)
  })

  test('C1 another store that has the old file open goes on in the migrated one', async () => {
    using temp = makeTempHome()
    temp.plant('old', ...v1)
    await using one = await openFileStore(temp)
    await using two = await openFileStore(temp)
    const [first, second] = [await one.open('old'), await two.open('old')]
    const before = await idsOf(second)
    await first.append(user('a', 'xa'))
    await second.append(user('b', 'xb'))
    await first.refresh()
    expect(await idsOf(first)).toEqual([...before, 'xa', 'xb'])
    expect(await second.readEntry('xb')).toMatchObject({ parentId: before[2] })
    expect(await first.readEntry(before[0]!)).toEqual(await second.readEntry(before[0]!))
  })
})

describe('files of other tools', () => {
  test.each([1, 2, 3])(
    'a version %i file outside home is read-only, and a fork continues it in home',
    async (version) => {
      using temp = makeTempHome()
      await using store = await openFileStore(temp)
      const path = join(temp.outside, 'theirs.jsonl')
      const ids = version === 1 ? [undefined, undefined] : ['e1', 'e2']
      writeFileSync(path, toText([header('theirs', version), message('one', ids[0]), message('two', ids[1], ids[0])]))
      const bytes = readFileSync(path)
      const session = await store.openPath(path)
      expect(session.access).toEqual({ mode: 'read', reason: 'foreign' })
      await expect(session.append(user('no'))).rejects.toMatchObject({ code: 'forbidden' })
      await expect(session.rename('no')).rejects.toMatchObject({ code: 'forbidden' })
      for (const how of ['path', 'whole', 'subtree'] as const) {
        const nodeId = how === 'subtree' ? (await idsOf(session))[0] : undefined
        const fork = await store.fork(session, { how, nodeId })
        expect(fork.header).toMatchObject({ version: 3, parentSession: 'theirs', cwd: '/p' })
        expect(fork.path.startsWith(temp.home)).toBe(true)
        expect((await entriesOf(fork)).map(({ crc: _, ...entry }) => entry)).toEqual(await entriesOf(session))
        expect(await fork.line()).toEqual(await session.line())
        await fork.append(user('goes on', 'mine'))
        expect(trunkOf(fork)).toEqual([...trunkOf(session), 'mine'])
        expect(fork.report()).toMatchObject({ skipped: [], notes: [], problems: [] })
      }
      expect(readFileSync(path).equals(bytes)).toBe(true)
    },
  )

  test('I4 what JavaScript cannot hold survives in a fork: long numbers, repeated keys, the order of keys', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const path = join(temp.outside, 'theirs.jsonl')
    const odd = '"data":{"z":9007199254740993,"a":1.0,"a":2,"10":0,"9":1e400}'
    const line = (id: string, parentId: string) =>
      `{"type":"custom","id":"${id}","parentId":"${parentId}","timestamp":"","customType":"x",${odd}}\n`
    writeFileSync(path, toText([header('theirs'), message('one', 'e1'), line('c1', 'e1'), line('c2', 'c1')]))
    const session = await store.openPath(path)
    for (const how of ['path', 'whole'] as const) {
      const text = readFileSync((await store.fork(session, { how })).path, 'utf8')
      expect(text.split(odd)).toHaveLength(3)
    }
  })

  test('with inPlace one appends to it where it is', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const path = join(temp.outside, 'theirs.jsonl')
    writeFileSync(path, toText([header('theirs'), message('one', 'e1')]))
    const before = readFileSync(path, 'utf8')
    const session = await store.openPath(path, { inPlace: true })
    await session.append(user('two', 'e2'))
    expect(readFileSync(path, 'utf8').startsWith(before)).toBe(true)
    expect(await idsOf(await store.openPath(path))).toEqual(['e1', 'e2'])
    expect(await store.list()).toEqual([])
  })

  test('a file that is missing, a folder, or of a newer version', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const missing = join(temp.outside, 'missing.jsonl')
    await expect(store.openPath(missing)).rejects.toMatchObject({ code: 'session_not_found' })
    await expect(store.openPath(temp.outside)).rejects.toMatchObject({ name: 'TreelineError' })
    temp.plant('newer', header('newer', 4), message('one', 'e1'))
    const session = await store.open('newer')
    expect(session.access).toEqual({ mode: 'read', reason: 'newer' })
    await expect(session.append(user('x'))).rejects.toMatchObject({ code: 'session_locked' })
    expect(await idsOf(await store.fork(session))).toEqual(['e1'])
  })

  test.each([0, -1, 2.5])('I4 a log of version %d, which nobody knows, is left as it is', async (version) => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const path = temp.plant('odd', { ...header('odd'), version }, message('one', 'e1'))
    const before = readFileSync(path)
    const session = await store.open('odd')
    expect(session.access).toEqual({ mode: 'read', reason: 'newer' })
    await expect(session.append(user('x'))).rejects.toMatchObject({ code: 'session_locked' })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('R2 a log without a header is refused by line and byte', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const path = temp.plant('none', message('one', 'e1'))
    await using session = await store.openPath(path)
    const where = {
      code: 'session_locked',
      message: expect.stringContaining('Line 1, at byte 0'),
      details: { line: 1, offset: 0 },
    }
    await expect(session.append(user('x'))).rejects.toMatchObject(where)
  })
})

async function readIds(home: string, id: string): Promise<string[]> {
  await using store = await openFileStore({ home })
  return idsOf(await store.open(id))
}

test('a home below a link is called the same when it is made as ever after', async () => {
  using temp = makeTempHome()
  const link = join(temp.outside, 'link')
  mkdirSync(join(temp.outside, 'real'), { recursive: true })
  symlinkSync(join(temp.outside, 'real'), link)
  const home = join(link, 'home')
  await using first = await openFileStore({ home })
  const { path } = await first.create()
  await first.close()
  await using later = await openFileStore({ home })
  const session = await later.openPath(path)
  expect(session.access).toEqual({ mode: 'write' })
  expect(session.path).toBe(path)
})

test.each([{ cwd: 5 }, { cwd: {} }, { title: 5 }, { title: {} }, { parentSession: [] }, { timestamp: 1 }])(
  'I3 a header that says %j is read as one that does not say it, and the session is forked',
  async (said) => {
    using temp = makeTempHome()
    const path = join(temp.outside, 'theirs.jsonl')
    mkdirSync(temp.outside, { recursive: true })
    writeFileSync(path, toText([{ ...header('s'), ...said }, message('one', 'e1')]))
    await using store = await openFileStore(temp)
    const session = await store.openPath(path)
    expect(session.name).toBeUndefined()
    expect(typeof session.header.cwd).toBe('string')
    expect(await idsOf(await store.forkFrom(path))).toEqual(['e1'])
  },
)

test('a session that is looked for by what headers say costs no second look at files that are the same', async () => {
  using temp = makeTempHome()
  const watched = watchStorage()
  await using store = await openFileStore({ ...temp, storage: watched.storage })
  for (let i = 0; i < 5; i++) await store.create()
  expect(await store.exists('elsewhere')).toBe(false)
  const { readBytes } = watched
  expect(await store.exists('elsewhere')).toBe(false)
  expect(watched.readBytes).toBe(readBytes)
  const renamed = join(dirname((await store.create({ id: 'wanted' })).path), 'other.jsonl')
  renameSync((await store.open('wanted')).path, renamed)
  expect(await store.exists('wanted')).toBe(true)
})

test('I7 a session whose header could not be read once is found when it can', async () => {
  using temp = makeTempHome()
  const real = createFileStorage()
  let fails = false
  const openReader: SessionStorage['openReader'] = (path) => {
    if (fails) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' })
    return real.openReader(path)
  }
  await using store = await openFileStore({ ...temp, storage: { ...real, openReader } })
  const { path } = await store.create({ id: 'wanted' })
  renameSync(path, join(dirname(path), 'other.jsonl'))
  fails = true
  expect(await store.exists('wanted')).toBe(false)
  fails = false
  expect(await store.exists('wanted')).toBe(true)
})
