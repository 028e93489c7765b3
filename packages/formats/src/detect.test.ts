import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { importSession } from './import/import-session.ts'
import { openSessionFile } from './open-session-file.ts'
import { readSample } from './read-file.ts'
import { detectFormat } from './registry.ts'
import { hasShared, listFixtures, SKIPPED } from './testing/shared-fixtures.ts'
import { makeTempFolder, toText } from './testing/temp-folder.ts'

const AT = '2026-01-01T00:00:00.000Z'
const HEADER = { type: 'session', version: 3, id: '019b76da-a800-7000-8000-000000000001', timestamp: AT, cwd: '/p' }
const ENTRY = { type: 'message', id: 'a', parentId: null, timestamp: AT, message: { role: 'user', content: 'Hi' } }
const NEOVATE = {
  parentUuid: null,
  uuid: 'u',
  role: 'user',
  content: 'Hi',
  type: 'message',
  timestamp: AT,
  sessionId: 'x',
}
const FLAT = { id: '1', parentId: null, timestamp: 1, type: 'user', content: 'Hi' }
const SEED_NODE = {
  id: 'a',
  parentId: null,
  childrenIds: [],
  role: 'user',
  content: 'Hi',
  timestamp: AT,
  isEnabled: true,
}
const BUILT_NODE = { id: 'a', parentId: null, children: [], role: 'user', content: 'Hi', createdAt: AT }
const SEED = { sessionId: 's', nodes: { a: SEED_NODE }, rootNodeId: 'a', activeLeafId: 'a', title: '' }
const BUILT = { sessionId: 's', version: 1, rootNodeIds: ['a'], activeLeafId: null, nodes: { a: BUILT_NODE } }
const manyNodes = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`n${i}`, { ...SEED_NODE, id: `n${i}` }]))

const pretty = (value: unknown): string => JSON.stringify(value, undefined, 2)

/** What it is → whose it is, in the names of what is in it. */
const KNOWN: readonly (readonly [what: string, format: string, text: string])[] = [
  ['a log', 'pi', toText([HEADER, ENTRY])],
  ['a header alone', 'pi', toText([HEADER])],
  [
    'a log of version 1',
    'pi',
    toText([
      { ...HEADER, version: undefined },
      { type: 'message', timestamp: AT, message: ENTRY.message },
    ]),
  ],
  [
    'a log of version 1 that has lost its header',
    'pi',
    toText(['\0\0\0\n', { type: 'message', timestamp: AT, message: ENTRY.message }]),
  ],
  ['a log that has lost its header', 'pi', toText([ENTRY, { ...ENTRY, id: 'b', parentId: 'a', type: 'whatever' }])],
  ['a log of xcsh', 'xcsh', toText([{ ...HEADER, id: '0123456789abcdef' }, ENTRY])],
  ['a log of oh-my-pi', 'omp', toText([{ type: 'title', v: 1, title: 'T', updatedAt: AT, pad: ' ' }, HEADER, ENTRY])],
  ['Neovate', 'neovate', toText([NEOVATE])],
  [
    'Neovate, settings only',
    'neovate',
    toText([{ type: 'config', config: { approvalMode: 'default', approvalTools: [] } }]),
  ],
  ['Neovate without parents', 'neovate', toText([{ ...NEOVATE, parentUuid: undefined }])],
  ['flat records', 'generic', toText([FLAT, { ...FLAT, id: '2', parentId: '1', type: 'assistant' }])],
  [
    'flat records that say the time in words',
    'generic',
    toText([
      { ...FLAT, timestamp: AT },
      { ...FLAT, id: '2', parentId: '1', timestamp: AT },
    ]),
  ],
  ['flat records without parents', 'generic', toText([{ ...FLAT, parentId: undefined }])],
  ['flat records with line ends of Windows', 'generic', `\ufeff${JSON.stringify(FLAT)}\r\n`],
  ['a document as designed', 'comfytavern', JSON.stringify(SEED)],
  ['a document as built', 'comfytavern', pretty(BUILT)],
  ['an empty document', 'comfytavern', pretty({ sessionId: 's', rootNodeIds: [], activeLeafId: null, nodes: {} })],
  ['a long document on one line', 'comfytavern', JSON.stringify({ ...SEED, nodes: manyNodes })],
  ['a long document on many', 'comfytavern', pretty({ ...SEED, nodes: manyNodes })],
  ['a document that was cut off', 'comfytavern', pretty(SEED).slice(0, -40)],
  [
    'a document with a node called __proto__',
    'comfytavern',
    `{"nodes":{"__proto__":${JSON.stringify(BUILT_NODE)}},"rootNodeIds":["__proto__"]}`,
  ],
]

const CLAUDE = {
  parentUuid: null,
  isSidechain: false,
  cwd: '/p',
  sessionId: 'u',
  version: '1',
  type: 'user',
  message: { role: 'user', content: 'Hi' },
  uuid: 'a',
  timestamp: AT,
}
const CODEX = {
  timestamp: AT,
  type: 'response_item',
  payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
}

const UNKNOWN: readonly (readonly [what: string, text: string | Uint8Array])[] = [
  [
    'Claude Code',
    toText([
      { type: 'summary', summary: 'S', leafUuid: 'a' },
      CLAUDE,
      { ...CLAUDE, type: 'assistant', uuid: 'b', parentUuid: 'a' },
    ]),
  ],
  ['Codex', toText([{ timestamp: AT, type: 'session_meta', payload: { id: 'x', cwd: '/p' } }, CODEX])],
  [
    'Codex of old',
    toText([
      { id: 'x', timestamp: AT },
      { type: 'message', id: 'm', role: 'user', content: [] },
    ]),
  ],
  ['Gemini', pretty({ sessionId: 's', messages: [{ id: '1', timestamp: AT, type: 'user', content: 'Hi' }] })],
  ['ChatGPT', JSON.stringify([{ title: 'x', mapping: { a: { id: 'a', message: null, parent: null, children: [] } } }])],
  ['training data', toText([{ messages: [{ role: 'user', content: 'x' }] }])],
  [
    "Neovate's log of a request",
    toText([
      { type: 'metadata', timestamp: AT, requestId: 'a' },
      { type: 'chunk', requestId: 'a' },
    ]),
  ],
  ['package.json', pretty({ name: 'x', version: '1.0.0', dependencies: {} })],
  ['a read-me', '# Title\n\nWords, {"type":"session"} among them.\n'],
  [
    'a log of a server',
    toText([
      { level: 30, time: 1, pid: 1, msg: 'x' },
      { level: 30, time: 2, type: 'request', id: 'r', msg: 'y' },
    ]),
  ],
  [
    'spans of a server',
    toText([
      { type: 'request', id: '1', parentId: null, timestamp: AT },
      { type: 'response', id: '2', parentId: '1', timestamp: AT },
    ]),
  ],
  ['a graph', JSON.stringify({ nodes: { a: { parentId: null, role: 'group' } }, edges: [] })],
  ['a table', 'a,b\n1,2\n'],
  ['numbers', '1\n2\n'],
  ['a web page', '<html><body>{"type":"session","id":"x"}</body></html>'],
  ['UTF-16', Buffer.from(`\ufeff${toText([FLAT])}`, 'utf16le')],
  ['bytes', randomBytes(100_000)],
  ['nesting without end', `${'['.repeat(100_000)}\n${'{"a":'.repeat(100_000)}`],
]

test.each(KNOWN)('%s is of %s, whatever the file is called', async (_, format, text) => {
  using temp = makeTempFolder()
  await using store = await openFileStore({ home: temp.home, durability: 'written' })
  let path = temp.plant('x.jsonl', text)
  for (const name of ['session.json', 'notes.md', 'x']) {
    expect(detectFormat(readSample(path))?.name).toBe(format)
    await using opened = await openSessionFile(store, path)
    expect(opened.format).toBe(format)
    renameSync(path, join(temp.path, name))
    path = join(temp.path, name)
  }
})

test.each(UNKNOWN)("%s is nobody's: it is neither opened nor imported as something it is not", async (_, text) => {
  using temp = makeTempFolder()
  await using store = await openFileStore({ home: temp.home, durability: 'written' })
  const path = join(temp.path, 'x.jsonl')
  writeFileSync(path, text)
  expect(detectFormat(readSample(path))).toBeUndefined()
  await expect(openSessionFile(store, path)).rejects.toMatchObject({ code: 'invalid_header' })
  await expect(importSession(store, path)).rejects.toThrow(/does not look like a session of any tool/)
  expect(await store.list()).toEqual([])
})

test('an empty file is an empty session, of which there is nothing to import', async () => {
  using temp = makeTempFolder()
  await using store = await openFileStore({ home: temp.home })
  for (const text of ['', ' \n\n']) {
    const path = temp.plant('x.jsonl', text)
    await using opened = await openSessionFile(store, path)
    expect(opened.session.tree.rowCount).toBe(0)
    await expect(importSession(store, path)).rejects.toThrow(/holds no entries. There is nothing to import/)
  }
  const cut = temp.plant('x.json', pretty(SEED).slice(0, -40))
  await expect(importSession(store, cut)).rejects.toThrow(/holds no entries. The file is no JSON/)
})

/** Headers that no longer say whose they were, and files that hold nothing. */
const LOST = /header-corrupt|header-id|20-empty|20b-whitespace/

test.skipIf(!hasShared)(hasShared ? 'every file of the fixtures is of the tool that made it' : SKIPPED, () => {
  const folders = [
    ['pi', 'pi'],
    ['xcsh', 'xcsh/sessions'],
    ['omp', 'omp18/sessions'],
    ['neovate', 'neovate'],
  ] as const
  for (const [format, folder] of folders) {
    const found = listFixtures(folder).filter(([name]) => !LOST.test(name))
    expect(found.length).toBeGreaterThan(6)
    const wrong = found.filter(([, path]) => detectFormat(readSample(path))?.name !== format)
    expect(wrong.map(([name]) => name)).toEqual([])
  }
})
