import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { freePort, serveLoopback } from '../testing/loopback-server.ts'
import type { ModelReply } from '../testing/model-server/reply.ts'
import { PROVIDERS, type ProviderName } from '../testing/provider-models.ts'
import { endOf, expectGoesOn, expectWhole, openWireBench, type WireBench } from '../testing/wire-bench.ts'
import type { TurnEvent } from './events.ts'

interface FaultCase {
  readonly reply: ModelReply
  readonly code: string
  readonly isRetried: boolean
  /** What is kept of every attempt; a fault without text is retried in the same node. */
  readonly kept?: string
}

const said = { text: 'one two three four', chunkChars: 4 }
const call = (id: string) => ({ id, name: 'nothing', input: { text: 'some input' } })
const broken = { code: 'provider_error', isRetried: true }
const FAULTS: Readonly<Record<string, FaultCase>> = {
  'cut at once': { ...broken, reply: { ...said, fault: { type: 'cut', after: 0 } } },
  'cut in the middle': { ...broken, reply: { ...said, fault: { type: 'cut', after: 2 } }, kept: 'one two ' },
  'cut while it calls tools': {
    ...broken,
    reply: { toolCalls: [call('call_a'), call('call_b')], chunkChars: 4, fault: { type: 'cut', after: 1 } },
  },
  'half an event': { ...broken, reply: { ...said, fault: { type: 'malformed_json', after: 2 } }, kept: 'one two ' },
  'an end that is none': { ...broken, reply: { ...said, fault: { type: 'no_finish' } }, kept: said.text },
  'overloaded in the stream': {
    ...broken,
    reply: { ...said, fault: { type: 'stream_error', after: 2 } },
    kept: 'one two ',
  },
  'overloaded before the first word': { ...broken, reply: { ...said, fault: { type: 'stream_error', after: 0 } } },
  overloaded: { ...broken, reply: { fault: { type: 'overloaded' } } },
  'an error page': { ...broken, reply: { fault: { type: 'server_error' } } },
  'a page instead of a stream': { ...broken, reply: { fault: { type: 'wrong_type' } } },
  'an empty answer': { ...broken, reply: {} },
  'too many requests': {
    code: 'rate_limited',
    isRetried: true,
    reply: { fault: { type: 'rate_limit', headers: { 'retry-after': '7' } } },
  },
  'a wrong key': { code: 'unauthorized', isRetried: false, reply: { fault: { type: 'unauthorized' } } },
  'no such model': { code: 'validation_failed', isRetried: false, reply: { fault: { type: 'no_model' } } },
  'a refusal': { code: 'provider_error', isRetried: false, reply: { fault: { type: 'content_filter' } } },
  'a filtered answer': {
    code: 'provider_error',
    isRetried: false,
    reply: { ...said, stop: 'filter' },
    kept: said.text,
  },
}
const { maxRetries } = DEFAULT_SETTINGS.retry
const once = { ...DEFAULT_SETTINGS, retry: { ...DEFAULT_SETTINGS.retry, enabled: false } }

const twice = { ...DEFAULT_SETTINGS, retry: { ...DEFAULT_SETTINGS.retry, maxRetries: 1 } }

/** What is written of answers: text, code, and how often each was retried. */
async function written({ answers }: WireBench): Promise<readonly (readonly [string, unknown, number])[]> {
  return (await answers()).map(({ message }) => {
    const { retries = [] } = message as { readonly retries?: readonly unknown[] }
    return [textOf(message.content), message.errorCode, retries.length]
  })
}

function textOf(content: readonly { readonly type: string }[]): string {
  return content.map((block) => ('text' in block ? block.text : '')).join('')
}

const typesOf = (events: readonly TurnEvent[]) => events.map(({ type }) => type)
const ofType = <T extends TurnEvent['type']>(events: readonly TurnEvent[], type: T) =>
  events.filter((event): event is Extract<TurnEvent, { type: T }> => event.type === type)

describe.each(PROVIDERS)('%s fails', (provider) => {
  test.each(Object.entries(FAULTS))(
    'always with %s: coded, written down, and the conversation goes on',
    async (_, fault) => {
      const { reply, code, isRetried, kept } = fault
      await using bench = await openWireBench({ provider })
      bench.server.reply(() => reply)
      const events = await bench.take({ prompt: 'Go' })
      const calls = isRetried ? maxRetries + 1 : 1
      expect(endOf(events)).toBe('failed')
      expect(bench.server.requests).toHaveLength(calls)
      expect(bench.waits).toHaveLength(calls - 1)
      expect(ofType(events, 'retrying').map((event) => [event.attempt, event.code, event.delayMs])).toEqual(
        bench.waits.map((ms, i) => [i + 1, code, ms]),
      )
      if (kept === undefined) expect(await written(bench)).toEqual([['', code, calls - 1]])
      else {
        const attempts = Array.from({ length: calls }, (_, i) => [kept, code, i < calls - 1 ? 1 : 0])
        expect(await written(bench)).toEqual(attempts)
      }
      // Beside each other, each a failed answer to the same prompt.
      const starts = ofType(events, 'started')
      expect(new Set(starts.map(({ parentId }) => parentId)).size).toBe(1)
      expect((await bench.answers()).map(({ entry }) => entry.id)).toEqual(starts.map(({ nodeId }) => nodeId))
      expect(events.at(-1)).toMatchObject({ leafId: bench.session.leafId })
      expect((await bench.session.line()).messages.map(({ role }) => role)).toEqual(['user'])
      await expectWhole(bench)
      await expectGoesOn(bench)
    },
  )

  test.each(Object.entries(FAULTS).filter(([, { isRetried }]) => isRetried))(
    'once with %s: the repeated call answers, and what failed can be read',
    async (_, { reply, code, kept }) => {
      await using bench = await openWireBench({ provider })
      bench.server.reply([reply, { text: 'Whole.' }])
      const events = await bench.take({ prompt: 'Go' })
      expect(endOf(events)).toBe('stop')
      const failed = kept === undefined ? [] : [[kept, code, 1]]
      expect(await written(bench)).toEqual([...failed, ['Whole.', undefined, kept === undefined ? 1 : 0]])
      expect(bench.session.leafId).toBe(ofType(events, 'finished')[0]?.nodeId)
      expect((await bench.session.line()).messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
      // What failed is not told to the model.
      expect(bench.server.requests[1]?.body).toEqual(bench.server.requests[0]?.body)
      await expectWhole(bench)
      await expectGoesOn(bench)
    },
  )

  test('a wait it asks for is asked of the clock and written down', async () => {
    await using bench = await openWireBench({ provider })
    const wish = (seconds: string) => ({ 'retry-after': seconds })
    bench.server.reply([
      { fault: { type: 'rate_limit', headers: wish('7') } },
      { fault: { type: 'overloaded', headers: wish('3') } },
      { text: 'At last.' },
    ])
    const events = await bench.take({ prompt: 'Go' })
    // Half of the base delay on top: the bench's chance is always a half.
    expect(bench.waits).toEqual([8_000, 4_000])
    const [answer] = await bench.answers()
    expect(answer?.message).toMatchObject({
      stopReason: 'stop',
      retries: [
        { code: 'rate_limited', delayMs: 8_000 },
        { code: 'provider_error', delayMs: 4_000 },
      ],
    })
    const { retries } = answer!.message as unknown as { retries: readonly { at: string; message: string }[] }
    for (const { at, message } of retries) {
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.now())
      expect(message).toMatch(/\S/)
    }
    expect(typesOf(events)).toEqual(['prompted', 'started', 'retrying', 'retrying', 'delta', 'finished', 'ended'])
  })

  test('a wait beyond the user’s patience is not waited for', async () => {
    await using bench = await openWireBench({ provider })
    bench.server.reply({ fault: { type: 'rate_limit', headers: { 'retry-after': '3600' } } })
    expect(endOf(await bench.take({ prompt: 'Go' }))).toBe('failed')
    expect(bench.waits).toEqual([])
    expect((await bench.answers())[0]?.message.errorMessage).toContain('3600 s')
    await expectGoesOn(bench)
  })

  test('bytes that are no UTF-8 spoil only themselves', async () => {
    await using bench = await openWireBench({ provider })
    bench.server.reply({ text: 'before', fault: { type: 'bad_utf8' } })
    expect(endOf(await bench.take({ prompt: 'Go' }))).toBe('stop')
    expect((await written(bench))[0]?.[0]).toMatch(/^before\ufffd+\(?$/)
    await expectWhole(bench)
  })

  test('by sending garbage: coded, and the conversation goes on elsewhere', async () => {
    await using garbage = await serveLoopback((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(randomBytes(64 * 1024))
    })
    await using bench = await openWireBench({ provider, url: garbage.url })
    expect(endOf(await bench.take({ prompt: 'Go' }))).toBe('failed')
    expect(garbage.asked).toHaveLength(maxRetries + 1)
    expect(await written(bench)).toEqual([['', 'provider_error', maxRetries]])
    await expectWhole(bench)
  })

  test('by being gone: the message says where nobody answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    await using bench = await openWireBench({ provider, url })
    expect(endOf(await bench.take({ prompt: 'Go' }))).toBe('failed')
    expect(bench.waits).toHaveLength(maxRetries)
    const [answer] = await bench.answers()
    expect(answer?.message).toMatchObject({ stopReason: 'error', errorCode: 'provider_error' })
    expect(answer?.message.errorMessage).toContain(`nothing answers at ${url}`)
    await expectWhole(bench)
  })

  test('by garbage or by being gone, and is cancelled then: it ends at once', async () => {
    await using garbage = await serveLoopback((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(randomBytes(64 * 1024))
    })
    for (const url of [garbage.url, `http://127.0.0.1:${await freePort()}`]) {
      await using bench = await openWireBench({ provider, url })
      const events = await bench.take({ prompt: 'Go', cancelAt: 2 })
      expect(typesOf(events)).toEqual(['prompted', 'started', 'retrying', 'failed', 'ended'])
      expect(endOf(events)).toBe('cancelled')
      await expectWhole(bench)
    }
  })

  test('without retries wanted: once', async () => {
    await using bench = await openWireBench({ provider, env: { settings: once } })
    bench.server.reply({ fault: { type: 'overloaded' } })
    expect(endOf(await bench.take({ prompt: 'Go' }))).toBe('failed')
    expect(bench.server.requests).toHaveLength(1)
    await expectGoesOn(bench)
  })
})

/** Long enough that a busy machine is not taken for a silent server; all providers wait at once. */
const STALL_MS = 1_000

test('a server that says nothing, or no more, is given up; what it said is kept, and it hears of it', async () => {
  const settings = { ...once, stallMs: STALL_MS }
  const gate = (index: number) => (index < 2 ? Promise.resolve() : new Promise<void>(() => {}))
  const replies: readonly ModelReply[] = [{ fault: { type: 'silent' } }, { ...said, fault: { type: 'slow', gate } }]
  const stall = async (provider: ProviderName, reply: ModelReply) => {
    await using bench = await openWireBench({ provider, env: { settings } })
    bench.server.reply(reply)
    expect(endOf(await bench.take({ prompt: 'Go' }))).toBe('failed')
    const kept = reply.fault?.type === 'slow' ? 'one two ' : ''
    expect(await written(bench)).toEqual([[kept, 'provider_error', 0]])
    expect((await bench.answers())[0]?.message.errorMessage).toContain('said nothing for 1 s')
    await (await bench.server.request(0)).closed
    await expectWhole(bench)
    await expectGoesOn(bench)
  }
  await Promise.all(PROVIDERS.flatMap((provider) => replies.map((reply) => stall(provider, reply))))
})

describe.each(PROVIDERS)('a cancel of %s', (provider) => {
  test.each(Object.entries(FAULTS))('at every event of %s leaves a whole tree', async (_, { reply }) => {
    let length = 1
    for (let cancelAt = 0; cancelAt < length; cancelAt++) {
      await using bench = await openWireBench({ provider, env: { settings: twice } })
      bench.server.reply(() => reply)
      const events = await bench.take({ prompt: 'Go', cancelAt })
      length = Math.max(length, events.length)
      // The end itself, and the failure it tells of, come too late to be cancelled.
      const isLate = ['ended', 'failed'].includes(events[cancelAt]!.type)
      if (!isLate) expect(endOf(events)).toBe('cancelled')
      const open = ofType(events, 'started').length
      expect(ofType(events, 'failed')).toHaveLength(open)
      await expectWhole(bench)
      await expectGoesOn(bench)
    }
    expect(length).toBeGreaterThan(3)
  })

  test('while it is silent, or slow, keeps what came, and it hears of it', async () => {
    const gate = (index: number) => (index < 2 ? Promise.resolve() : new Promise<void>(() => {}))
    for (const fault of [{ type: 'silent' as const }, { type: 'slow' as const, gate }]) {
      await using bench = await openWireBench({ provider })
      bench.server.reply({ ...said, fault })
      const stop = new AbortController()
      let text = ''
      const turn = bench.take({
        prompt: 'Go',
        signal: stop.signal,
        onEvent: (event) => {
          if (event.type === 'delta') text += event.text
          if (text === 'one two ') stop.abort()
        },
      })
      const request = await bench.server.request(0)
      if (fault.type === 'silent') stop.abort()
      expect(endOf(await turn)).toBe('cancelled')
      await request.closed
      const [answer] = await bench.answers()
      expect(answer?.message.stopReason).toBe('aborted')
      expect(textOf(answer?.message.content ?? [])).toBe(fault.type === 'silent' ? '' : 'one two ')
      await expectWhole(bench)
      await expectGoesOn(bench)
    }
  })
})
