import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore, type Session, type SessionStore } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import { findBlobFolders } from './blob-folders.ts'
import { openSessionFile } from './open-session-file.ts'
import { readSample, readWhole } from './read-file.ts'
import { findFormat, formats, isLog, loadWriter, writerNames } from './registry.ts'
import { takeSample } from './sample.ts'
import { hasShared, listFixtures, readExpected, SKIPPED } from './testing/shared-fixtures.ts'
import { describeFolder, makeTempFolder, type TempFolder, toText } from './testing/temp-folder.ts'

const AT = '2026-01-01T00:00:00.000Z'
const HEADER = { type: 'session', version: 3, id: 's1', timestamp: AT, cwd: '/p' }
const MESSAGE = {
  type: 'message',
  id: 'a',
  parentId: null,
  timestamp: AT,
  message: { role: 'user', content: 'Hi', timestamp: 1 },
}
const NEOVATE = {
  parentUuid: null,
  uuid: 'u1',
  role: 'user',
  content: 'Hi',
  type: 'message',
  timestamp: AT,
  sessionId: 'x',
}

function openStore(temp: TempFolder): Promise<SessionStore> {
  return openFileStore({ home: temp.home })
}

describe('openSessionFile', () => {
  test("I4 opens any tool's session where it is and changes nothing", async () => {
    using temp = makeTempFolder()
    const files = [
      ['pi', temp.plant('files/pi.jsonl', HEADER, MESSAGE)],
      ['xcsh', temp.plant('files/xcsh.jsonl', { ...HEADER, id: '0123456789abcdef' }, MESSAGE)],
      [
        'omp',
        temp.plant('files/omp.jsonl', { type: 'title', v: 1, title: 'T', updatedAt: AT, pad: ' ' }, HEADER, MESSAGE),
      ],
      ['neovate', temp.plant('files/neovate.jsonl', NEOVATE)],
      [
        'generic',
        temp.plant('files/generic.jsonl', { id: '1', parentId: null, timestamp: 1, type: 'user', content: 'Hi' }),
      ],
    ] as const
    const before = describeFolder(join(temp.path, 'files'))
    await using store = await openStore(temp)
    for (const [format, path] of files) {
      await using opened = await openSessionFile(store, path)
      expect([opened.format, opened.path]).toEqual([format, path])
      const { messages } = await opened.session.context({ dialect: opened.dialect })
      expect(messages).toHaveLength(1)
      expect(opened.translation === undefined).toBe(isLog(format))
    }
    expect(describeFolder(join(temp.path, 'files'))).toEqual(before)
  })

  test('I3 what nobody recognises is opened as a log where messages can be read or it is named one, else refused', async () => {
    using temp = makeTempFolder()
    await using store = await openStore(temp)
    const notes = temp.plant('notes.md', '# Notes\n', 'of a day\n')
    await expect(openSessionFile(store, notes)).rejects.toMatchObject({
      code: 'invalid_header',
      message: expect.stringContaining('does not look like a session of any tool'),
    })
    await using named = await openSessionFile(store, notes, { format: 'treeline' })
    expect(named.session.tree.rowCount).toBe(0)
    expect(named.session.report().skipped.length).toBeGreaterThan(0)
    const wrecked = temp.plant('wrecked.jsonl', `${'\0'.repeat(70_000)}\n`, MESSAGE)
    await using opened = await openSessionFile(store, wrecked)
    expect(opened.session.leafId).toBe('a')
    await using empty = await openSessionFile(store, temp.plant('empty.jsonl', ' \n\n'))
    expect(empty.session.tree.rowCount).toBe(0)
  })

  test('what is translated cannot be changed: it would be gone with the process', async () => {
    using temp = makeTempFolder()
    await using store = await openStore(temp)
    await using opened = await openSessionFile(store, temp.plant('x.jsonl', NEOVATE))
    expect(opened.session.access.mode).toBe('read')
    await expect(opened.session.rename('Mine')).rejects.toThrow()
  })

  test('X75 a tool that is named has the file, whatever it looks like', async () => {
    using temp = makeTempFolder()
    await using store = await openStore(temp)
    const path = temp.plant('x.jsonl', NEOVATE)
    await using opened = await openSessionFile(store, path, { format: 'treeline' })
    expect(opened.translation).toBeUndefined()
    await expect(openSessionFile(store, path, { format: 'nope' as 'pi' })).rejects.toThrow(/Choose one of pi, /)
  })

  test('R2 says what is wrong with what cannot be opened', async () => {
    using temp = makeTempFolder()
    await using store = await openStore(temp)
    await expect(openSessionFile(store, join(temp.path, 'nope.jsonl'))).rejects.toMatchObject({
      code: 'session_not_found',
    })
    await expect(openSessionFile(store, temp.path)).rejects.toThrow(/is no file/)
    const v4 = temp.plant('v4.jsonl', { v: 4, kind: 'header', id: 'x' })
    await expect(openSessionFile(store, v4)).rejects.toMatchObject({ code: 'unsupported_media_type' })
    const neovate = temp.plant('n.jsonl', NEOVATE)
    await expect(openSessionFile(store, neovate, { inPlace: true })).rejects.toThrow(
      /Neovate, which cannot be continued/,
    )
  })

  test('a pipe holds nobody up', () => {
    using temp = makeTempFolder()
    const pipe = join(temp.path, 'pipe')
    execFileSync('/usr/bin/env', ['mkfifo', pipe])
    expect(() => readSample(pipe)).toThrow(/is no file/)
  })

  test.skipIf(process.getuid?.() === 0)('a file that may not be read is told as that', () => {
    using temp = makeTempFolder()
    const path = temp.plant('x.jsonl', HEADER)
    chmodSync(path, 0)
    expect(() => readWhole(path)).toThrow(expect.objectContaining({ code: 'forbidden' }))
  })
})

test.skipIf(!hasShared)(hasShared ? 'S22 every file of Pi gives the context Pi computes' : SKIPPED, async () => {
  using temp = makeTempFolder()
  await using store = await openFileStore({ home: temp.home, durability: 'written' })
  let compared = 0
  for (const [name, path] of listFixtures('pi')) {
    const { buildSessionContext, leafId } = readExpected(path) as unknown as PiExpected
    await using opened = await openSessionFile(store, path)
    // Where Pi fails on a file or overwrites it there is nothing to compare with.
    if (buildSessionContext?.ok === undefined || leafId !== opened.session.tree.ids.textOf(lastRef(opened.session)))
      continue
    const { messages } = await opened.session.context({ leafId, dialect: 'pi' })
    expect([name, rolesOf(messages)]).toEqual([name, rolesOf(buildSessionContext.ok.messages)])
    compared++
  }
  expect(compared).toBeGreaterThan(30)
})

type Roles = readonly { readonly role: string }[]

interface PiExpected {
  readonly buildSessionContext?: { readonly ok?: { readonly messages: Roles } }
  /** Its last line, whatever that is. */
  readonly leafId?: string
}

function lastRef({ tree }: Session): number {
  return tree.rowCount === 0 ? 0 : tree.refAtRow(tree.rowCount - 1)
}

function rolesOf(messages: Roles): string[] {
  return messages.map(({ role }) => role)
}

test('every format that is translated is known by its name, every writer by its own', async () => {
  for (const format of formats) {
    expect(findFormat(format.name)).toBe(format)
    expect(isLog(format.name)).toBe(format.loadReader === undefined)
  }
  for (const name of writerNames) expect((await loadWriter(name)).name).toBe(name)
  await expect(loadWriter('__proto__')).rejects.toThrow(/Choose one of jsonl/)
})

test('a sample has the first line, however long, and only whole ones', () => {
  using temp = makeTempFolder()
  const long = { ...NEOVATE, content: 'x'.repeat(300_000) }
  const first = readSample(temp.plant('long.jsonl', long, NEOVATE))
  expect(first.records).toHaveLength(1)
  expect(first.isWhole).toBe(false)
  const many = readSample(temp.plant('many.jsonl', ...Array.from({ length: 2000 }, () => NEOVATE)))
  expect(many.records.length).toBeGreaterThan(100)
  expect(many.text.length).toBe(64 * 1024)
  const bytes = new TextEncoder().encode(`\ufeff${toText([HEADER])}{"type"`)
  const whole = takeSample(bytes, bytes.length)
  expect([whole.isWhole, whole.records]).toEqual([true, [HEADER]])
})

test('blobs are looked for beside the folders a file is in, nearest first', () => {
  using temp = makeTempFolder()
  const path = temp.plant('agent/sessions/-p/x.jsonl', HEADER)
  expect(findBlobFolders(path).filter((folder) => folder.startsWith(temp.path))).toEqual([])
  temp.plant('agent/blobs/x', '')
  temp.plant('agent/sessions/blobs/x', '')
  temp.plant('agent/sessions/-p/blobs', 'a file')
  expect(findBlobFolders(path).filter((folder) => folder.startsWith(temp.path))).toEqual([
    join(temp.path, 'agent/sessions/blobs'),
    join(temp.path, 'agent/blobs'),
  ])
})
