import { dirname } from 'node:path'
import { encodeHeader } from '@treeline/core'
import { expect, test } from 'vitest'
import { openMemoryStore } from '../memory-store.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { HOME, LOG_PATH, placeLog } from '../torture/place-log.ts'
import { readListedId, summariseLog } from './summary.ts'

const MIB = 1024 * 1024
const timestamp = '2026-01-15T10:00:00.000Z'

/** A log whose lines end inside of chunks as well as on their edges. */
function placeLong(sizeBytes: number) {
  const storage = createMemoryStorage()
  storage.ensureDirSync(dirname(LOG_PATH))
  const file = storage.openWriter(LOG_PATH, { flags: 'wx' })
  file.writeSync(encodeHeader({ type: 'session', version: 3, id: 'sample', timestamp, cwd: '/work' }))
  let written = 0
  let messages = 0
  for (; written < sizeBytes; messages++) {
    const content = `${messages} ${'x'.repeat(300 * 1024)}`
    const head = { type: 'message', id: `e${messages}`, parentId: null, timestamp }
    const line = Buffer.from(`${JSON.stringify({ ...head, message: { role: 'user', content } })}\n`)
    written += file.writeSync(line)
  }
  file.closeSync()
  return { storage, messages }
}

test('a long log is listed as any other, and leaves others their turns meanwhile', async () => {
  const { storage, messages } = placeLong(12 * MIB)
  await using store = await openMemoryStore({ storage, home: HOME })
  let turns = 0
  let isListed = false
  const count = () => {
    if (isListed) return
    turns++
    setImmediate(count)
  }
  setImmediate(count)
  const listed = await store.list()
  isListed = true
  expect(listed).toMatchObject([{ id: 'sample', messageCount: messages, lastActiveAt: timestamp }])
  expect(listed[0]!.firstPrompt).toMatch(/^0 xxx/)
  // One for each MiB that is read.
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('two long logs are listed at once without getting into each other', async () => {
  const [one, other] = [placeLong(8 * MIB), placeLong(5 * MIB)]
  const [first, second] = await Promise.all([one, other].map(({ storage }) => summariseLog(storage, LOG_PATH)))
  expect(first).toMatchObject({ id: 'sample', messageCount: one.messages })
  expect(second).toMatchObject({ id: 'sample', messageCount: other.messages })
})

test('the id of a long log is read from its beginning', () => {
  const { storage } = placeLong(8 * MIB)
  let readBytes = 0
  const counting = {
    ...storage,
    openReader(path: string) {
      const file = storage.openReader(path)
      const readSync = (into: Uint8Array, position: number): number => {
        const read = file.readSync(into, position)
        readBytes += read
        return read
      }
      return Object.assign(Object.create(file), {
        readSync,
        statSync: () => file.statSync(),
        closeSync: () => file.closeSync(),
      })
    },
  }
  expect(readListedId(counting, LOG_PATH)).toBe('sample')
  expect(readBytes).toBeLessThan(64 * 1024)
})

const header = { type: 'session', version: 3, id: 'sample', timestamp, cwd: '/work' }
const later = '2026-02-01T10:00:00.000Z'
const prompt = { type: 'message', id: 'e1', parentId: null, timestamp: later, message: { role: 'user', content: 'hi' } }

const summariseText = (text: string) => summariseLog(placeLog(Buffer.from(text)), LOG_PATH)

test.each([
  '  \n',
  '\r\n \r\n',
  'garbage\n',
  '{"type":"custom","id":"e2","parentId":"e1","customType":"x"}\n',
  '{"type":"custom","id":"e2","parentId":"e1","timestamp":"","customType":"x"}',
])('X72 the last activity is that of the last line that has a time, whatever follows it: %j', async (end) => {
  const { lastActiveAt } = await summariseText(`${JSON.stringify(header)}\n${JSON.stringify(prompt)}\n${end}`)
  expect(lastActiveAt).toBe(later)
})

test.each(['', 'garbage\n', '\0\0\0\0', '  \n', 'x\n'.repeat(20)])(
  'I3 a header is found behind what is none, as by whoever opens the log: %j',
  async (before) => {
    const text = `${before}${JSON.stringify(header)}\n${JSON.stringify(prompt)}\n`
    expect(await summariseText(text)).toMatchObject({ id: 'sample', cwd: '/work', firstPrompt: 'hi', messageCount: 1 })
    const storage = placeLog(Buffer.from(text))
    expect(readListedId(storage, LOG_PATH)).toBe('sample')
    await using store = await openMemoryStore({ storage, home: HOME })
    expect((await store.continueRecent({ cwd: '/work' })).id).toBe('sample')
  },
)

test('I3 an entry on the line of the header is counted, and behind an entry no header is looked for', async () => {
  const glued = `${JSON.stringify(header)}${JSON.stringify(prompt)}\n`
  expect(await summariseText(glued)).toMatchObject({ id: 'sample', entryCount: 1, messageCount: 1 })
  const late = `${JSON.stringify(prompt)}\n${JSON.stringify(header)}\n`
  expect(await summariseText(late)).toMatchObject({ id: undefined, messageCount: 1 })
})

test.each([
  ['custom', { data: { timestamp: '2099-01-01T00:00:00.000Z' } }],
  ['custom_message', { details: { timestamp: '2020-01-01T00:00:00.000Z' } }],
])('X72 a time inside of what a %s says is not when it was said', async (type, more) => {
  const line = { type, customType: 'x', ...more, id: 'e2', parentId: 'e1', timestamp: later }
  const text = [header, { ...prompt, timestamp }, line].map((value) => `${JSON.stringify(value)}\n`).join('')
  expect((await summariseText(text)).lastActiveAt).toBe(later)
})

test('X72 times of another zone are compared as what they are', async () => {
  const begun = { ...header, timestamp: '2026-01-15T19:00:00.000+09:00' }
  const said = { ...prompt, timestamp: '2026-01-15T10:00:01.000Z' }
  expect(await summariseText(`${JSON.stringify(begun)}\n${JSON.stringify(said)}\n`)).toMatchObject({
    lastActiveAt: said.timestamp,
  })
})

test('the first prompt is found where the role comes behind it, and no quoted one is taken for it', async () => {
  const behind = { ...prompt, message: { content: 'hello', role: 'user' } }
  const quoting = { ...prompt, message: { role: 'assistant', content: 'x', details: { role: 'user' } } }
  const text = [header, quoting, behind].map((value) => `${JSON.stringify(value)}\n`).join('')
  expect(await summariseText(text)).toMatchObject({ firstPrompt: 'hello', messageCount: 2 })
})

test('I7 a line longer than any is passed over in bounded memory, and counted by its beginning', async () => {
  const line = Buffer.from(`${JSON.stringify(prompt)}\n`)
  const long = `${JSON.stringify({ ...prompt, timestamp }).slice(0, 90)}${'x'.repeat(1000)}`
  const head = Buffer.from(`${JSON.stringify(header)}\n${long}`)
  const longBytes = 400 * MIB
  const size = head.length + longBytes + 1 + line.length
  // As a file of which most was never written: zeros.
  const readSync = (into: Uint8Array, at: number): number => {
    const wanted = into.subarray(0, Math.max(0, size - at))
    wanted.fill(0)
    const put = (bytes: Uint8Array, start: number): void => {
      const from = Math.max(start, at)
      const end = Math.min(start + bytes.length, at + wanted.length)
      if (from < end) wanted.set(bytes.subarray(from - start, end - start), from - at)
    }
    put(head, 0)
    put(Buffer.from('\n'), head.length + longBytes)
    put(line, size - line.length)
    return wanted.length
  }
  const storage = placeLog(Buffer.from('x'))
  const file = { ...storage.openReader(LOG_PATH), readSync, statSync: () => ({ ...storage.statSync(LOG_PATH), size }) }
  const given = { ...storage, openReader: () => ({ ...file, closeSync: () => {} }) } as SessionStorage
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }, 1)
  const before = process.memoryUsage().arrayBuffers
  const found = await summariseLog(given, LOG_PATH)
  clearInterval(watching)
  expect(found).toMatchObject({ id: 'sample', entryCount: 2, messageCount: 2, firstPrompt: 'hi', lastActiveAt: later })
  expect(most - before).toBeLessThan(200 * MIB)
})
