import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { assistant, generation, user } from '../../wire/testing/sample-session.ts'
import { read, refusal, talk } from './testing/read.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

type Query = Readonly<Record<string, string | number>>

const context = async (sessionId: string, query: Query = {}) =>
  (await read(server, 'getContext', { sessionId }, query)).body

describe('what the model would receive', () => {
  test('T22 is the branch without what is muted, failed or on its way, and what the project adds', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2')
    await context(session.id)
    await session.append(assistant('', { id: 'a2', stopReason: 'error', errorMessage: 'Broken.' }))
    await session.append(user('last', 'u3'))
    await session.append(generation('a3'))
    await session.edit({ operations: [{ op: 'mute', nodeIds: ['a1'] }] })
    const found = await context(session.id, { leafId: 'a3' })
    expect(found).toMatchObject({ leafId: 'a3', version: session.seq, strategy: 'default', model: 'demo/demo' })
    expect(found.excluded).toEqual([
      { nodeId: 'a1', reason: 'disabled' },
      { nodeId: 'a2', reason: 'error' },
      { nodeId: 'a3', reason: 'generating' },
    ])
    expect(found.messages).toMatchObject([
      { nodeId: null, role: 'system', injectedBy: 'system-text' },
      { nodeId: 'u1', nodeIds: ['u1', 'u2', 'u3'], role: 'user', content: 'says u1\n\nsays u2\n\nlast' },
    ])
    const sum = found.messages.reduce((tokens, message) => tokens + message.tokens!, 0)
    expect(found.tokens.context).toBeGreaterThanOrEqual(sum)
    expect(found.tokens.limit).toBeGreaterThan(found.tokens.context)
  })

  test('is what is sent, word by word', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2')
    const { line } = await server.agent.preview(session)
    const { messages } = await context(session.id)
    expect(messages.map(({ role }) => role)).toEqual(line.messages.map(({ role }) => role))
    const said = line.messages.map(({ content }) =>
      content.map((part) => ('text' in part ? part.text : '')).join('\n\n'),
    )
    expect(messages.map(({ content }) => content)).toEqual(said)
  })

  test('if some were muted or not is told with its size, and nothing is changed by asking', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2', 'a2')
    await session.edit({ operations: [{ op: 'mute', nodeIds: ['a1'] }] })
    await session.append(user('word '.repeat(4_000), 'u3'))
    await session.append(
      assistant('counted', { id: 'a3', usage: { input: 9_000, output: 1_000, totalTokens: 10_000 } }),
    )
    const { id: sessionId, seq } = session
    const now = await context(sessionId)
    expect(now.tokens.context).toBe(10_000)
    const muted = await context(sessionId, { mute: 'u3,a2' })
    expect(muted.excluded.map(({ nodeId }) => nodeId)).toEqual(['a1', 'a2', 'u3'])
    expect(JSON.stringify(muted.messages)).not.toContain('word word')
    expect(muted.tokens.context).toBeLessThan(5_000)
    const unmuted = await context(sessionId, { unmute: 'a1', mute: 'a1' })
    expect(unmuted.excluded).toEqual([])
    expect(unmuted.tokens.context).toBeGreaterThan(10_000)
    expect(unmuted.tokens.context).toBeLessThan(10_100)
    expect(await context(sessionId)).toEqual(now)
    await session.edit({ operations: [{ op: 'meta', nodeId: 'u1', patch: { pinned: true } }] })
    expect(JSON.stringify((await context(sessionId, { mute: 'u1' })).messages)).not.toContain('says u1')
    await session.refresh()
    expect(session.seq).toBe(seq + 1)
  })

  test('names calls and results as parts, and what had to be mended', async () => {
    await using session = await talk(server, 'u1')
    await context(session.id)
    const call = { type: 'toolCall', id: 't1', name: 'read', arguments: { path: 'a.txt' } }
    const lost = { ...call, id: 't2' }
    const message = { role: 'assistant', content: [{ type: 'text', text: 'Look.' }, call, lost], stopReason: 'toolUse' }
    await session.append({ type: 'message', id: 'a1', message: { ...message, timestamp: 1 } })
    const content = [{ type: 'text', text: 'In the file.' }]
    const result = { role: 'toolResult', toolCallId: 't1', toolName: 'read', content, isError: false, timestamp: 1 }
    await session.append({ type: 'message', id: 'r1', message: result })
    const { messages, warnings } = await context(session.id, { leafId: 'r1' })
    expect(messages.slice(2)).toMatchObject([
      { role: 'assistant', content: 'Look.', parts: [{ type: 'text' }, { type: 'tool_call', name: 'read' }, {}] },
      { role: 'tool', nodeId: 'r1', parts: [{ type: 'tool_result', output: 'In the file.' }, { isError: true }] },
    ])
    expect(warnings).toMatchObject([{ code: 'result_missing', nodeIds: ['a1'] }])
  })

  test('is refused for a model or a strategy that is none, and for a model without a key', async () => {
    await using session = await talk(server, 'u1')
    const { id: sessionId } = session
    expect(await refusal(server, 'getContext', { sessionId }, { strategy: 'guess' })).toBe('422 validation_failed')
    expect(await refusal(server, 'getContext', { sessionId }, { model: 'nobody/none' })).toBe('422 validation_failed')
    expect(await refusal(server, 'getContext', { sessionId }, { model: 'anthropic/claude-sonnet-5' })).toBe(
      '422 validation_failed',
    )
  })
})

test('T3 two branches are compared from where they part, with what each cost', async () => {
  await using session = await talk(server, 'u1')
  const spent = (input: number) => ({ usage: { input, output: 5, cost: { total: 0.5 } }, latency: { totalMs: 100 } })
  await session.append(assistant('one', { id: 'a1', ...spent(10) }), { parentId: 'u1' })
  await session.append(user('on', 'u2'))
  await session.append(assistant('two', { id: 'a2', ...spent(20) }), { parentId: 'u1' })
  const { id: sessionId } = session
  const { body } = await read(server, 'compare', { sessionId }, { left: 'u2', right: 'a2' })
  expect(body).toMatchObject({
    version: session.seq,
    commonAncestorId: 'u1',
    left: [{ id: 'a1', content: 'one' }, { id: 'u2' }],
    right: [{ id: 'a2' }],
    metrics: { left: { tokens: 15, cost: 0.5, latencyMs: 100 }, right: { tokens: 25, cost: 0.5, latencyMs: 100 } },
  })
  expect((await read(server, 'compare', { sessionId }, { left: 'a1', right: 'a1' })).body).toMatchObject({
    commonAncestorId: 'a1',
    left: [],
    right: [],
  })
  await session.edit({ operations: [{ op: 'prune', nodeId: 'a2', include: 'self' }] })
  expect((await read(server, 'compare', { sessionId }, { left: 'a2', right: 'u1' })).body).toMatchObject({
    commonAncestorId: null,
    left: [{ id: 'a2' }],
    right: [{ id: 'u1' }],
  })
})

describe('a search in one session', () => {
  const search = async (sessionId: string, query: Query) =>
    (await read(server, 'searchSession', { sessionId }, query)).body
  const found = async (sessionId: string, query: Query) =>
    (await search(sessionId, query)).hits.map(({ nodeId }) => nodeId)

  test('finds what was just said, of a role, muted or not, and nothing of other sessions', async () => {
    await using other = await talk(server, 'u1')
    await other.append(user('the heron elsewhere', 'x1'))
    await using session = await talk(server, 'u1')
    await session.append(user('a heron by the lake', 'h1'))
    await session.append(assistant('Herons are shy.', { id: 'h2' }))
    const content = [{ type: 'text', text: 'heron.txt' }]
    const result = { role: 'toolResult', toolCallId: 't1', toolName: 'ls', content, isError: false, timestamp: 1 }
    await session.append({ type: 'message', id: 'h3', message: result })
    await session.edit({ operations: [{ op: 'mute', nodeIds: ['h2'] }] })
    const { id: sessionId } = session
    expect((await found(sessionId, { q: 'heron' })).sort()).toEqual(['h1', 'h2', 'h3'])
    expect(await found(sessionId, { q: 'heron', role: 'user' })).toEqual(['h1'])
    expect(await found(sessionId, { q: 'heron', role: 'tool' })).toEqual(['h3'])
    expect(await found(sessionId, { q: 'heron', enabled: 'false' })).toEqual(['h2'])
    expect((await found(sessionId, { q: `heron session:${other.id}` })).length).toBe(3)
    const [hit] = (await search(sessionId, { q: 'lake' })).hits
    expect(hit).toMatchObject({ sessionId, role: 'user', snippet: 'a heron by the lake', matches: [[15, 19]] })
    const pages = [await search(sessionId, { q: 'heron', limit: 2 })]
    pages.push(await search(sessionId, { q: 'heron', limit: 2, cursor: pages[0]!.nextCursor! }))
    expect(pages.map(({ hits }) => hits.length)).toEqual([2, 1])
    expect(pages[1]!.nextCursor).toBeNull()
    expect(await refusal(server, 'searchSession', { sessionId }, { q: 'x', role: 'duck' })).toBe('400 bad_request')
    expect(await refusal(server, 'searchSession', { sessionId }, { q: 'x', cursor: 'duck' })).toMatch(/^4/)
    expect(await refusal(server, 'searchSession', { sessionId: 'nobody' }, { q: 'x' })).toBe('404 session_not_found')
  })
})
