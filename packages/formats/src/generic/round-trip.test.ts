import type { FlatEntry } from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFrom } from '../create-from.ts'
import type { Translation, WriteOptions } from '../format.ts'
import type { FormatNote } from '../note.ts'
import { takeSample } from '../sample.ts'
import { runs } from '../testing/runs.ts'
import { toText } from '../testing/temp-folder.ts'
import { detectGeneric } from './detect.ts'
import { readGeneric } from './read.ts'
import { genericWriter } from './write.ts'

const encoder = new TextEncoder()
const read = (...lines: readonly (object | string)[]): Translation =>
  readGeneric({ path: 'a/talk.jsonl', bytes: encoder.encode(toText(lines)) })

interface Written {
  readonly records: readonly unknown[]
  readonly text: string
  readonly notes: readonly FormatNote[]
}
async function write(session: Session, options: WriteOptions = {}): Promise<Written> {
  const pieces: string[] = []
  const notes = await genericWriter.write(session, (piece) => void pieces.push(piece), options)
  const text = pieces.join('')
  return {
    records:
      text === ''
        ? []
        : text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line)),
    text,
    notes,
  }
}

async function through<T>(translation: Translation, act: (session: Session) => Promise<T>): Promise<T> {
  await using store = await openMemoryStore()
  const problems: Error[] = []
  await using session = await createFrom(store, translation, { onLeftOut: (problem) => problems.push(problem) })
  const result = await act(session)
  expect(problems).toEqual([])
  return result
}
const roundTrip = (translation: Translation): Promise<Written> => through(translation, write)

const talk: readonly FlatEntry[] = [
  { id: '1', parentId: null, timestamp: 1_700_000_000_000, type: 'user', content: 'Hello' },
  { id: '2', parentId: '1', timestamp: 1_700_000_000_001, type: 'assistant', content: 'Hi!' },
  { id: '3', parentId: '2', timestamp: 1_700_000_000_002, type: 'tool_call', content: 'read ./config.json' },
  { id: '4', parentId: '3', timestamp: 1_700_000_000_003, type: 'tool_result', content: '{}' },
  { id: '5', parentId: '2', timestamp: 1_700_000_000_004, type: 'user', content: 'Tell me a joke' },
]

test('P9 a file is a session with the ids it has, every branch, and its leaf at the last line', async () => {
  const translation = read(...talk)
  expect(translation.sessionId).toBe('talk')
  expect(translation.createdAt).toBe('2023-11-14T22:13:20.000Z')
  expect(translation.notes).toEqual([])
  expect(translation.entries.map(({ id, parentId }) => [id, parentId])).toEqual(
    talk.map(({ id, parentId }) => [id, parentId]),
  )
  expect(translation.leafId).toBe('5')
  await through(translation, async (session) => {
    expect(session.leafId).toBe('5')
    const { messages } = await session.line({ leafId: '4' })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })
})

test('P9 a call says its tool and arguments in the metadata, or else in its words', () => {
  const call = (id: string, content: string, metadata?: object) => ({ ...talk[2], id, content, metadata })
  const { entries } = read(
    call('a', 'read ./x'),
    call('b', '{"odd": 1}'),
    call('c', 'whatever', { toolCallId: 'call_1', name: 'write', arguments: { path: 'y' } }),
    { ...talk[3], id: 'd', parentId: 'a', metadata: { toolCallId: 'call_1', isError: true } },
    { ...talk[3], id: 'e', parentId: 'a' },
  )
  const blocks = entries.map(({ message }) => message as { content: readonly object[] })
  expect(blocks.slice(0, 3).map(({ content }) => content[0])).toEqual([
    { type: 'toolCall', id: 'a', name: 'read', arguments: { input: './x' } },
    { type: 'toolCall', id: 'b', name: 'tool', arguments: { input: '{"odd": 1}' } },
    { type: 'toolCall', id: 'call_1', name: 'write', arguments: { path: 'y' } },
  ])
  expect(blocks[3]).toMatchObject({ role: 'toolResult', toolCallId: 'call_1', toolName: 'write', isError: true })
  expect(blocks[4]).toMatchObject({ role: 'toolResult', toolCallId: 'a', toolName: 'read', isError: false })
})

test('X65 parallel calls without ids are answered from the inside out, also in the line', async () => {
  const translation = read(
    { ...talk[0] },
    { ...talk[2], id: 'a', parentId: '1' },
    { ...talk[2], id: 'b', parentId: 'a' },
    { ...talk[3], id: 'r', parentId: 'b' },
    { ...talk[3], id: 's', parentId: 'r' },
  )
  const answered = translation.entries.slice(3).map(({ message }) => (message as { toolCallId: string }).toolCallId)
  expect(answered).toEqual(['b', 'a'])
})

test('P9 what is read is written back: the same records, keys in their order, fields nobody knows included', async () => {
  const odd = [
    { type: 'user', content: 'keys turned round', extra: { deep: [1, { __proto__x: 2 }] }, id: 'o1', timestamp: 5 },
    { id: 'o2', parentId: '', timestamp: 1.5, type: 'assistant', content: '', metadata: { model: 'm', tokens: 3 } },
    { id: 'o3', parentId: 'o2', timestamp: 'never', type: 'user', content: ['parts', 1] },
    { id: 'o4', parentId: 'gone', timestamp: -1, type: 'note', content: 'of another type' },
    { id: 'o5', parentId: 'o4', type: 'tool_result', content: 'no call', metadata: 'odd', partialJson: 'kept' },
    JSON.parse(
      '{"id":"o6","type":"user","content":"x","__proto__":{"a":1},"constructor":2,"metadata":{"__proto__":3}}',
    ),
  ]
  const { records } = await roundTrip(read(...talk, ...odd))
  expect(records.map((record) => JSON.stringify(record))).toEqual([...talk, ...odd].map((r) => JSON.stringify(r)))
})

test('P9 a long text and a record nested as deep as a log allows come back whole', async () => {
  const deep = JSON.parse(`{"id":"d","type":"user","content":"x","metadata":${'{"a":'.repeat(60)}1${'}'.repeat(60)}}`)
  const long = {
    id: 'l',
    parentId: 'd',
    timestamp: 1,
    type: 'user',
    content: 'word '.repeat(150_000),
    more: 'z'.repeat(6e5),
  }
  expect((await roundTrip(read(deep, long))).records).toEqual([deep, long])
})

test('G1 rings, selves, missing parents and ids that come twice are survived, told, and written back', async () => {
  const record = (id: string, parentId: string, content = id) => ({ id, parentId, timestamp: 1, type: 'user', content })
  const lines = [
    record('a', 'c'),
    record('b', 'a'),
    record('c', 'b'),
    record('self', 'self'),
    record('orphan', 'gone'),
    record('b', 'orphan', 'another b'),
    { timestamp: 1, type: 'user', content: 'no id' },
  ]
  const translation = read(...lines)
  expect(translation.entries.map(({ parentId }) => parentId)).toEqual([null, 'a', 'b', null, 'gone', 'orphan', null])
  expect(new Set(translation.entries.map(({ id }) => id)).size).toBe(7)
  expect(translation.notes.map(({ message }) => message)).toEqual([
    expect.stringContaining('has the id of line 2'),
    expect.stringContaining('has no usable id'),
    'Entry a is below itself. Here it is a root.',
    'Entry self is below itself. Here it is a root.',
    'The parent of entry orphan is missing: it is a root.',
  ])
  expect((await roundTrip(translation)).records).toEqual(lines)
})

test('an id that was taken becomes one of its own once something hangs under it', async () => {
  const twice = [talk[0]!, { ...talk[0]!, content: 'another' }]
  const { records } = await through(read(...twice), async (session) => {
    await session.append({ type: 'message', message: { role: 'user', content: 'below', timestamp: 9 } })
    return write(session)
  })
  const [, second, below] = records as readonly FlatEntry[]
  expect(second!.id).not.toBe('1')
  expect(below!.parentId).toBe(second!.id)
})

test('what hung under something missing or unknown hangs, once it is grafted, where it was put', async () => {
  const lines = [
    ...talk,
    { id: 'orphan', parentId: 'gone', timestamp: 1, type: 'user', content: 'o' },
    { id: 'note', parentId: '1', timestamp: 1, type: 'note', content: 'n' },
    { id: 'below', parentId: 'note', timestamp: 1, type: 'user', content: 'b' },
  ]
  const { records } = await through(read(...lines), async (session) => {
    await session.edit({
      operations: [
        { op: 'graft', sourceId: 'orphan', targetId: '1', mode: 'copy' },
        { op: 'graft', sourceId: 'orphan', targetId: '2', mode: 'move' },
        { op: 'graft', sourceId: 'below', targetId: '5', mode: 'move' },
      ],
    })
    return write(session)
  })
  const parentsOf = (content: string) =>
    (records as readonly FlatEntry[]).filter((one) => one.content === content).map(({ parentId }) => parentId)
  expect(parentsOf('o').sort()).toEqual(['1', '2'])
  expect(parentsOf('b')).toEqual(['5'])
  expect(parentsOf('n')).toEqual(['1'])
})

test('I3 bad lines never hide good ones: glued, torn, blank, no JSON, a torn one with a record behind it', () => {
  const [a, b, c, d] = talk.map((entry) => JSON.stringify(entry)) as [string, string, string, string]
  const { entries, notes } = read(`\ufeff${a}${b}\n\nnot json\n[1]\n${c.slice(0, 60)}${d}\r\n{"id":"x","con`)
  expect(entries.map(({ id }) => id)).toEqual(['1', '2', '4'])
  expect(notes.filter(({ kind }) => kind === 'damage').map(({ line }) => line)).toEqual([3, 4, 5, 6])
  expect(notes.some(({ message }) => message.includes('A record behind it could be read.'))).toBe(true)
})

test('X23 a line that says again what an earlier one says moves the leaf there and is no entry', () => {
  const { entries, leafId } = read(...talk, talk[3]!)
  expect(entries).toHaveLength(5)
  expect(leafId).toBe('4')
})

test('X22 an entry of a type nobody knows is the leaf where it is last', async () => {
  const lines = [talk[0]!, { id: 'n', parentId: '1', timestamp: 2, type: 'note', content: 'of another type' }]
  expect((await roundTrip(read(...lines))).records).toEqual(lines)
})

test('a header of a log is told, not taken', () => {
  const { entries, notes } = read({ type: 'session', id: 's', version: 3 }, talk[0]!)
  expect(entries).toHaveLength(1)
  expect(notes).toMatchObject([{ kind: 'left_out', line: 1 }])
})

test('any bytes are survived', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .string({
        unit: fc.constantFrom('{"id":"', '"', '}', '\n', 'a', ',"type":"user"', ',"content":"', '\\', '{', ' '),
        maxLength: 60,
      })
      .map((text) => encoder.encode(text)),
  )
  fc.assert(
    fc.property(bytes, (file) => {
      const { entries, leafId } = readGeneric({ path: 'x', bytes: file })
      expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
      expect(leafId === null || entries.some(({ id }) => id === leafId)).toBe(true)
      detectGeneric(takeSample(file, file.length))
    }),
    { numRuns: runs(300) },
  )
})

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)))
const anyRecord = fc
  .record(
    {
      id: fc.oneof(fc.nat(6).map(String), json),
      parentId: fc.oneof(fc.nat(6).map(String), fc.constantFrom(null, '', 'gone')),
      timestamp: fc.oneof(fc.nat(), json),
      type: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom('user', 'assistant', 'tool_call', 'tool_result') },
        fc.constantFrom('note', 'custom', 'message'),
      ),
      content: fc.oneof({ weight: 4, arbitrary: fc.string({ unit: 'binary' }) }, json),
      metadata: fc.oneof(fc.record({ toolCallId: fc.constantFrom('x', 'y'), name: fc.string() }), json),
      more: json,
    },
    { requiredKeys: ['type'] },
  )
  .chain((record) =>
    fc.shuffledSubarray(Object.keys(record), { minLength: Object.keys(record).length }).map((keys) => {
      return Object.fromEntries(keys.map((key) => [key, (record as Record<string, unknown>)[key]]))
    }),
  )

test('P9 any records at all come back as they were, repeats aside', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRecord, { maxLength: 12 }), async (records) => {
      const translation = read(...records)
      const firsts = new Map<unknown, string>()
      const kept = records
        .map((record) => JSON.stringify(record))
        .filter((text, i) => {
          const { id } = records[i]!
          const isRepeat = typeof id === 'string' && id !== '' && firsts.get(id) === text
          if (!firsts.has(id)) firsts.set(id, text)
          return !isRepeat
        })
      const { text } = await roundTrip({ ...translation, leafId: translation.entries.at(-1)?.id ?? null })
      expect(text.split('\n').filter((line) => line !== '')).toEqual(kept)
    }),
    { numRuns: runs(150) },
  )
})

test('detection goes by content: records of P9 are recognised, others are not', () => {
  const sureness = (...lines: readonly (object | string)[]) => {
    const bytes = encoder.encode(toText(lines))
    return detectGeneric(takeSample(bytes, bytes.length))
  }
  expect(sureness(...talk)).toBe(0.9)
  expect(sureness(...talk, 'torn{"id')).toBe(0.9)
  expect(sureness({ id: '1', type: 'user', content: 'Hello' })).toBe(0.5)
  expect(sureness({ type: 'session', id: 's', version: 3 }, { type: 'message', id: 'a', message: {} })).toBe(0)
  expect(sureness({ type: 'user', uuid: 'u', parentUuid: null, message: { role: 'user', content: 'x' } })).toBe(0)
  expect(sureness('')).toBe(0)
})
