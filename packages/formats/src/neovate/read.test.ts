import { expect, test } from 'vitest'
import { filterMessages } from './facade/filter-messages.ts'
import { readNeovate } from './read.ts'
import { message, openTranslated, toBytes, trunkIds, writeOut } from './testing/round-trip.ts'

const call = (id: string, input: unknown = { file: id }) => ({ type: 'tool_use', id, name: 'read', input })
const result = (id: string, llmContent: unknown, more: object = {}) => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'read',
  input: { file: id },
  result: { llmContent, ...more },
})
const read = (...lines: readonly (object | string)[]) => readNeovate({ path: '/x/abc.jsonl', bytes: toBytes(lines) })

async function expectRoundTrip(...lines: readonly object[]): Promise<void> {
  await using opened = await openTranslated(toBytes(lines))
  const { records } = await writeOut(opened.session)
  expect(records.map((record) => JSON.stringify(record))).toEqual(lines.map((line) => JSON.stringify(line)))
}

test('N44 of msg1 to msg6 with msg5 under msg2, the trunk is 1, 2, 5, 6 and nothing is lost', async () => {
  const parents = [null, 'msg1', 'msg2', 'msg3', 'msg2', 'msg5']
  await using opened = await openTranslated(toBytes(parents.map((parent, i) => message(`msg${i + 1}`, parent))))
  expect(trunkIds(opened.session)).toEqual(['msg1', 'msg2', 'msg5', 'msg6'])
  expect(opened.translation.entries.map(({ id }) => id)).toEqual(['msg1', 'msg2', 'msg3', 'msg4', 'msg5', 'msg6'])
})

test('an answer has its thinking, text, calls, model and tokens, in both spellings (X16)', () => {
  const content = [{ type: 'reasoning', text: 'Hm.' }, { type: 'text', text: 'So.' }, call('c1')]
  const { entries } = read(
    message('a', null, { role: 'assistant', content, model: 'p/m/x', usage: { input_tokens: 7, output_tokens: 3 } }),
    message('b', 'a', {
      role: 'assistant',
      content: 'Hi',
      usage: { promptTokens: 4, completionTokens: 1, totalTokens: 6 },
    }),
  )
  expect(entries[0]!.message).toEqual({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'So.' },
      { type: 'toolCall', id: 'c1', name: 'read', arguments: { file: 'c1' } },
    ],
    provider: 'p',
    model: 'm/x',
    usage: { input: 7, output: 3, cacheRead: 0, cacheWrite: 0, totalTokens: 10 },
    stopReason: 'toolUse',
    timestamp: Date.parse('2025-01-15T10:00:00.000Z'),
  })
  expect(entries[1]!.message).toMatchObject({ content: [{ type: 'text', text: 'Hi' }], usage: { totalTokens: 6 } })
})

test('X69 a line with two results is a chain that ends in the id of the line, and every call has its result', async () => {
  const lines = [
    message('u', null),
    message('a', 'u', { role: 'assistant', content: [call('c1'), call('c2')], text: '' }),
    message('t', 'a', { role: 'tool', content: [result('c1', 'one'), result('c2', 'two', { isError: true })] }),
    message('b', 't', { role: 'assistant', content: [{ type: 'text', text: 'Done' }], text: 'Done' }),
  ]
  await using opened = await openTranslated(toBytes(lines))
  expect(trunkIds(opened.session)).toEqual(['u', 'a', 't.r1', 't', 'b'])
  const { messages, nodes } = await opened.session.line()
  expect(nodes.every((node) => node.in && node.repairs === undefined)).toBe(true)
  expect(
    messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content.map(({ type }) => type))),
  ).toEqual(['text', 'tool_call', 'tool_call', 'tool_result', 'tool_result', 'text'])
  await expectRoundTrip(...lines)
})

test('results of the days before October 2025 are results', async () => {
  const legacy = { type: 'tool_result', id: 'c1', name: 'read', input: {}, result: { llmContent: 'one' } }
  const lines = [
    message('a', null, { role: 'assistant', content: [call('c1')], text: '<use_tool>…</use_tool>' }),
    message('t', 'a', { content: [legacy, { type: 'text', text: 'and go on' }] }),
  ]
  const { entries } = read(...lines)
  expect(entries.map(({ id, message }) => [id, (message as { role: string }).role])).toEqual([
    ['a', 'assistant'],
    ['t.r1', 'toolResult'],
    ['t', 'user'],
  ])
  await expectRoundTrip(...lines)
})

test('of a line that is several messages, one may be muted', async () => {
  const legacy = { type: 'tool_result', id: 'c1', name: 'read', input: {}, result: { llmContent: 'one' } }
  const lines = [
    message('a', null, { role: 'assistant', content: [call('c1')], text: '' }),
    message('t', 'a', { content: [legacy, { type: 'text', text: 'and go on' }] }),
    message('z', 't'),
  ]
  const written = async (muted: string) => {
    await using opened = await openTranslated(toBytes(lines))
    await opened.session.edit({ operations: [{ op: 'mute', nodeIds: [muted] }] })
    return filterMessages((await writeOut(opened.session)).records)
  }
  expect(await written('t')).toMatchObject([
    lines[0],
    { uuid: 't.r1', role: 'tool', parentUuid: 'a' },
    { uuid: 'z', parentUuid: 't.r1' },
  ])
  const [, line] = await written('t.r1')
  expect(line).toEqual({
    ...lines[1],
    content: [
      { ...legacy, result: { llmContent: '[left out]' } },
      { type: 'text', text: 'and go on' },
    ],
  })
})

test('an image is stored once, large ones as blobs, and comes back as the data URL it was', async () => {
  const data = Buffer.alloc(3000, 7).toString('base64')
  const image = { type: 'image', data: `data:image/png;base64,${data}`, mimeType: 'image/png' }
  const lines = [message('u', null, { content: [{ type: 'text', text: 'Look' }, image] })]
  await using opened = await openTranslated(toBytes(lines))
  const entry = await opened.session.readEntry('u')
  expect(entry!.message).toMatchObject({
    content: [{}, { type: 'image', data: expect.stringMatching(/^blob:sha256:/) }],
  })
  expect(JSON.stringify(entry).length).toBeLessThan(1000)
  await expectRoundTrip(...lines)
})

test('N72 a summary is a compaction that begins anew, and is written as it was', async () => {
  const summary = { content: [{ type: 'text', text: 'In short' }], uiContent: 'Chat history compacted successfully.' }
  const lines = [
    message('u', null),
    message('a', 'u', { role: 'assistant', content: 'x', usage: { input_tokens: 900, output_tokens: 100 } }),
    message('s', null, summary),
    message('n', 's'),
  ]
  const { entries } = read(...lines)
  expect(entries[2]).toMatchObject({
    type: 'compaction',
    id: 's',
    parentId: null,
    summary: 'In short',
    tokensBefore: 1000,
  })
  await using opened = await openTranslated(toBytes(lines))
  expect((await opened.session.line()).messages).toHaveLength(1)
  await expectRoundTrip(...lines)
})

test('X4 the first config line counts, as Neovate reads it; the others are kept', async () => {
  const lines = [
    {
      type: 'config',
      config: { zeta: null, approvalMode: 'yolo', approvalTools: ['bash'], summary: 'Title' },
      more: 1,
    },
    message('u', null),
    { type: 'config', config: { approvalMode: 'autoEdit' } },
  ]
  await using opened = await openTranslated(toBytes(lines))
  expect(opened.session.config).toMatchObject({ approvalMode: 'yolo', approvalTools: ['bash'], summary: 'Title' })
  expect(opened.session.name).toBe('Title')
  expect(opened.session.leafId).toBe('u')
  await expectRoundTrip(...lines)
})

test('settings of a form nobody knows are kept and are no settings', async () => {
  const config = { approvalMode: 'whenever', approvalTools: 'all', pastedTextMap: { a: 1 }, __proto__x: [] }
  const lines = [{ type: 'config', config }, message('u', null)]
  expect(read(...lines).operations).toEqual([])
  await expectRoundTrip(...lines)
})

test('X20 of lines with one id the first has it, and all come back', async () => {
  const lines = [message('a', null), message('a', null, { content: 'again' }), message('b', 'a'), message('a', 'b')]
  const { entries, notes } = read(...lines)
  expect(entries.map(({ id, parentId }) => [id, parentId])).toEqual([
    ['a', null],
    ['a.d2', null],
    ['b', 'a'],
    ['a.d3', 'b'],
  ])
  expect(notes.map(({ kind, line, id }) => [kind, line, id])).toEqual([
    ['changed', 2, 'a.d2'],
    ['changed', 4, 'a.d3'],
  ])
  await expectRoundTrip(...lines)
})

test('X2 records glued to torn ones are found, and every other byte is told of', () => {
  const torn = JSON.stringify(message('b', 'a')).slice(0, 60)
  const text = (...records: object[]) => records.map((record) => JSON.stringify(record)).join('')
  const { entries, notes } = read(
    `${text(message('a', null))}\n`,
    `${torn}${text(message('c', 'a'))}\n`,
    `${text(message('d', 'c'), message('e', 'd'))}\r\n\r\n`,
    'garbage\n',
    `\ufeff${text(message('f', 'e'))}`,
  )
  expect(entries.map(({ id }) => id)).toEqual(['a', 'c', 'd', 'e', 'f'])
  const start = text(message('a', null)).length + 1
  expect(notes).toMatchObject([
    { kind: 'damage', line: 2, offset: start, length: torn.length },
    { kind: 'damage', line: 5, length: 7 },
  ])
})

test('lines of unknown types, roles, parts and shapes are kept', async () => {
  const lines = [
    { type: 'session', version: 3, id: 'x' },
    { type: 'title', v: 1, title: 't' },
    message('u', null, { role: 'alien', content: { deep: [1] }, hidden: true, uiContent: 'shown' }),
    { type: 'session', id: 'y', crc: '00000000' },
    { no: 'type' },
    message('v', 'u', { content: [{ type: 'hologram', x: 1 }, null, 5, { type: 'image', data: 'blob:sha256:x' }] }),
    message('w', 'v', { role: 'tool', content: 'odd' }),
    message('x', 'w', { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'n', input: 'text' }] }),
    message('y', 'x', { content: [{ type: 'text', text: '@/message/content', partialJson: '{' }], '@': '@/id' }),
    { type: 'message', uuid: '', parentUuid: '' },
  ]
  await expectRoundTrip(...lines)
  await expectRoundTrip(
    JSON.parse('{"type":"message","uuid":"p","parentUuid":null,"__proto__":{"x":1},"constructor":2}'),
  )
})

test('X21 a record nested as deep as JSON goes survives', async () => {
  const deep = (levels: number) => `${'[1,'.repeat(levels)}1${']'.repeat(levels)}`
  for (const levels of [20, 53, 60, 62, 5000]) {
    const line = JSON.stringify(message('u', null, { extra: 0 })).replace('"extra":0', `"extra":${deep(levels)}`)
    await using opened = await openTranslated(toBytes([`${line}\n`, message('v', 'u')]))
    expect(trunkIds(opened.session)).toEqual(['u', 'v'])
    const { text } = await writeOut(opened.session)
    expect(text.split('\n')[0]).toBe(line)
  }
})

test('the id and the time are those of the file, or the name of the file', () => {
  expect(read(message('u', null))).toMatchObject({ sessionId: '6a7f9b2c', createdAt: '2025-01-15T10:00:00.000Z' })
  expect(read('')).toEqual({
    sessionId: 'abc',
    identity: ['abc'],
    createdAt: '1970-01-01T00:00:00.000Z',
    cwd: undefined,
    title: undefined,
    entries: [],
    leafId: null,
    operations: [],
    notes: [],
  })
  expect(read({ ...message('u', null), timestamp: '+123456-01-01T00:00:00Z' }).createdAt).toBe(
    '1970-01-01T00:00:00.000Z',
  )
})

test('G1 thousands of lines of one id, in rings, and without parents are read in no time', () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => message(i % 3 ? 'same' : `m${i}`, `m${(i * 7 + 1) % 21_000}`))
  const started = performance.now()
  const { entries, notes } = read(...lines)
  expect(entries).toHaveLength(20_000)
  expect(notes.length).toBeLessThan(2000)
  expect(performance.now() - started).toBeLessThan(10_000)
})
