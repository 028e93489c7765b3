import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { hasShared, listFixtures, readExpected, SKIPPED } from '../../testing/shared-fixtures.ts'
import { filterMessages } from './filter-messages.ts'
import { fork } from './fork.ts'
import { History } from './history.ts'
import { loadSessionMessages } from './load-session-messages.ts'
import type { NormalizedMessage } from './normalized-message.ts'
import { Session } from './session.ts'

const at = (uuid: string, parentUuid: string | null, fields: object = {}): NormalizedMessage => ({
  uuid,
  parentUuid,
  role: 'user',
  content: uuid,
  type: 'message',
  timestamp: '2025-01-01T00:00:00.000Z',
  ...fields,
})
/** N44: msg3 and msg4 are one branch, msg5 and msg6 the other. */
const forked = [null, 'msg1', 'msg2', 'msg3', 'msg2', 'msg5'].map((parent, i) => at(`msg${i + 1}`, parent))
const uuids = (messages: readonly NormalizedMessage[]) => messages.map(({ uuid }) => uuid)

test('N44 the active path of msg1 to msg6 is 1, 2, 5, 6', () => {
  expect(uuids(filterMessages(forked))).toEqual(['msg1', 'msg2', 'msg5', 'msg6'])
  expect(filterMessages([])).toEqual([])
  expect(filterMessages([{ type: 'config' }])).toEqual([])
})

test('X20 X24 X25 a ring ends, the first of two has the id, a missing parent ends the path', () => {
  expect(uuids(filterMessages([at('a', 'b'), at('b', 'a')]))).toEqual(['a', 'b'])
  expect(uuids(filterMessages([at('a', 'a')]))).toEqual(['a'])
  const first = at('a', null, { content: 'first' })
  expect(filterMessages([first, at('a', null), at('b', 'a')])).toEqual([first, at('b', 'a')])
  expect(uuids(filterMessages([at('a', null), at('c', 'GONE'), at('d', 'c')]))).toEqual(['c', 'd'])
})

test('N17 a message hangs under the last one, gets an id and a time, and is told', async () => {
  const told: NormalizedMessage[] = []
  const history = new History({ onMessage: (message) => told.push(message) })
  const [first, second] = await Promise.all([
    history.addMessage({ role: 'user', content: 'Hello' }),
    history.addMessage({ role: 'assistant', content: 'Hi', text: 'Hi' }, 'chosen'),
  ])
  expect(Object.keys(first)).toEqual(['parentUuid', 'uuid', 'role', 'content', 'type', 'timestamp'])
  expect(first.parentUuid).toBeNull()
  expect(second).toMatchObject({ uuid: 'chosen', parentUuid: first.uuid })
  expect(told).toEqual(history.messages)
})

test('X33 a parent that is given counts, null too', async () => {
  const history = new History({ messages: forked })
  expect(await history.addMessage({ role: 'user', content: 'x', parentUuid: null })).toMatchObject({ parentUuid: null })
})

test('N38 what could not be made durable is not in the history', async () => {
  let isFull = true
  const history = new History({
    onMessage: () => {
      if (isFull) throw new Error('disk full')
    },
  })
  await expect(history.addMessage({ role: 'user', content: 'lost' })).rejects.toThrow('disk full')
  isFull = false
  expect(await history.addMessage({ role: 'user', content: 'kept' })).toMatchObject({ parentUuid: null })
  expect(history.messages).toHaveLength(1)
})

test('N22 the messages up to one of them', () => {
  const history = new History({ messages: forked })
  expect(uuids(history.getMessagesToUuid('msg4'))).toEqual(['msg1', 'msg2', 'msg3', 'msg4'])
  expect(history.getMessagesToUuid('nowhere')).toEqual([])
})

test('N59 a fork of msg3 goes on under msg2, with its text to be changed', () => {
  const chain = forked.slice(0, 4)
  expect(fork(chain, 'msg3')).toEqual({
    messages: chain.slice(0, 2),
    parentUuid: 'msg2',
    text: 'msg3',
    attachments: [],
  })
})

test('X27 a fork of the first message begins anew', async () => {
  const { messages, parentUuid } = fork(forked, 'msg1')!
  expect(parentUuid).toBeNull()
  expect(await new History({ messages }).addMessage({ role: 'user', content: 'again' })).toMatchObject({ parentUuid })
})

test('X28 X29 X30 any message of any branch: an answer is gone on below, attachments come along', () => {
  expect(fork(forked, 'msg4')).toMatchObject({ messages: forked.slice(0, 3), parentUuid: 'msg3' })
  const image = { type: 'image', data: 'data:image/png;base64,AAAA', mimeType: 'image/png' }
  const parts = [{ type: 'text', text: 'one ' }, image, { type: 'text', text: 'two' }]
  const messages = [at('u', null, { content: parts }), at('a', 'u', { role: 'assistant' })]
  expect(fork(messages, 'u')).toEqual({ messages: [], parentUuid: null, text: 'one two', attachments: [image] })
  expect(fork(messages, 'a')).toEqual({ messages, parentUuid: 'a', text: '', attachments: [] })
})

test('N53 a fork of what is not there changes nothing and says so', () => {
  const logged: string[] = []
  expect(fork(forked, 'x', (line) => logged.push(line))).toBeUndefined()
  expect(logged).toEqual(['Fork error: Message x not found'])
})

test('N21 X71 system messages are themselves; an answer without text is told by its parts', () => {
  const parts = [
    { type: 'reasoning', text: 'no' },
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ]
  const messages = [at('s', null, { role: 'system' }), at('a', 's', { role: 'assistant', content: parts })]
  expect(new History({ messages }).toAgentInput()).toEqual([
    { role: 'system', content: 's' },
    { role: 'assistant', content: [{ type: 'output_text', text: 'ab' }] },
  ])
})

test('unknown parts, and results with images, are passed on', () => {
  const image = { type: 'image', data: 'data:image/png;base64,AAAA', mimeType: 'image/png' }
  const result = { llmContent: [{ type: 'text', text: 'seen' }, image] }
  const content = [{ type: 'tool-result', toolCallId: 'c', toolName: 'look', input: {}, result }]
  const history = new History({
    messages: [at('t', null, { role: 'tool', content }), at('u', 't', { content: [{ type: 'x' }] })],
  })
  expect(history.toLanguageV2Messages()).toEqual([
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c',
          toolName: 'look',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'seen' },
              { type: 'media', data: 'AAAA', mediaType: 'image/png' },
            ],
          },
        },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: '[x]' }] },
  ])
  expect(history.toAgentInput()).toEqual([
    {
      role: 'user',
      content: [
        { type: 'input_text', text: '[look for {}] result: \n<function_results>\nseen\n</function_results>' },
        { type: 'input_image', image: image.data, providerData: { mime_type: 'image/png' } },
      ],
    },
    { role: 'user', content: [{ type: 'x' }] },
  ])
})

test('X17 N8 ids of sessions are whole UUIDs of version 7; usage is that of the answers', () => {
  const ids = new Set(Array.from({ length: 1000 }, () => Session.createSessionId()))
  expect(ids.size).toBe(1000)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const session = Session.create()
  session.updateHistory(
    new History({
      messages: [
        at('a', null, { role: 'assistant', usage: { input_tokens: 10, output_tokens: 2 } }),
        at('b', 'a', { role: 'assistant', usage: { promptTokens: 5, completionTokens: 1, totalTokens: 6 } }),
      ],
    }),
  )
  expect(session.usage).toEqual({ promptTokens: 15, completionTokens: 3, totalTokens: 18, requests: 2 })
})

describe.skipIf(!hasShared)(hasShared ? 'as Neovate 0.17.1 itself has it' : SKIPPED, () => {
  test.each(listFixtures('neovate'))('N40 %s', async (_, path) => {
    const answer = readExpected(path)
    const messages = await loadSessionMessages({ logPath: path })
    if (answer.messages === undefined) return
    expect(messages).toEqual(answer.messages)
    const history = new History({ messages })
    expect(history.toLanguageV2Messages()).toEqual(answer.toLanguageV2Messages)
    if (answer.toAgentInput !== undefined) expect(history.toAgentInput()).toEqual(answer.toAgentInput)
  })

  test('X2 what Neovate cannot open is opened', async () => {
    const logPath = listFixtures('neovate').find(([name]) => name.includes('torn-tail'))![1]
    const before = readFileSync(logPath)
    const session = await Session.resume({ id: '6a7f9b2c', logPath })
    expect(uuids(session.history.messages)).toEqual(['a', 'b'])
    expect(readFileSync(logPath)).toEqual(before)
  })
})
