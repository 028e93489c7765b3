import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { type AssistantMessage, newEntryId } from '@treeline/core'
import { openMemoryStore, type Session, type SessionStore } from '@treeline/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AgentEnv } from '../env.ts'
import { generate } from '../generate/generate.ts'
import { recover } from '../recovery/recover.ts'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { parentOf } from '../testing/generate-bench.ts'
import { assistantSays, userSays } from '../testing/say.ts'
import { askedText, scriptedModel } from '../testing/scripted-model.ts'
import { testEnv } from '../testing/test-env.ts'
import type { AnyTool } from '../tools/tool.ts'
import type { TurnEvent } from './events.ts'
import { runTurn, type TurnRequest } from './turn.ts'

let store: SessionStore
let session: Session
beforeEach(async () => {
  store = await openMemoryStore()
  session = await store.create({ cwd: '/project' })
})
afterEach(() => store.close())

const yolo = { ...DEFAULT_SETTINGS, approvalMode: 'yolo' as const }

async function take(
  env: AgentEnv,
  request: TurnRequest,
  onEvent?: (event: TurnEvent) => unknown,
): Promise<TurnEvent[]> {
  const events: TurnEvent[] = []
  for await (const event of runTurn(env, session, request)) {
    events.push(event)
    await onEvent?.(event)
  }
  return events
}

async function answers(): Promise<AssistantMessage[]> {
  const found: AssistantMessage[] = []
  for await (const { message } of session.entries()) {
    if ((message as AssistantMessage | undefined)?.role === 'assistant') found.push(message as AssistantMessage)
  }
  return found
}

/** A tool that needs nothing to be told. */
function optionalTool(run: (input: unknown) => unknown): AnyTool {
  return {
    name: 'clean',
    description: 'Cleans a folder, or all of them.',
    input: z.object({ path: z.string().optional() }),
    effect: 'run',
    isRepeatable: true,
    preview: () => ({ title: 'clean' }),
    run: async (input) => {
      await run(input)
      return { content: [{ type: 'text', text: 'cleaned' }] }
    },
  }
}

const callClean = { toolCalls: [{ id: 'c', name: 'clean', input: {} }] }

describe('what other tools read', () => {
  const WHOLE = {
    input: expect.any(Number),
    output: expect.any(Number),
    cacheRead: expect.any(Number),
    cacheWrite: expect.any(Number),
    totalTokens: expect.any(Number),
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  }

  test('every answer says what it took, also one that failed, was withdrawn, interrupted or has no price: Pi and xcsh stop without', async () => {
    const model = scriptedModel({ script: (_, i) => (i === 0 ? 'Good.' : { error: new Error('down') }) })
    const env = testEnv({ model })
    await take(env, { prompt: 'one' })
    await take(env, { prompt: 'two' })
    await take(env, { prompt: 'three', model: 'no/such' })
    const hooks = { beforeTurn: () => ({ action: 'cancel', reason: 'no' }) as const }
    const asked = await session.append(userSays('four'))
    await (await generate({ ...env, hooks }, session, { parentId: asked.id })).done
    const nodeId = newEntryId(() => false)
    const data = { nodeId, parentId: asked.id, model: 'scripted/one', contextVersion: 1 }
    await session.append({ type: 'custom', customType: 'treeline/generation', data }, { parentId: asked.id })
    expect((await recover(env, session)).closed).toHaveLength(1)
    const all = await answers()
    expect(all.map(({ stopReason }) => stopReason)).toEqual(['stop', 'error', 'error', 'error', 'error'])
    for (const { usage } of all) expect(usage).toEqual(WHOLE)
  })
})

describe('what is not worth a call', () => {
  test.each([[''], [' \n\t'], [[]], [[{ type: 'text' as const, text: ' ' }]]])(
    'an empty prompt (%j) is said to be one; nothing is written and no model asked',
    async (prompt) => {
      const model = scriptedModel()
      const before = session.seq
      const events = await take(testEnv({ model }), { prompt })
      expect(events).toMatchObject([
        { type: 'notice', code: 'validation_failed' },
        { type: 'ended', reason: 'failed' },
      ])
      expect(session.seq).toBe(before)
      expect(model.calls).toEqual([])
    },
  )

  test('an answer that used up its limit without a word is not asked for again', async () => {
    const model = scriptedModel({ script: () => ({ finish: 'length' }) })
    const events = await take(testEnv({ model }), { prompt: 'Think.' })
    expect(model.calls).toHaveLength(1)
    expect(events.find(({ type }) => type === 'failed')).toMatchObject({ message: expect.stringContaining('limit') })
  })
})

describe('the stash', () => {
  async function stashed(): Promise<{ readonly id: string; readonly topId: string }> {
    const { id: topId } = await session.append(userSays('one'))
    await session.append(assistantSays('1'))
    const { id } = await session.append(userSays('two'))
    await session.edit({ operations: [{ op: 'prune', nodeId: topId, include: 'descendants' }] })
    return { id, topId }
  }

  test('nothing is said or answered in it: the line would be another', async () => {
    const model = scriptedModel()
    const env = testEnv({ model })
    const { id } = await stashed()
    const before = session.seq
    await expect(take(env, { prompt: 'q', parentId: id })).rejects.toMatchObject({ code: 'node_detached' })
    await expect(take(env, { parentId: id })).rejects.toMatchObject({ code: 'node_detached' })
    expect(session.seq).toBe(before)
    expect(model.calls).toEqual([])
  })

  test('an answer that is asked for there is to what hangs there, and moves nothing', async () => {
    const model = scriptedModel()
    const { id, topId } = await stashed()
    const { done, nodeIds } = await generate(testEnv({ model }), session, { parentId: id })
    await done
    const asked = askedText(model.calls[0]!)
    expect(asked).toContain('two')
    expect(asked).not.toContain('one')
    expect(parentOf(session, nodeIds[0]!)).toBe(id)
    expect(session.leafId).toBe(topId)
  })

  test('a turn whose branch goes there ends', async () => {
    const { id: topId } = await session.append(userSays('one'))
    await session.append(assistantSays('1'))
    const model = scriptedModel({ script: (_, i) => (i === 0 ? callClean : 'Done.') })
    const prune = () => session.edit({ operations: [{ op: 'prune', nodeId: topId, include: 'descendants' }] })
    const env = testEnv({ model, settings: yolo, tools: [optionalTool(prune)] })
    const events = await take(env, { prompt: 'q' })
    expect(events.slice(-2)).toMatchObject([
      { type: 'notice', code: 'node_detached' },
      { type: 'ended', reason: 'cancelled' },
    ])
    expect(model.calls).toHaveLength(1)
  })
})

describe('what a model sends', () => {
  /** A model whose call has the input of a broken stream. */
  function brokenCall(input: string) {
    const model = scriptedModel({ script: (_, i) => (i === 0 ? callClean : 'Done.') })
    const doStream = async (question: LanguageModelV4CallOptions) => {
      const { stream } = await model.language.doStream(question)
      const broken = new TransformStream({
        transform: (part, controller) => controller.enqueue(part.type === 'tool-call' ? { ...part, input } : part),
      })
      return { stream: stream.pipeThrough(broken) }
    }
    return { ...model, language: { ...model.language, doStream } }
  }

  test.each(['{"path": "/tmp', '[]', 'null', '"x"'])(
    'a call with input that is no JSON object (%s) never runs, also where the tool needs none; the model is told',
    async (input) => {
      const ran: unknown[] = []
      const model = brokenCall(input)
      const tools = [optionalTool((got) => ran.push(got))]
      const events = await take(testEnv({ model, settings: yolo, tools }), { prompt: 'Clean.' })
      expect(ran).toEqual([])
      expect(events).toContainEqual(expect.objectContaining({ type: 'tool_done', isError: true }))
      expect(JSON.stringify(model.calls[1]?.prompt)).toContain('no JSON object')
    },
  )

  test('half a character is kept in the log and never sent: providers refuse it', async () => {
    const model = scriptedModel({
      script: (_, i) => (i === 0 ? { toolCalls: [{ id: 'c', name: 'clean', input: { path: 'a\ud83d' } }] } : 'b\ude00'),
    })
    const env = testEnv({ model, settings: yolo, tools: [optionalTool(() => {})] })
    await take(env, { prompt: 'c\ud83d' })
    await take(env, { prompt: 'fine 😀' })
    const sent = JSON.stringify(model.calls.at(-1)?.prompt)
    expect(sent).not.toMatch(/\\ud[89a-f]/)
    expect(sent).toContain('😀')
    expect((await answers()).at(-2)?.content).toEqual([{ type: 'text', text: 'b\ude00' }])
  })

  test('keys that a provider quotes do not get into the log or an event', async () => {
    const key = 'zz.odd.looking.key'
    const model = scriptedModel({ script: () => ({ error: new Error(`Incorrect API key provided: ${key}`) }) })
    const events = await take(testEnv({ model, secrets: () => [key] }), { prompt: 'one' })
    expect(JSON.stringify(events)).not.toContain(key)
    expect(JSON.stringify(await answers())).not.toContain(key)
  })
})

test('X60 a prompt longer than a line of the log is sent whole', async () => {
  const model = scriptedModel({ info: { contextWindow: 1_000_000 } })
  const prompt = `${'x'.repeat(600_000)}the end`
  await take(testEnv({ model }), { prompt })
  expect(askedText(model.calls[0]!)).toHaveLength(prompt.length)
})

describe('hooks around a turn', () => {
  test('the prompt that one gives instead is the one that is kept and sent', async () => {
    const model = scriptedModel()
    const hooks = { beforeTurn: () => ({ action: 'replace', value: 'Something else' }) as const }
    await take(testEnv({ model, hooks }), { prompt: 'What was typed' })
    expect(askedText(model.calls[0]!)).toBe('Something else')
    expect((await session.line()).messages[0]).toMatchObject({ content: [{ text: 'Something else' }] })
  })

  test('one that throws before it cancels, and nothing is written; one that throws after it is told of', async () => {
    const model = scriptedModel()
    const fail = () => {
      throw new Error('hook trouble')
    }
    const before = session.seq
    const stopped = await take(testEnv({ model, hooks: { beforeTurn: fail } }), { prompt: 'one' })
    expect(stopped).toMatchObject([{ type: 'notice' }, { type: 'ended', reason: 'cancelled' }])
    expect([session.seq, model.calls]).toEqual([before, []])
    const ended = await take(testEnv({ model, hooks: { afterTurn: fail } }), { prompt: 'one' })
    expect(ended.slice(-2)).toMatchObject([
      { type: 'notice', message: expect.stringContaining('hook trouble') },
      { type: 'ended', reason: 'stop' },
    ])
  })
})
