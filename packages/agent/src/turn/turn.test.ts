import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type AssistantMessage, type Entry, TreelineError } from '@treeline/core'
import {
  createMemoryStorage,
  openMemoryStore,
  type Session,
  type SessionStorage,
  type SessionStore,
} from '@treeline/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AgentEnv } from '../env.ts'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { askedText, partsOf, type ScriptedAnswer, scriptedModel } from '../testing/scripted-model.ts'
import { testEnv } from '../testing/test-env.ts'
import type { AnyTool } from '../tools/tool.ts'
import type { TurnEvent } from './events.ts'
import { readPartial } from './partial-text.ts'
import { runTurn, type TurnRequest } from './turn.ts'

let store: SessionStore
let session: Session
beforeEach(async () => {
  store = await openMemoryStore()
  session = await store.create({ cwd: '/project' })
})
afterEach(() => store.close())

async function take(env: AgentEnv, request: TurnRequest): Promise<TurnEvent[]> {
  const events: TurnEvent[] = []
  for await (const event of runTurn(env, session, request)) events.push(event)
  return events
}

const typesOf = (events: readonly TurnEvent[]) => events.map(({ type }) => type)
const endOf = (events: readonly TurnEvent[]) => {
  const last = events.at(-1)
  return last?.type === 'ended' ? last.reason : last?.type
}

async function listEntries(of: Session): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const entry of of.entries()) found.push(entry)
  return found
}

async function messages(): Promise<Readonly<Record<string, unknown>>[]> {
  const found: Readonly<Record<string, unknown>>[] = []
  for await (const entry of session.entries()) {
    if (entry.type === 'message') found.push(entry.message as Record<string, unknown>)
  }
  return found
}

const answering = (...answers: (string | ScriptedAnswer)[]) =>
  scriptedModel({ script: (_, i) => answers[Math.min(i, answers.length - 1)]! })

const noted: string[] = []
const note: AnyTool = {
  name: 'note',
  description: 'Notes a text.',
  input: z.object({ text: z.string() }),
  effect: 'run',
  isRepeatable: false,
  preview: ({ text }) => ({ title: `note ${text}` }),
  run: async ({ text }) => {
    noted.push(text)
    return { content: [{ type: 'text', text: `noted ${text}` }] }
  },
}
const yolo = { ...DEFAULT_SETTINGS, approvalMode: 'yolo' as const }
const callNote = (id: string, text: string) => ({ id, name: 'note', input: { text } })

describe('a plain turn', () => {
  test('D6 the prompt and the announcement are durable before the model is called', async () => {
    let seen: Entry[] = []
    const model = scriptedModel({
      script: async () => {
        await using other = await store.open(session.id)
        seen = await listEntries(other)
        return 'Hello.'
      },
    })
    const events = await take(testEnv({ model }), { prompt: 'Hi' })
    expect(seen.map(({ type, customType }) => customType ?? type)).toEqual(['message', 'treeline/generation'])
    expect(typesOf(events)).toEqual(['prompted', 'started', 'delta', 'finished', 'ended'])
    expect(endOf(events)).toBe('stop')
  })

  test('T18 the answer says what it cost, how long it took and who gave it', async () => {
    const prices = { input: 1, output: 10 }
    const model = scriptedModel({
      script: () => ({ text: 'Hi.', usage: { input: 1000, output: 100 } }),
      info: { prices },
    })
    await take(testEnv({ model }), { prompt: 'Hi' })
    const answer = (await messages())[1] as unknown as AssistantMessage
    expect(answer).toMatchObject({
      provider: 'scripted',
      model: 'one',
      stopReason: 'stop',
      usage: { input: 1000, output: 100 },
    })
    expect(answer.usage?.cost?.total).toBeCloseTo(0.002)
    expect(answer.latency?.totalMs).toBeGreaterThanOrEqual(0)
  })

  test('the leaf is at the answer, and the next turn goes on from there', async () => {
    const model = answering('One.', 'Two.')
    await take(testEnv({ model }), { prompt: 'First' })
    await take(testEnv({ model }), { prompt: 'Second' })
    const line = await session.line()
    expect(line.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(askedText(model.calls[1]!)).toContain('One.')
  })

  test('D3 a prompt that is sent again is said once and answered once', async () => {
    const model = answering('One.')
    const env = testEnv({ model })
    await session.append({ type: 'message', id: 'u1', message: { role: 'user', content: 'Hi', timestamp: 1 } })
    await session.resetLeaf()
    expect(typesOf(await take(env, { prompt: 'Hi', promptId: 'u1', parentId: null }))).toContain('finished')
    const seq = session.seq
    const again = await take(env, { prompt: 'Hi', promptId: 'u1', parentId: null })
    expect(typesOf(again)).toEqual(['prompted', 'ended'])
    expect([session.seq, model.calls.length]).toEqual([seq, 1])
    await expect(take(env, { prompt: 'Other', promptId: 'u1', parentId: null })).rejects.toMatchObject({
      code: 'id_in_use',
    })
  })

  test('going on where nothing is asked says so and writes nothing', async () => {
    const model = answering('One.', 'Two.')
    const empty = await take(testEnv({ model }), {})
    await take(testEnv({ model }), { prompt: 'First' })
    const { seq } = session
    const again = await take(testEnv({ model }), {})
    expect([empty, again].map(typesOf)).toEqual([
      ['notice', 'ended'],
      ['notice', 'ended'],
    ])
    expect([session.seq, model.calls.length]).toEqual([seq, 1])
    await session.append({ type: 'message', message: { role: 'user', content: 'Second', timestamp: 1 } })
    expect(endOf(await take(testEnv({ model }), {}))).toBe('stop')
  })

  test('a turn elsewhere leaves the leaf alone', async () => {
    const model = answering('One.', 'Two.')
    await take(testEnv({ model }), { prompt: 'First' })
    const leaf = session.leafId
    const events = await take(testEnv({ model }), { prompt: 'Elsewhere', parentId: null })
    expect(session.leafId).toBe(leaf)
    await using again = await store.open(session.id)
    expect(again.leafId).toBe(leaf)
    expect(endOf(events)).toBe('stop')
  })

  test('a model that is no model leaves an answer that says so, and the conversation goes on', async () => {
    const model = answering('Here.')
    const events = await take(testEnv({ model }), { prompt: 'Hi', model: 'nobody/none' })
    expect(events.find(({ type }) => type === 'failed')).toMatchObject({
      code: 'validation_failed',
      isCancelled: false,
    })
    expect((await messages())[1]).toMatchObject({
      stopReason: 'error',
      errorCode: 'validation_failed',
      askedModel: 'nobody/none',
    })
    expect(endOf(await take(testEnv({ model }), { prompt: 'Again' }))).toBe('stop')
    expect((await session.line()).messages.at(-1)).toMatchObject({ role: 'assistant' })
  })

  test('D3 a prompt whose image went to a blob is recognised when it is sent again', async () => {
    let now = 0
    const env = testEnv({ model: answering('One.'), clock: { ...testEnv().clock, now: () => ++now } })
    const image = { type: 'image' as const, data: 'iVBORw0KGgo='.repeat(200), mimeType: 'image/png' }
    const prompt = [{ type: 'text' as const, text: 'Hi' }, image]
    await take(env, { prompt, promptId: 'mine' })
    const again = await take(env, { prompt, promptId: 'mine' })
    expect(again[0]).toEqual({ type: 'prompted', nodeId: 'mine' })
    expect((await messages()).filter(({ role }) => role === 'user')).toHaveLength(1)
  })

  test('a prompt under an answer that is still coming is refused, and that answer comes', async () => {
    const { model, say, end } = fedModel()
    const env = testEnv({ model })
    for await (const event of runTurn(env, session, { prompt: 'First' })) {
      if (event.type === 'started') say('Still ')
      if (event.type !== 'delta') continue
      await expect(take(env, { prompt: 'Second' })).rejects.toMatchObject({ code: 'parent_generating' })
      end()
    }
    expect((await messages()).map(({ stopReason }) => stopReason)).toEqual([undefined, 'stop'])
  })

  test('a limit of the provider’s that is told of in the stream is a failure, not a limit of ours', async () => {
    const error = { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down.' } }
    const events = await take(testEnv({ model: answering({ error }) }), { prompt: 'Hi' })
    expect((await messages())[1]).toMatchObject({ errorCode: 'rate_limited' })
    expect(endOf(events)).toBe('failed')
  })

  test('a limit of money ends the turn with an answer that says so', async () => {
    const spend = {
      check: () => Promise.reject(new TreelineError('rate_limited', 'The limit of $1 a day is reached.')),
      note: () => Promise.resolve(),
    }
    const model = answering('Never.')
    const events = await take(testEnv({ model, spend }), { prompt: 'Hi' })
    expect(endOf(events)).toBe('limit')
    expect(model.calls).toHaveLength(0)
    expect((await messages())[1]).toMatchObject({ errorCode: 'rate_limited' })
  })
})

test('a limit of money that cannot count says so once', async () => {
  const settings = { ...yolo, spend: { perDay: 1 } }
  const unpriced = answering({ toolCalls: [callNote('c1', 'a')] }, 'Done.')
  const told = await take(testEnv({ model: unpriced, tools: [note], settings }), { prompt: 'Go' })
  expect(told.filter(({ type }) => type === 'notice')).toHaveLength(1)
  const priced = scriptedModel({ info: { prices: { input: 1, output: 1 } } })
  const quiet = await take(testEnv({ model: priced, settings }), { prompt: 'Go', model: priced.ref })
  expect(quiet.filter(({ type }) => type === 'notice')).toEqual([])
})

describe('tools', () => {
  beforeEach(() => {
    noted.length = 0
  })

  test('D6 a call and its attempt are in the log before the tool runs; its result follows on the same path', async () => {
    let atRun: (string | undefined)[] = []
    const spy: AnyTool = {
      ...note,
      run: async () => {
        await using other = await store.open(session.id)
        const entries = await listEntries(other)
        atRun = entries.map(({ type, customType }) => (customType as string) ?? type)
        return { content: [{ type: 'text', text: 'ok' }] }
      },
    }
    const model = answering({ toolCalls: [callNote('c1', 'a')] }, 'Done.')
    const events = await take(testEnv({ model, tools: [spy], settings: yolo }), { prompt: 'Note a' })
    expect(atRun.at(-1)).toBe('treeline/attempt')
    expect(typesOf(events).filter((type) => type.startsWith('tool'))).toEqual([
      'tool_asked',
      'tool_started',
      'tool_done',
    ])
    const roles = (await session.line()).messages.map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })

  test('X69 several calls are answered as a chain on one path', async () => {
    const model = answering({ toolCalls: [callNote('c1', 'a'), callNote('c2', 'b'), callNote('c3', 'c')] }, 'Done.')
    await take(testEnv({ model, tools: [note], settings: yolo }), { prompt: 'Note all' })
    expect(noted).toEqual(['a', 'b', 'c'])
    const line = await session.line()
    expect(line.nodes.every((node) => node.in && node.repairs === undefined)).toBe(true)
  })

  test('what is denied with a reason is told to the model, without one the turn ends', async () => {
    const answers = [{ decision: 'deny' as const, reason: 'not today' }, { decision: 'deny' as const }]
    const model = answering(
      { toolCalls: [callNote('c1', 'a')] },
      { toolCalls: [callNote('c2', 'b'), callNote('c3', 'c')] },
    )
    const events = await take(testEnv({ model, tools: [note], ask: async () => answers.shift()! }), { prompt: 'Go' })
    expect(noted).toEqual([])
    expect(endOf(events)).toBe('denied')
    const results = (await messages()).filter(({ role }) => role === 'toolResult')
    expect(results.map(({ isError }) => isError)).toEqual([true, true, true])
    expect(JSON.stringify(results[0])).toContain('not today')
    expect((await session.line()).nodes.every((node) => node.in && node.repairs === undefined)).toBe(true)
  })

  test('without anyone to ask, what needs asking is denied and the model is told', async () => {
    const model = answering({ toolCalls: [callNote('c1', 'a')] }, 'Then not.')
    const events = await take(testEnv({ model, tools: [note] }), { prompt: 'Go' })
    expect(noted).toEqual([])
    expect(endOf(events)).toBe('stop')
  })

  test('a tool allowed for the session is asked about once', async () => {
    let asked = 0
    const ask = async () => {
      asked++
      return { decision: 'tool' as const }
    }
    const model = answering({ toolCalls: [callNote('c1', 'a')] }, { toolCalls: [callNote('c2', 'b')] }, 'Done.')
    await take(testEnv({ model, tools: [note], ask }), { prompt: 'Go' })
    expect(asked).toBe(1)
    expect(noted).toEqual(['a', 'b'])
    expect(session.config.approvalTools).toEqual(['note'])
  })

  test('a call nobody knows, or with the wrong input, is answered with what is wrong', async () => {
    const model = answering(
      {
        toolCalls: [
          { id: 'c1', name: 'nope', input: {} },
          { id: 'c2', name: 'note', input: { text: 1 } },
        ],
      },
      'Sorry.',
    )
    const events = await take(testEnv({ model, tools: [note], settings: yolo }), { prompt: 'Go' })
    expect(endOf(events)).toBe('stop')
    const results = (await messages()).filter(({ role }) => role === 'toolResult')
    expect(JSON.stringify(results[0])).toContain('no tool')
    expect(JSON.stringify(results[1])).toContain('text')
  })

  test('a cancel while a tool runs keeps the path whole and ends the turn', async () => {
    const stop = new AbortController()
    const slow: AnyTool = {
      ...note,
      run: (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          stop.abort()
        }),
    }
    const model = answering({ toolCalls: [callNote('c1', 'a'), callNote('c2', 'b')] })
    const events = await take(testEnv({ model, tools: [slow], settings: yolo }), { prompt: 'Go', signal: stop.signal })
    expect(endOf(events)).toBe('cancelled')
    expect((await session.line()).nodes.every((node) => node.in && node.repairs === undefined)).toBe(true)
  })

  test('more steps than allowed end the turn, and it can go on', async () => {
    const model = answering({ toolCalls: [callNote('c1', 'a')] })
    const settings = { ...yolo, maxSteps: 3 }
    const events = await take(testEnv({ model, tools: [note], settings }), { prompt: 'Go' })
    expect(endOf(events)).toBe('limit')
    expect(noted).toHaveLength(3)
  })
})

describe('what the user says meanwhile', () => {
  test('comes after the results, before the next call', async () => {
    const queued = ['Stop that', 'And this']
    const model = answering({ toolCalls: [callNote('c1', 'a')] }, 'Fine.')
    const steer = () => queued.splice(0)
    await take(testEnv({ model, tools: [note], settings: yolo }), { prompt: 'Go', steer })
    expect((await messages()).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'toolResult',
      'user',
      'user',
      'assistant',
    ])
    expect(askedText(model.calls[1]!)).toContain('And this')
  })
})

/** A stream that a test feeds by hand. */
function fedModel() {
  let controller!: ReadableStreamDefaultController<LanguageModelV4StreamPart>
  const begun = Promise.withResolvers<void>()
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start(given) {
      controller = given
    },
  })
  const base = scriptedModel()
  const language = {
    ...base.language,
    doStream: async () => {
      begun.resolve()
      return { stream }
    },
  }
  const say = (delta: string) => controller.enqueue({ type: 'text-delta', id: '0', delta })
  const end = () => {
    for (const part of partsOf({})) controller.enqueue(part)
    controller.close()
  }
  return {
    model: { ...base, language },
    begun: begun.promise,
    say,
    end,
    cut: (error: unknown) => controller.error(error),
  }
}

describe('answers that end early', () => {
  test('X70 a cancel keeps what came, as a node that the next line sends', async () => {
    const stop = new AbortController()
    const { model, say } = fedModel()
    const events: TurnEvent[] = []
    for await (const event of runTurn(testEnv({ model }), session, { prompt: 'Go', signal: stop.signal })) {
      events.push(event)
      if (event.type === 'started') say('Half of ')
      if (event.type === 'delta') stop.abort()
    }
    expect(endOf(events)).toBe('cancelled')
    expect((await messages())[1]).toMatchObject({
      stopReason: 'aborted',
      content: [{ type: 'text', text: 'Half of ' }],
    })
    expect(session.partials?.list()).toEqual([])
    expect((await session.line()).messages.at(-1)).toMatchObject({ role: 'assistant' })
  })

  test('whoever stops listening cancels: what came is kept', async () => {
    const { model, say } = fedModel()
    for await (const event of runTurn(testEnv({ model }), session, { prompt: 'Go' })) {
      if (event.type === 'started') say('Half of ')
      if (event.type === 'delta') break
    }
    expect((await messages())[1]).toMatchObject({
      stopReason: 'aborted',
      content: [{ type: 'text', text: 'Half of ' }],
    })
  })

  test('text that came before an error stays as a failed node; the retry stands beside it', async () => {
    let calls = 0
    const base = scriptedModel({ script: () => 'Whole.' })
    const language = {
      ...base.language,
      doStream: async (options: Parameters<typeof base.language.doStream>[0]) => {
        if (calls++ > 0) return base.language.doStream(options)
        const parts: LanguageModelV4StreamPart[] = [{ type: 'text-delta', id: '0', delta: 'Half' }]
        const stream = new ReadableStream<LanguageModelV4StreamPart>({
          pull(controller) {
            const part = parts.shift()
            if (part) controller.enqueue(part)
            else controller.close()
          },
        })
        return { stream }
      },
    }
    const events = await take(testEnv({ model: { ...base, language } }), { prompt: 'Go' })
    expect(endOf(events)).toBe('stop')
    const [user, failed, whole] = await messages()
    expect(user).toMatchObject({ role: 'user' })
    expect(failed).toMatchObject({ stopReason: 'error', content: [{ text: 'Half' }] })
    expect(whole).toMatchObject({ stopReason: 'stop', content: [{ text: 'Whole.' }] })
    const started = events.filter((event) => event.type === 'started')
    expect(started.map(({ parentId }) => parentId)).toEqual([started[0]?.parentId, started[0]?.parentId])
    expect(session.leafId).toBe(started[1]?.nodeId)
  })

  test('R3 an answer that the log has no room for is kept beside it, and the error says so', async () => {
    const disk = fullableStorage()
    await using own = await openMemoryStore({ storage: disk.storage })
    session = await own.create({ cwd: '/project' })
    const { model, say } = fedModel()
    const stop = new AbortController()
    const turn = (async () => {
      for await (const event of runTurn(testEnv({ model }), session, { prompt: 'Go', signal: stop.signal })) {
        if (event.type === 'started') say('Half of ')
        if (event.type !== 'delta') continue
        disk.isFull = true
        stop.abort()
      }
    })()
    await expect(turn).rejects.toMatchObject({ code: 'storage_full' })
    disk.isFull = false
    const [nodeId] = session.partials?.list() ?? []
    expect(readPartial((await session.partials?.read(nodeId!)) ?? '')).toEqual([{ type: 'text', text: 'Half of ' }])
  })
})

/** A disk whose logs can be made to take no more. */
function fullableStorage(): { readonly storage: SessionStorage; isFull: boolean } {
  const memory = createMemoryStorage()
  const disk = {
    isFull: false,
    storage: {
      ...memory,
      openWriter(path: string, options: Parameters<SessionStorage['openWriter']>[1]) {
        const writer = memory.openWriter(path, options)
        const write = writer.writeSync.bind(writer)
        if (path.endsWith('.jsonl')) {
          writer.writeSync = (bytes) => {
            if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
            return write(bytes)
          }
        }
        return writer
      },
    },
  }
  return disk
}
