import type { AssistantMessage } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import type { ModelReply } from '../testing/model-server/reply.ts'
import { PROVIDERS } from '../testing/provider-models.ts'
import { endOf, expectWhole, openWireBench } from '../testing/wire-bench.ts'
import type { AnyTool } from '../tools/tool.ts'

const echo: AnyTool = {
  name: 'echo',
  description: 'Says it again.',
  input: z.object({ text: z.string() }),
  effect: 'read',
  isRepeatable: true,
  preview: ({ text }) => ({ title: `echo ${text}` }),
  run: async ({ text }) => ({ content: [{ type: 'text', text: `echoed ${text}` }] }),
}
const call = (id: string, text: string) => ({ id, name: 'echo', input: { text } })

describe.each(PROVIDERS)('a turn with %s', (provider) => {
  test('T18 a plain answer is in the tree with what it took, what it cost and who gave it', async () => {
    await using bench = await openWireBench({ provider })
    const usage = { input: 1_000, output: 50, cacheRead: 400 }
    bench.server.reply({ text: 'Grüße aus 東京 👩‍👩‍👧!', chunkChars: 3, usage })
    const events = await bench.take({ prompt: 'Hello there' })
    const types = events.map(({ type }) => type)
    expect([...new Set(types)]).toEqual(['prompted', 'started', 'delta', 'finished', 'ended'])
    const deltas = events.filter((event) => event.type === 'delta')
    expect(deltas.map(({ text }) => text).join('')).toBe('Grüße aus 東京 👩‍👩‍👧!')
    expect(deltas.length).toBeGreaterThan(3)
    let offset = 0
    for (const delta of deltas) {
      expect(delta.offset).toBe(offset)
      offset += delta.text.length
    }
    const [answer] = await bench.answers()
    const { ref, api } = await bench.env.models.open(await bench.env.models.defaultRef())
    expect(answer?.message).toMatchObject({
      api,
      content: [{ type: 'text', text: 'Grüße aus 東京 👩‍👩‍👧!' }],
      stopReason: 'stop',
      usage: { input: 600, output: 50, cacheRead: 400, totalTokens: 1_050 },
    })
    expect(`${answer?.message.provider}/${answer?.message.model}`).toBe(ref)
    // Prices of the bench: 1, 10 and 0.1 dollars for a million.
    expect(answer?.message.usage?.cost?.total).toBeCloseTo((600 + 500 + 40) / 1_000_000, 12)
    const { totalMs = -1, firstTokenMs = -1 } = answer?.message.latency ?? {}
    expect(firstTokenMs).toBeGreaterThanOrEqual(0)
    expect(totalMs).toBeGreaterThanOrEqual(firstTokenMs)
    expect(events.find(({ type }) => type === 'finished')).toMatchObject({ latencyMs: totalMs, stopReason: 'stop' })
    expect(events.at(-1)).toMatchObject({ reason: 'stop', leafId: answer?.entry.id })
    await expectWhole(bench)
  })

  test('thinking stays apart from the answer, and goes back in the next request to those who want it', async () => {
    await using bench = await openWireBench({ provider })
    bench.server.reply([{ thinking: 'Let me see. Hm.', text: 'Yes.', signature: 'U0lH' }, { text: 'Still yes.' }])
    await bench.take({ prompt: 'Is it?', thinking: 'low' })
    const [answer] = await bench.answers()
    expect(answer?.message.content).toMatchObject([
      { type: 'thinking', thinking: 'Let me see. Hm.' },
      { type: 'text', text: 'Yes.' },
    ])
    await bench.take({ prompt: 'Really?', thinking: 'low' })
    const body = JSON.stringify(bench.server.requests[1]?.body)
    expect(body).toContain('Yes.')
    if (provider === 'openai' || provider === 'anthropic') expect(body).toContain('U0lH')
    await expectWhole(bench)
  })

  test('a tool call runs, and its result is in the next request', async () => {
    await using bench = await openWireBench({ provider, env: { tools: [echo] } })
    bench.server.reply([{ text: 'I ask.', toolCalls: [call('call_a', 'one')] }, { text: 'Done.' }])
    const events = await bench.take({ prompt: 'Echo one' })
    expect(endOf(events)).toBe('stop')
    expect(resultsIn(bench.server.requests[0]?.body)).toEqual([])
    expect(resultsIn(bench.server.requests[1]?.body)).toEqual(['echoed one'])
    const { messages } = await bench.session.line()
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    const costs = (await bench.answers()).map(({ message }) => message.usage?.cost?.total)
    expect(costs.every((cost) => cost !== undefined && cost > 0)).toBe(true)
    await expectWhole(bench)
  })

  test('several calls in several steps: every request has all results so far, in order', async () => {
    await using bench = await openWireBench({ provider, env: { tools: [echo] } })
    const steps: ModelReply[] = [
      { toolCalls: [call('call_a', 'one'), call('call_b', 'two "quoted"'), call('call_c', 'three\n')] },
      { text: 'More.', toolCalls: [call('call_d', 'four')] },
      { text: 'Done.' },
    ]
    bench.server.reply(steps)
    expect(endOf(await bench.take({ prompt: 'Echo all' }))).toBe('stop')
    const first = ['echoed one', 'echoed two "quoted"', 'echoed three\n']
    expect(bench.server.requests.map(({ body }) => resultsIn(body))).toEqual([[], first, [...first, 'echoed four']])
    await expectWhole(bench)
  })

  test('input that is no JSON, and a tool nobody has, are told to the model', async () => {
    await using bench = await openWireBench({ provider, env: { tools: [echo] } })
    // Google sends objects: there the input is one that does not fit.
    const input = provider === 'google' ? { text: 7 } : '{"text": "half'
    bench.server.reply([
      {
        toolCalls: [
          { id: 'call_a', name: 'echo', input },
          { id: 'call_b', name: 'nothing', input: {} },
        ],
      },
      { text: 'Sorry.' },
    ])
    expect(endOf(await bench.take({ prompt: 'Echo' }))).toBe('stop')
    const [bad, unknown] = resultsIn(bench.server.requests[1]?.body)
    expect(bad).toContain(
      `The input of echo ${provider === 'google' ? 'is not as it has to be' : 'was no JSON object'}`,
    )
    expect(unknown).toContain('There is no tool')
    await expectWhole(bench)
  })

  test('an answer cut at its limit keeps its text, and its calls are never run', async () => {
    await using bench = await openWireBench({ provider, env: { tools: [echo] } })
    bench.server.reply({ text: 'So far', toolCalls: [call('call_a', 'one')], stop: 'length' })
    const events = await bench.take({ prompt: 'Echo' })
    expect(events.some(({ type }) => type === 'tool_started')).toBe(false)
    const [answer] = await bench.answers()
    expect(answer?.message).toMatchObject({ stopReason: 'length', content: [{ type: 'text', text: 'So far' }] })
    expect((answer!.message as AssistantMessage & { unrunCalls?: unknown[] }).unrunCalls).toHaveLength(1)
    await expectWhole(bench)
  })

  test('an answer of 5 MB is whole', async () => {
    await using bench = await openWireBench({ provider, env: { settings: { ...DEFAULT_SETTINGS, compaction: off } } })
    const text = 'All work and no play makes Jack a dull boy. '.repeat(120_000)
    bench.server.reply({ text, chunkChars: 16_384 })
    expect(endOf(await bench.take({ prompt: 'Write a novel' }))).toBe('stop')
    const [answer] = await bench.answers()
    const full = await bench.session.readFull(answer!.entry.id)
    const { content } = full!.entry.message as AssistantMessage
    // Not shown when it differs: it is 5 MB.
    expect(content.length === 1 && 'text' in content[0]! && content[0].text === text).toBe(true)
    await expectWhole(bench)
  })
})

const off = { ...DEFAULT_SETTINGS.compaction, enabled: false }

/** The texts of tool results in a request, in whatever dialect. */
function resultsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(resultsIn)
  if (typeof value !== 'object' || value === null) return []
  const fields = value as Readonly<Record<string, unknown>>
  if (fields.type === 'function_call_output') return [textIn(fields.output)]
  if (fields.type === 'tool_result' || fields.role === 'tool') return [textIn(fields.content)]
  if (fields.functionResponse !== undefined) return [textIn(fields.functionResponse)]
  return Object.values(fields).flatMap(resultsIn)
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textIn).join('')
  const { text, content, error, response } = (value ?? {}) as Readonly<Record<string, unknown>>
  return textIn(text ?? content ?? error ?? response ?? '')
}
