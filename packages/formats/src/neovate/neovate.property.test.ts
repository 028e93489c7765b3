import { openMemoryStore } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { readNeovate } from './read.ts'
import { rescueRecords } from './rescue.ts'
import { fromTemplate, Places, toTemplate } from './template.ts'
import { message, openTranslated, toBytes, writeOut } from './testing/round-trip.ts'

const key = fc.oneof(
  fc.string({ maxLength: 5 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'type',
    'data',
    'content',
    'partialJson',
    'treelineFull',
    'crc',
    'id',
    '0',
  ),
)
const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('@', '@@', '@/id', '@/message/content', '@data:;base64,@/id', 'data:image/png;base64,AAAA', '\ud800'),
  fc.constantFrom(`blob:sha256:${'a'.repeat(64)}`, '}{"type":"message"', '{"parentUuid":null,"uuid":"z"}'),
)
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), text),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs)),
  ),
})).value
const object = fc.array(fc.tuple(key, json), { maxLength: 3 }).map((pairs): object => Object.fromEntries(pairs))

const id = fc.oneof({ weight: 9, arbitrary: fc.nat(9).map((n) => `m${n}`) }, { weight: 1, arbitrary: text })
const image = fc.base64String({ maxLength: 40 }).map((data) => `data:image/png;base64,${data}`)
const part = fc.oneof(
  fc.record({ type: fc.constant('text'), text }),
  fc.record({ type: fc.constant('reasoning'), text }),
  fc.record({ type: fc.constant('image'), data: fc.oneof(image, text), mimeType: fc.constant('image/png') }),
  fc.record({ type: fc.constant('tool_use'), id: text, name: text, input: fc.oneof(object, json) }),
  fc.record({
    type: fc.constantFrom('tool-result', 'tool_result'),
    toolCallId: text,
    id: text,
    toolName: text,
    input: object,
    result: fc.oneof(fc.record({ llmContent: fc.oneof(text, fc.array(json)), returnDisplay: json }), json),
  }),
  json,
)
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        id,
        fc.option(id),
        fc.constantFrom('user', 'assistant', 'tool', 'system', 'alien'),
        fc.oneof(text, fc.array(part, { maxLength: 4 }), json),
        object,
      )
      .map(([uuid, parent, role, content, more]) => ({ ...message(uuid, parent, { role, content }), ...more })),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('config'), config: object }) },
  { weight: 1, arbitrary: object },
)

test('any Neovate session comes back record for record, keys in their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
      const records = lines.map((record) => JSON.stringify(record))
      await using opened = await openTranslated(toBytes(records.map((record) => `${record}\n`)))
      const { text: written } = await writeOut(opened.session)
      expect(written.split('\n').filter(Boolean)).toEqual(records.map((record) => JSON.stringify(JSON.parse(record))))
    }),
    { numRuns: runs(150) },
  )
})

test('X2 any bytes are survived, and each is in a record, in a note, or white space', async () => {
  const good = toBytes([message('a', null), message('b', 'a')])
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.tuple(fc.nat(good.length), fc.nat(good.length), fc.uint8Array({ maxLength: 12 })).map(([from, to, between]) => {
      return Buffer.concat([good.subarray(0, from), between, good.subarray(to)])
    }),
  )
  await fc.assert(
    fc.asyncProperty(bytes, async (given) => {
      await using opened = await openTranslated(given)
      const { translation, session } = opened
      await session.line()
      await writeOut(session)
      const isBlank = /^[\s\ufeff\0]*$/.test(Buffer.from(given).toString())
      if (!isBlank) expect(translation.entries.length + translation.notes.length).toBeGreaterThan(0)
    }),
    { numRuns: runs(150) },
  )
})

test('a template gives back what it was made of, whatever it looks like', () => {
  fc.assert(
    fc.property(object, object, (record, entry) => {
      const places = new Places()
      for (const name of Object.keys(entry)) places.add('', entry as Record<string, unknown>, name)
      const back = fromTemplate(toTemplate(record, places), () => entry)
      expect(JSON.stringify(back)).toBe(JSON.stringify(record))
    }),
  )
})

test('G1 a line of nothing but heads, and a file of nothing but damage, are given up on soon', () => {
  const hostile = Buffer.from('{"type":"'.repeat(50_000))
  const started = performance.now()
  expect(rescueRecords(hostile, 0, hostile.length)).toEqual([])
  expect(readNeovate({ path: 'x', bytes: hostile }).entries).toEqual([])
  expect(readNeovate({ path: 'x', bytes: Buffer.from('{"garbage" of some length\n'.repeat(20_000)) }).entries).toEqual(
    [],
  )
  expect(performance.now() - started).toBeLessThan(15_000)
})

test('whatever a log holds, and says of the lines it came from, is written as lines that Neovate can read', async () => {
  const role = fc.constantFrom(
    'user',
    'assistant',
    'toolResult',
    'system',
    'bashExecution',
    'custom',
    'fileMention',
    'x',
  )
  const entry = fc.record(
    {
      type: fc.constantFrom(
        'message',
        'message',
        'message',
        'compaction',
        'custom_message',
        'branch_summary',
        'custom',
      ),
      parentId: fc.option(fc.nat(9).map((n) => `e${n}`)),
      customType: fc.constantFrom('treeline/neovate', 'x'),
      message: fc.oneof(
        json,
        fc.tuple(role, json, object).map(([is, content, more]) => ({ role: is, content, ...more })),
      ),
      content: json,
      summary: json,
      firstKeptEntryId: fc.nat(9).map((n) => `e${n}`),
      neovate: fc.oneof(
        json,
        fc.record({ record: json, parts: fc.nat(3), line: fc.constantFrom('e1', 'e2') }, { requiredKeys: [] }),
        fc.record({ record: fc.record({ type: fc.constant('config'), config: object }), settings: json }),
      ),
    },
    { requiredKeys: ['type', 'parentId'] },
  )
  const timestamp = '2026-01-01T00:00:00.000Z'
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 9 }), async (drafts) => {
      await using store = await openMemoryStore()
      const entries = drafts.map(({ type, parentId, ...fields }, i) => ({
        type,
        id: `e${i}`,
        parentId,
        timestamp,
        ...fields,
      }))
      await using session = await store.create({ entries })
      const { text: written } = await writeOut(session)
      for (const one of written.split('\n').filter(Boolean)) JSON.parse(one)
    }),
    { numRuns: runs(200) },
  )
})
