import { createHash } from 'node:crypto'
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openFileStore, type SessionStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { piWriter } from '../pi/write.ts'
import { readAll, writeLines } from '../testing/collect.ts'
import { describeFolder, makeTempFolder, type TempFolder } from '../testing/temp-folder.ts'
import { importSession } from './import-session.ts'

const AT = '2026-01-01T00:00:00.000Z'
const HEADER = { type: 'session', version: 3, id: '019b76da-a800-7000-8000-000000000001', timestamp: AT, cwd: '/p' }

function line(id: string, parentId: string | null, role = 'user'): Readonly<Record<string, unknown>> {
  const content = role === 'user' ? `said ${id}` : [{ type: 'text', text: `said ${id}` }]
  return { type: 'message', id, parentId, timestamp: AT, message: { role, content, timestamp: 1 } }
}

function append(path: string, ...lines: readonly object[]): void {
  appendFileSync(path, lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
}

function openStore(temp: TempFolder): Promise<SessionStore> {
  return openFileStore({ home: temp.home, durability: 'written' })
}

test('I4 importing changes nothing where the file is', async () => {
  using temp = makeTempFolder()
  const path = temp.plant('pi/sessions/--p--/x.jsonl', HEADER, line('a', null), line('b', 'a', 'assistant'))
  const before = describeFolder(join(temp.path, 'pi'))
  await using store = await openStore(temp)
  await importSession(store, path)
  await importSession(store, path)
  expect(describeFolder(join(temp.path, 'pi'))).toEqual(before)
})

test('a session that grew gets what is new, under its parents, and the leaf follows', async () => {
  using temp = makeTempFolder()
  const path = temp.plant('x.jsonl', HEADER, line('a', null), line('b', 'a', 'assistant'))
  await using store = await openStore(temp)
  const first = await importSession(store, path)
  append(path, line('c', 'b'), line('d', 'c', 'assistant'))
  // As Pi hangs things: what comes next is under the label.
  append(path, { type: 'label', id: 'l', parentId: 'd', timestamp: AT, targetId: 'a', label: 'start' }, line('e', 'l'))
  append(path, line('f', 'a', 'assistant'), {
    type: 'session_info',
    id: 'i',
    parentId: 'f',
    timestamp: AT,
    name: 'Named',
  })
  await using watching = await store.open(first.sessionId)
  const grown = await importSession(store, path)
  expect(grown).toMatchObject({ isNew: false, added: 6, skipped: 2, sessionId: first.sessionId })
  await using session = await store.open(first.sessionId)
  const entries = await readAll(session)
  expect(entries.map(({ id, parentId }) => `${id}<${parentId}`)).toEqual([
    'a<null',
    'b<a',
    'c<b',
    'd<c',
    'l<d',
    'e<l',
    'f<a',
    'i<f',
  ])
  expect(session.leafId).toBe('f')
  expect(session.name).toBe('Named')
  expect(session.tree.edits.labels.get('a')?.label).toBe('start')
  expect(watching.seq).toBe(session.seq)
  expect(await importSession(store, path)).toMatchObject({ added: 0, skipped: 8 })
})

test('a file that was moved or copied is the same session', async () => {
  using temp = makeTempFolder()
  const path = temp.plant('x.jsonl', HEADER, line('a', null))
  await using store = await openStore(temp)
  const { sessionId } = await importSession(store, path)
  const copy = join(temp.path, 'copy.jsonl')
  copyFileSync(path, copy)
  const moved = join(temp.path, 'deep', 'other name.jsonl')
  mkdirSync(dirname(moved))
  renameSync(path, moved)
  append(moved, line('b', 'a', 'assistant'))
  expect(await importSession(store, copy)).toMatchObject({ sessionId, isNew: false, added: 0 })
  expect(await importSession(store, moved)).toMatchObject({ sessionId, isNew: false, added: 1 })
  expect(sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(sessionId.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse(AT))
})

test('two sessions with one id are two sessions', async () => {
  using temp = makeTempFolder()
  await using store = await openStore(temp)
  const one = await importSession(store, temp.plant('one.jsonl', { ...HEADER, id: 'test' }, line('a', null)))
  const two = await importSession(store, temp.plant('two.jsonl', { ...HEADER, id: 'test' }, line('b', null)))
  expect(two.sessionId).not.toBe(one.sessionId)
})

test('what was done to the session here stays: the leaf, edits, names and labels', async () => {
  using temp = makeTempFolder()
  const path = temp.plant('x.jsonl', HEADER, line('a', null), line('b', 'a', 'assistant'))
  await using store = await openStore(temp)
  const { sessionId } = await importSession(store, path)
  {
    await using session = await store.open(sessionId)
    await session.append({ type: 'message', id: 'mine', message: { role: 'user', content: 'Mine', timestamp: 2 } })
    await session.edit({ operations: [{ op: 'mute', nodeIds: ['a'] }] })
    await session.rename('My name')
    await session.setLabel('b', 'my label')
  }
  append(path, line('c', 'b'), { type: 'label', id: 'l', parentId: 'c', timestamp: AT, targetId: 'b', label: 'theirs' })
  append(path, { type: 'session_info', id: 'i', parentId: 'l', timestamp: AT, name: 'Their name' })
  expect(await importSession(store, path)).toMatchObject({ added: 3 })
  await using session = await store.open(sessionId)
  expect(session.leafId).toBe('mine')
  expect(session.name).toBe('My name')
  expect(session.tree.edits.labels.get('b')?.label).toBe('my label')
  const { nodes } = await session.line()
  expect(nodes.map(({ nodeId, in: isIn }) => [nodeId, isIn])).toEqual([
    ['a', false],
    ['b', true],
    ['mine', true],
  ])
  expect((await session.readEntry('c'))?.parentId).toBe('b')
  expect(await importSession(store, path)).toMatchObject({ added: 0 })
})

test('an entry that says something else by now is told, and stays as it was', async () => {
  using temp = makeTempFolder()
  const path = temp.plant('x.jsonl', HEADER, line('a', null), line('b', 'a'))
  await using store = await openStore(temp)
  const { sessionId } = await importSession(store, path)
  writeFileSync(path, readFileSync(path, 'utf8').replace('said b', 'SAID B'))
  const { added, notes } = await importSession(store, path)
  expect([added, notes]).toEqual([
    0,
    [{ kind: 'changed', id: 'b', message: expect.stringContaining('has changed since') }],
  ])
  await using session = await store.open(sessionId)
  expect(await session.readEntry('b')).toMatchObject({ message: { content: 'said b' } })
})

test('a model change in one spelling is the same in both', async () => {
  using temp = makeTempFolder()
  const path = temp.plant('x.jsonl', HEADER, line('a', null))
  await using store = await openStore(temp)
  await importSession(store, path)
  append(path, { type: 'model_change', id: 'm', parentId: 'a', timestamp: AT, provider: 'p', modelId: 'm' })
  expect(await importSession(store, path)).toMatchObject({ added: 1, notes: [] })
  expect(await importSession(store, path)).toMatchObject({ added: 0, notes: [] })
})

test('our own export is imported into the session it is of', async () => {
  using temp = makeTempFolder()
  await using store = await openStore(temp)
  const path = join(temp.path, 'export.jsonl')
  let id: string
  {
    await using session = await store.create({ cwd: '/p' })
    id = session.id
    for (const name of ['a', 'b']) {
      await session.append({ type: 'message', id: name, message: { role: 'user', content: name, timestamp: 1 } })
    }
    await session.edit({ operations: [{ op: 'mute', nodeIds: ['a'] }] })
    writeFileSync(path, (await writeLines(piWriter, session)).text)
  }
  expect(await importSession(store, path)).toMatchObject({ sessionId: id, isNew: false, added: 0 })
  append(path, line('c', 'b'))
  expect(await importSession(store, path)).toMatchObject({ sessionId: id, isNew: false, added: 1 })
  expect(await store.list()).toHaveLength(1)
  await using session = await store.open(id)
  await expect(importSession(store, session.path)).rejects.toMatchObject({ code: 'bad_request' })
  // Bearing the id alone does not let a stranger in.
  const stranger = temp.plant('stranger.jsonl', { ...HEADER, id }, line('zzz', null))
  const { sessionId } = await importSession(store, stranger)
  expect(sessionId).not.toBe(id)
})

test('I3 all that can be read of a damaged file is taken, and the rest is told', async () => {
  using temp = makeTempFolder()
  const path = temp.plant(
    'x.jsonl',
    'garbage\n',
    HEADER,
    line('a', null),
    '{"type":"mess\n',
    line('b', 'a'),
    '{"torn":',
  )
  await using store = await openStore(temp)
  const { added, notes } = await importSession(store, path)
  expect(added).toBe(2)
  const torn = readFileSync(path).indexOf('{"torn"')
  const damage = notes.filter(({ kind }) => kind === 'damage')
  expect(damage.map((note) => note.line ?? note.offset)).toEqual([1, 4, torn])
})

test('K3 hostile ids and blobs are data', async () => {
  using temp = makeTempFolder()
  const secret = temp.plant('secret.txt', 'secret')
  const image = { type: 'image', data: 'blob:sha256:../../secret.txt', mimeType: 'image/png' }
  const message = { role: 'user', content: [image], timestamp: 1, ['__proto__']: { polluted: true } }
  const hostile = JSON.stringify({ ...line('x', '../../up'), message }).replace(
    '"timestamp":1}',
    '"timestamp":1,"__proto__":{"polluted":true}}',
  )
  const header = { ...HEADER, id: '../../../etc/passwd' }
  const path = temp.plant(
    'agent/sessions/x.jsonl',
    header,
    line('__proto__', null),
    line('../../up', '__proto__'),
    `${hostile}\n`,
  )
  await using store = await openStore(temp)
  const { sessionId, path: made } = await importSession(store, path)
  expect(made.startsWith(temp.home)).toBe(true)
  append(path, line('constructor', '../../up'), line('../..', 'constructor'), line('z', '../..'))
  const { added, notes } = await importSession(store, path)
  expect(added).toBe(3)
  expect(notes.some(({ message: text }) => text.includes('id that can be none'))).toBe(true)
  expect(await importSession(store, path)).toMatchObject({ added: 0 })
  await using session = await store.open(sessionId)
  expect(JSON.stringify(await readAll(session))).not.toContain(Buffer.from('secret').toString('base64'))
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  expect(readFileSync(secret, 'utf8')).toBe('secret')
  expect((await session.line()).nodes.at(-1)?.nodeId).toBe('z')
  expect(existsSync(join(temp.path, 'etc'))).toBe(false)
})

test('blobs come along, checked, with what is new', async () => {
  using temp = makeTempFolder()
  const bytes = Buffer.alloc(3000, 5)
  const hash = createHash('sha256').update(bytes).digest('hex')
  mkdirSync(join(temp.path, 'agent', 'blobs'), { recursive: true })
  writeFileSync(join(temp.path, 'agent', 'blobs', hash), bytes)
  const wrong = 'f'.repeat(64)
  writeFileSync(join(temp.path, 'agent', 'blobs', wrong), 'not what its name says')
  const withImage = (id: string, parentId: string | null, ref: string) => ({
    ...line(id, parentId),
    message: {
      role: 'user',
      content: [{ type: 'image', data: `blob:sha256:${ref}`, mimeType: 'image/png' }],
      timestamp: 1,
    },
  })
  const path = temp.plant('agent/sessions/--p--/x.jsonl', HEADER, withImage('a', null, hash))
  await using store = await openStore(temp)
  const { sessionId } = await importSession(store, path)
  append(path, withImage('b', 'a', hash), withImage('c', 'b', wrong))
  const { added, notes } = await importSession(store, path)
  expect(added).toBe(2)
  expect(notes.map(({ kind, id }) => [kind, id])).toEqual([['left_out', 'c']])
  renameSync(join(temp.path, 'agent'), join(temp.path, 'gone'))
  await using session = await store.open(sessionId)
  for (const id of ['a', 'b']) {
    const full = await session.readFull(id)
    expect(full?.unresolved).toEqual([])
    expect(JSON.stringify(full?.entry)).toContain(bytes.toString('base64'))
  }
})

test('new entries under a node that was deleted here are kept and told', async () => {
  using temp = makeTempFolder()
  const path = temp.plant('x.jsonl', HEADER, line('a', null), line('b', 'a'))
  await using store = await openStore(temp)
  const { sessionId } = await importSession(store, path)
  {
    await using session = await store.open(sessionId)
    await session.edit({ operations: [{ op: 'delete', nodeIds: ['b'], how: 'subtree' }] })
  }
  append(path, line('c', 'b'))
  const { added, notes } = await importSession(store, path)
  expect(added).toBe(1)
  expect(notes).toMatchObject([{ kind: 'changed', id: 'c' }])
  await using session = await store.open(sessionId)
  expect((await session.readEntry('c'))?.parentId).toBe('a')
})

test('of two who import the same file at once one makes the session', async () => {
  using temp = makeTempFolder()
  const path = temp.plant('x.jsonl', HEADER, line('a', null), line('b', 'a'))
  await using store = await openStore(temp)
  const results = await Promise.all([
    importSession(store, path),
    importSession(store, path),
    importSession(store, path),
  ])
  expect(results.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(new Set(results.map(({ sessionId }) => sessionId)).size).toBe(1)
  expect(await store.list()).toHaveLength(1)
})
