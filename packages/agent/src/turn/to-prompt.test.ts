import type { LineMessage } from '@treeline/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../testing/model-server/model-server.ts'
import { PROVIDERS, type ProviderName } from '../testing/provider-models.ts'
import { type Json, sendLine } from '../testing/send-line.ts'
import type { ReadImage } from './image-part.ts'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
  server.reply(() => ({ text: 'ok' }))
})
afterAll(() => server.close())

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const REF = `blob:sha256:${'ab'.repeat(32)}`
const noImages: ReadImage = () => Promise.resolve(undefined)
const sent = (line: readonly LineMessage[], name: ProviderName, readImage = noImages, info = {}): Promise<Json> =>
  sendLine(server, line, name, { readImage, info })

const nodeIds: readonly string[] = []
const system: LineMessage = { role: 'system', nodeIds, content: [{ type: 'text', text: 'Be brief.' }] }
const user = (text: string): LineMessage => ({ role: 'user', nodeIds, content: [{ type: 'text', text }] })
const called = (provider: string, signature: string): LineMessage => ({
  role: 'assistant',
  nodeIds,
  content: [
    { type: 'reasoning', text: 'I should look.', signature, provider },
    { type: 'text', text: 'Looking.' },
    { type: 'tool_call', toolCallId: 'c1', name: 'ls', input: { path: '.' }, signature, provider },
    { type: 'tool_call', toolCallId: 'c2', name: 'ls', input: {} },
  ],
})
const results: LineMessage = {
  role: 'tool',
  nodeIds,
  content: [
    { type: 'tool_result', toolCallId: 'c1', name: 'ls', output: [{ type: 'text', text: 'a.ts' }], isError: false },
    {
      type: 'tool_result',
      toolCallId: 'c2',
      name: 'ls',
      output: [{ type: 'text', text: 'No such file' }],
      isError: true,
    },
  ],
}
const ITEM = JSON.stringify({ type: 'reasoning', id: 'rs_7', summary: [], encrypted_content: 'ENC' })
const line = (provider: string, signature: string): readonly LineMessage[] => [
  system,
  user('What is here?'),
  called(provider, signature),
  results,
]

describe('a turn with tools goes to', () => {
  test('Anthropic with its signed thinking, results under their calls, and three cache marks', async () => {
    const mark = { cache_control: { type: 'ephemeral' } }
    const { system, messages } = await sent(line('anthropic', 'SIG'), 'anthropic')
    expect(system).toEqual([{ type: 'text', text: 'Be brief.', ...mark }])
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'What is here?', ...mark }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'I should look.', signature: 'SIG' },
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 'c1', name: 'ls', input: { path: '.' } },
          { type: 'tool_use', id: 'c2', name: 'ls', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'a.ts' },
          { type: 'tool_result', tool_use_id: 'c2', content: 'No such file', is_error: true, ...mark },
        ],
      },
    ])
  })

  test('OpenAI with its encrypted reasoning', async () => {
    const { input } = await sent(line('openai', ITEM), 'openai')
    expect(input).toEqual([
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'input_text', text: 'What is here?' }] },
      {
        type: 'reasoning',
        id: 'rs_7',
        encrypted_content: 'ENC',
        summary: [{ type: 'summary_text', text: 'I should look.' }],
      },
      { role: 'assistant', content: 'Looking.' },
      { type: 'function_call', call_id: 'c1', name: 'ls', arguments: '{"path":"."}' },
      { type: 'function_call', call_id: 'c2', name: 'ls', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'a.ts' },
      { type: 'function_call_output', call_id: 'c2', output: '{"error":"No such file"}' },
    ])
  })

  test('Google with its thought signatures', async () => {
    const { systemInstruction, contents } = await sent(line('google', 'SIG'), 'google')
    expect(systemInstruction).toEqual({ parts: [{ text: 'Be brief.' }] })
    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'What is here?' }] },
      {
        role: 'model',
        parts: [
          { text: 'I should look.', thought: true, thoughtSignature: 'SIG' },
          { text: 'Looking.' },
          { functionCall: { id: 'c1', name: 'ls', args: { path: '.' } }, thoughtSignature: 'SIG' },
          { functionCall: { id: 'c2', name: 'ls', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'c1', name: 'ls', response: { name: 'ls', content: 'a.ts' } } },
          { functionResponse: { id: 'c2', name: 'ls', response: { name: 'ls', error: 'No such file' } } },
        ],
      },
    ])
  })

  test('chat completions without any thinking', async () => {
    const { messages } = await sent(line('anthropic', 'SIG'), 'openai-compatible')
    const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'ls', arguments: args } })
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is here?' },
      { role: 'assistant', content: 'Looking.', tool_calls: [call('c1', '{"path":"."}'), call('c2', '{}')] },
      { role: 'tool', tool_call_id: 'c1', content: 'a.ts' },
      { role: 'tool', tool_call_id: 'c2', content: 'No such file' },
    ])
  })
})

test('redacted thinking goes back to Anthropic as it came', async () => {
  const answer: LineMessage = {
    role: 'assistant',
    nodeIds,
    content: [
      { type: 'reasoning', text: '', redacted: 'OPAQUE', provider: 'anthropic' },
      { type: 'text', text: 'Yes.' },
    ],
  }
  const { messages } = await sent([user('?'), answer, user('Sure?')], 'anthropic')
  expect(messages?.[1]?.content).toEqual([
    { type: 'redacted_thinking', data: 'OPAQUE' },
    { type: 'text', text: 'Yes.' },
  ])
})

describe.each(PROVIDERS)('%s', (name) => {
  const others = [...PROVIDERS.filter((other) => other !== name), 'someone-else']

  test.each(others)('never gets what %s signed', async (other) => {
    for (const signature of ['FOREIGN', ITEM.replace('ENC', 'FOREIGN')]) {
      const body = JSON.stringify(await sent(line(other, signature), name))
      expect(body).not.toContain('FOREIGN')
      expect(body).not.toContain('I should look.')
      expect(body).toContain('Looking.')
    }
  })

  test.each(['', '{', '[]', 'null', '{"id":"rs_1"}', '{"id":1,"encrypted_content":2}'])(
    'survives %j as a signature of its own',
    async (signature) => {
      expect(JSON.stringify(await sent(line(name, signature), name))).toContain('Looking.')
    },
  )

  test('gets an image as bytes, from base64 and from a blob', async () => {
    const content = [
      { type: 'text', text: 'See' },
      { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
      { type: 'image', data: REF, mimeType: 'IMAGE/PNG' },
    ] as const
    const read: ReadImage = (ref) => Promise.resolve(ref === REF ? Buffer.from(PNG) : undefined)
    const body = JSON.stringify(await sent([{ role: 'user', nodeIds, content }], name, read))
    expect(body.split(PNG.toString('base64'))).toHaveLength(3)
    expect(body).not.toContain('blob:')
  })

  test.each<[string, string, string, ReadImage, object]>([
    ['is missing', REF, 'image/png', noImages, {}],
    ['cannot be read', REF, 'image/png', () => Promise.reject(new Error('EIO')), {}],
    ['is of a type nobody takes', PNG.toString('base64'), 'image/svg+xml', noImages, {}],
    ['is no base64', 'https://example.com/a.png', 'image/png', noImages, {}],
    ['it cannot see', PNG.toString('base64'), 'image/png', noImages, { images: false }],
  ])('is told in words of an image that %s', async (_, data, mimeType, read, info) => {
    const content = [{ type: 'image', data, mimeType }] as const
    const body = JSON.stringify(await sent([{ role: 'user', nodeIds, content }], name, read, info))
    expect(body).toContain('[An image was here. It is left out: ')
    expect(body).not.toContain(data)
  })

  test('gets the image of a tool as an image, not as text', async () => {
    const data = PNG.toString('base64')
    const output = [
      { type: 'text', text: '' },
      { type: 'image', data, mimeType: 'image/png' },
    ] as const
    const shot: LineMessage = {
      role: 'tool',
      nodeIds,
      content: [
        { type: 'tool_result', toolCallId: 'c1', name: 'ls', output, isError: false },
        { type: 'tool_result', toolCallId: 'c2', name: 'ls', output: [], isError: false },
      ],
    }
    const body = await sent([user('Look'), called(name, ''), shot, user('Well?')], name)
    const text = JSON.stringify(body)
    expect(text).toContain(data)
    expect(text).not.toContain(`\\"data\\":\\"${data}`)
    expect(text).toContain('(no output)')
    if (name === 'openai-compatible') {
      expect(body.messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user'])
    }
  })
})
