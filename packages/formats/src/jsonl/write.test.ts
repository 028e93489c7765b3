import { readFileSync } from 'node:fs'
import { drawTree, listFragments, readLog, treeSource } from '@treeline/core'
import { openFileStore, openMemoryStore, type Session } from '@treeline/store'
import { expect, test } from 'vitest'
import type { WriteOptions } from '../format.ts'
import { makeRichSession, writeWhole } from '../testing/rich-session.ts'
import { hasShared, listFixtures, SKIPPED } from '../testing/shared-fixtures.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { jsonlWriter } from './write.ts'

const write = async (session: Session, options?: WriteOptions) => (await writeWhole(jsonlWriter, session, options)).text

function look(session: Session): object {
  const { tree, leafId, name, header } = session
  const drawn = [
    ...drawTree(
      treeSource(tree, () => undefined),
      'treeline',
    ),
  ]
  return { drawn, leafId, name, cwd: header.cwd, stash: listFragments(tree), config: session.config }
}

test('read again it gives the same tree, leaf, edits and stash, and every line is sealed', async () => {
  await using store = await openMemoryStore()
  await using session = await makeRichSession(store)
  const text = await write(session)
  using folder = makeTempFolder()
  await using files = await openFileStore({ home: folder.home })
  await using again = await files.openPath(folder.plant('copy.jsonl', text), { readOnly: true })
  expect(look(again)).toEqual(look(session))
  expect(again.report()).toMatchObject({ skipped: [], notes: [], problems: [], tornAt: undefined })
  for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/,"crc":"[0-9a-f]{8}"\}$/)
  expect(await again.line()).toEqual(await session.line())
})

test('entries are written as they are, fields nobody knows and __proto__ included', async () => {
  using folder = makeTempFolder()
  const odd =
    '{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{"role":"user","content":"x","__proto__":{"y":1}},"later":[1,{"z":null}]}'
  const path = folder.plant(
    'odd.jsonl',
    '{"type":"session","version":3,"id":"s1","timestamp":"t","cwd":"/p"}\n',
    `${odd}\n`,
  )
  await using files = await openFileStore({ home: folder.home })
  await using session = await files.openPath(path)
  const [, line] = (await write(session)).split('\n')
  expect(line!.replace(/,"crc":"\w+"\}$/, '}')).toBe(odd)
})

test('S32 images and long texts are in the file; what is lost leaves its reference and a note', async () => {
  using folder = makeTempFolder()
  await using files = await openFileStore({ home: folder.home })
  await using session = await files.create({ cwd: '/p' })
  const data = Buffer.alloc(3000, 7).toString('base64')
  const long = 'long '.repeat(120_000)
  const gone = `blob:sha256:${'0'.repeat(64)}`
  await session.append({
    type: 'message',
    message: {
      role: 'user',
      content: [
        { type: 'image', mimeType: 'image/png', data },
        { type: 'text', text: long },
        { type: 'image', mimeType: 'image/png', data: gone },
      ],
    },
  })
  const { text, notes } = await writeWhole(jsonlWriter, session)
  expect(text).toContain(data)
  expect(text).toContain(long)
  expect(text).not.toContain('treelineFull')
  expect(text).toContain(gone)
  expect(notes).toMatchObject([{ kind: 'left_out', message: expect.stringContaining(gone) }])
})

test('branches: trunk writes the path alone, after edits, with its mutes and labels', async () => {
  await using store = await openMemoryStore()
  await using session = await makeRichSession(store)
  await session.edit({ operations: [{ op: 'graft', sourceId: 'stash001', targetId: 'done0001', mode: 'move' }] })
  await session.branch('stash002')
  using folder = makeTempFolder()
  await using files = await openFileStore({ home: folder.home })
  const path = folder.plant('path.jsonl', await write(session, { branches: 'trunk' }))
  await using again = await files.openPath(path)
  expect(again.leafId).toBe('stash002')
  expect(again.name).toBe('Harbour lights, autumn')
  expect(await again.line()).toEqual(await session.line())
  expect(readLog(readFileSync(path)).tree.edits.labels.get('tell0001')?.label).toBe('the answer')
  expect(readFileSync(path, 'utf8')).not.toContain('other001')
  const other = await write(session, { branches: 'trunk', leafId: 'other002' })
  expect(other).toContain('other002')
  expect(other).not.toContain('switch01')
})

test('another leaf is where the copy goes on; an unknown one is an error', async () => {
  await using store = await openMemoryStore()
  await using session = await makeRichSession(store)
  const log = readLog(Buffer.from(await write(session, { leafId: 'other002' })))
  expect(log.tree.ids.textOf(log.tree.leaf)).toBe('other002')
  await expect(write(session, { leafId: 'nobody' })).rejects.toMatchObject({ code: 'node_not_found' })
})

test('I3 a damaged line is told and left out, and what hung under it hangs under the one above', async () => {
  using folder = makeTempFolder()
  const entry = (id: string, parentId: string | null) => ({
    type: 'message',
    id,
    parentId,
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role: 'user', content: id },
  })
  const header = { type: 'session', version: 3, id: 's1', timestamp: 't', cwd: '/p' }
  const lines = [entry('a', null), entry('b', 'a'), entry('c', 'b')].map((one) => `${JSON.stringify(one)}\n`)
  const broken = lines[1]!.replace('"content":"b"}}', '"content":"b"x}}')
  const path = folder.plant('broken.jsonl', header, lines[0]!, broken, 'garbage\n', lines[2]!)
  await using files = await openFileStore({ home: folder.home })
  await using session = await files.openPath(path)
  const { text, notes } = await writeWhole(jsonlWriter, session)
  expect(notes.filter((note) => note.kind === 'damage').length).toBeGreaterThan(0)
  const log = readLog(Buffer.from(text))
  expect([
    ...drawTree(
      treeSource(log.tree, () => undefined),
      'treeline',
    ),
  ]).toHaveLength(2)
  expect(log.tree.columns.rawParent[log.tree.ids.find('c')]).toBe(log.tree.ids.find('a'))
})

test('K6 redacted: secrets are gone, and the header says that it is best effort', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create({ cwd: '/p' })
  await session.append({ type: 'message', message: { role: 'user', content: 'MY_TOKEN=abcdefgh1' } })
  expect(await write(session)).toContain('abcdefgh1')
  const redacted = await write(session, { redact: true })
  expect(redacted).not.toContain('abcdefgh1')
  expect(redacted.split('\n')[0]).toContain('best effort')
})

if (!hasShared) test.skip(SKIPPED, () => {})
test.each(listFixtures('pi', 'xcsh', 'omp18'))('%s gives the same tree and context', async (_, path) => {
  using folder = makeTempFolder()
  await using files = await openFileStore({ home: folder.home })
  await using session = await files.openPath(path, { readOnly: true })
  const copy = folder.plant('copy.jsonl', await write(session))
  await using again = await files.openPath(copy, { readOnly: true })
  expect(look(again)).toEqual(look(session))
  expect((await again.context()).messages).toEqual((await session.context()).messages)
})
