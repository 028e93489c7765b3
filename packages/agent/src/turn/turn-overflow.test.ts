import { describe, expect, test } from 'vitest'
import { SUMMARY_SYSTEM } from '../compaction/summary-prompts.ts'
import type { AgentEnv } from '../env.ts'
import type { ModelInfo } from '../models/model.ts'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import type { ReceivedRequest } from '../testing/model-server/model-server.ts'
import type { ModelReply } from '../testing/model-server/reply.ts'
import { PROVIDERS, type ProviderName } from '../testing/provider-models.ts'
import { endOf, expectGoesOn, expectWhole, openWireBench, type WireBench } from '../testing/wire-bench.ts'
import type { TurnEvent } from './events.ts'

const TURNS = 8
const SUMMARY = '## Goal\nThe SUMMARY of all that.'
const overflow: ModelReply = { fault: { type: 'overflow' } }

/** A conversation that has something to compact. */
async function openLong(
  provider: ProviderName,
  env: Partial<AgentEnv> = {},
  info: Partial<ModelInfo> = {},
): Promise<WireBench> {
  const bench = await openWireBench({ provider, env, info })
  const { session } = bench
  for (let i = 0; i < TURNS; i++) {
    const text = `old turn ${i} ${'word '.repeat(300)}`
    const answer = { role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop', timestamp: 1 }
    await session.append({ type: 'message', message: { role: 'user', content: text, timestamp: 1 } })
    await session.append({ type: 'message', message: answer })
  }
  return bench
}

/** What is asked for a summary, in as many pieces as it may be, gets one; what is asked for an answer gets the next. */
function answering(
  { server }: WireBench,
  answers: readonly ModelReply[],
  summary: ModelReply = { text: SUMMARY },
): void {
  let next = 0
  server.reply((request) => (isForSummary(request) ? summary : answers[Math.min(next++, answers.length - 1)]!))
}

const isForSummary = ({ body }: ReceivedRequest) => JSON.stringify(body).includes(SUMMARY_SYSTEM.slice(0, 40))
/** Requests for an answer, in order, as text. */
const askedFor = ({ server }: WireBench) =>
  server.requests.filter((request) => !isForSummary(request)).map(({ body }) => JSON.stringify(body))

const typesOf = (events: readonly TurnEvent[]) => events.map(({ type }) => type).filter((type) => type !== 'delta')

async function compactions({ entries }: WireBench) {
  return (await entries()).filter(({ type }) => type === 'compaction')
}

describe.each(PROVIDERS)('a conversation that is too long for %s', (provider) => {
  test('X60 is compacted once and the prompt answered, in the same turn', async () => {
    await using bench = await openLong(provider)
    answering(bench, [overflow, { text: 'It fits.' }])
    const events = await bench.take({ prompt: 'The PROMPT' })
    expect(typesOf(events)).toEqual([
      ...['prompted', 'started', 'failed', 'compacting', 'compacted'],
      ...['started', 'finished', 'ended'],
    ])
    expect(endOf(events)).toBe('stop')
    expect(bench.waits).toEqual([])
    const [before, after] = askedFor(bench)
    expect(before).toContain('old turn 0')
    expect(after).toContain('SUMMARY')
    expect(after).toContain('The PROMPT')
    expect(after).not.toContain('old turn 0')
    expect(await compactions(bench)).toHaveLength(1)
    const [failed, answer] = (await bench.answers()).slice(TURNS)
    expect(failed?.message).toMatchObject({ stopReason: 'error', errorCode: 'context_overflow' })
    expect(answer?.message).toMatchObject({ stopReason: 'stop', content: [{ text: 'It fits.' }] })
    expect(bench.session.leafId).toBe(answer?.entry.id)
    await expectWhole(bench)
    await expectGoesOn(bench)
    expect(askedFor(bench)[2]).not.toContain('old turn 0')
  })

  test('and still is when it was compacted: no second try, and the conversation goes on', async () => {
    await using bench = await openLong(provider)
    answering(bench, [overflow])
    const events = await bench.take({ prompt: 'Go' })
    expect(endOf(events)).toBe('failed')
    expect(askedFor(bench)).toHaveLength(2)
    const failed = (await bench.answers()).slice(TURNS)
    expect(failed.map(({ message }) => message.errorCode)).toEqual(['context_overflow', 'context_overflow'])
    expect(await compactions(bench)).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ leafId: bench.session.leafId })
    await expectWhole(bench)
    await expectGoesOn(bench)
  })

  test('stays as it is when no summary can be had: a notice, and the failed answer', async () => {
    await using bench = await openLong(provider)
    answering(bench, [overflow], { fault: { type: 'unauthorized' } })
    const events = await bench.take({ prompt: 'Go' })
    expect(endOf(events)).toBe('failed')
    expect(events.find(({ type }) => type === 'notice')).toMatchObject({ code: 'unauthorized' })
    expect(await compactions(bench)).toEqual([])
    await expectWhole(bench)
    await expectGoesOn(bench)
    expect(askedFor(bench)[1]).toContain('old turn 0')
  })

  test('with nothing to leave out, or where nobody wants it compacted, fails at once', async () => {
    const settings = { ...DEFAULT_SETTINGS, compaction: { ...DEFAULT_SETTINGS.compaction, enabled: false } }
    for (const bench of [await openWireBench({ provider }), await openLong(provider, { settings })]) {
      await using _ = bench
      bench.server.reply(overflow)
      expect(endOf(await bench.take({ prompt: 'Go' }))).toBe('failed')
      expect(bench.server.requests).toHaveLength(1)
      expect(await compactions(bench)).toEqual([])
      await expectGoesOn(bench)
    }
  })

  test('can be cancelled at every event', async () => {
    let length = 1
    for (let cancelAt = 0; cancelAt < length; cancelAt++) {
      await using bench = await openLong(provider)
      answering(bench, [overflow])
      const events = await bench.take({ prompt: 'Go', cancelAt })
      length = Math.max(length, events.length)
      // From the second failure on there is nothing left to cancel.
      const isLate = events.slice(0, cancelAt + 1).filter(({ type }) => type === 'failed').length === 2
      if (!isLate) expect(endOf(events)).toBe('cancelled')
      await expectWhole(bench)
      await expectGoesOn(bench)
    }
    expect(length).toBeGreaterThan(6)
  })
})

test('a cancel while the summary is being written changes nothing and ends the turn', async () => {
  await using bench = await openLong('anthropic')
  answering(bench, [overflow], { fault: { type: 'silent' } })
  const stop = new AbortController()
  const turn = bench.take({ prompt: 'Go', signal: stop.signal })
  const summary = await bench.server.request(1)
  stop.abort()
  expect(endOf(await turn)).toBe('cancelled')
  await summary.closed
  expect(await compactions(bench)).toEqual([])
  await expectWhole(bench)
  await expectGoesOn(bench)
})

test('a conversation about to be too long is compacted before it is sent', async () => {
  await using bench = await openLong('openai', {}, { contextWindow: 6_000, maxOutput: 1_000 })
  answering(bench, [{ text: 'It fits.' }])
  const events = await bench.take({ prompt: 'The PROMPT' })
  expect(typesOf(events)).toEqual(['prompted', 'compacting', 'compacted', 'started', 'finished', 'ended'])
  const [body] = askedFor(bench)
  expect(body).toContain('The PROMPT')
  expect(body).not.toContain('old turn 0')
  await expectWhole(bench)
})
