import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileStore } from '@treeline/store'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type RecoveryReport, recover } from '../recovery/recover.ts'
import { bundleTurnProcess } from '../testing/bundle-turn-process.ts'
import { type ModelServer, type ReceivedRequest, startModelServer } from '../testing/model-server/model-server.ts'
import type { ModelReply } from '../testing/model-server/reply.ts'
import type { TurnEvent } from '../turn/events.ts'
import { takeTurn } from '../turn/turn.ts'
import { auditEffects, auditLine, auditTold, readEffects } from './audit-session.ts'
import { type Heard, KilledProcess } from './killed-process.ts'
import type { TurnOrder } from './order.ts'
import { tortureEnv } from './torture-env.ts'

const factor = Number(process.env.TREELINE_RUNS_FACTOR ?? 1)
const isTorture = factor > 1
const TIMEOUT = { timeout: isTorture ? 24 * 3_600_000 : 60_000 }
const FIRST_SEED = Number(process.env.TREELINE_SEED ?? 1)
const KILLS = isTorture ? Math.ceil((3_000 * factor) / 60) : 16
const LANES = 2
/** A log grows over so many kills; then a new one is begun. */
const KILLS_PER_LOG = 8

let cacheDir: string
let script: string
let home: string
let server: ModelServer
let order: TurnOrder
const processes: KilledProcess[] = []

beforeAll(async () => {
  cacheDir = mkdtempSync(join(tmpdir(), 'treeline-cache-'))
  script = await bundleTurnProcess(cacheDir)
})
afterAll(() => rmSync(cacheDir, { recursive: true }))

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'treeline-turns-'))
  server = await startModelServer()
  order = await newOrder('effects')
})
afterEach(async () => {
  for (const process of processes.splice(0)) await process.kill()
  await server.close()
  rmSync(home, { recursive: true })
})

/** A session in which something was said already, so that there is something to compact. */
async function newOrder(effectsName: string): Promise<TurnOrder> {
  const effects = join(home, effectsName)
  writeFileSync(effects, '')
  await using store = await openFileStore({ home })
  await using session = await store.create({ cwd: '/project' })
  for (const n of [1, 2, 3]) {
    const content = `Question ${n}. ${'word '.repeat(60)}`
    await session.append({ type: 'message', message: { role: 'user', content, timestamp: n } })
    const text = [{ type: 'text', text: `Answer ${n}. ${'word '.repeat(60)}` }]
    const message = { role: 'assistant', content: text, stopReason: 'stop', timestamp: n }
    await session.append({ type: 'message', message })
  }
  const { url } = server
  return { home, sessionId: session.id, url, effects, what: 'turns', prompts: ['Go on'], approval: 'yolo' }
}

function start(): KilledProcess {
  const process = new KilledProcess(script)
  processes.push(process)
  return process
}

const call = (id: string, text: string) => ({ id, name: 'note', input: { text } })
const HELD: ModelReply = { fault: { type: 'silent' } }
const OVERFLOW: ModelReply = { fault: { type: 'overflow' } }
const SUMMARY: ModelReply = { text: '## Goal\nGo on with the work.' }
const never = () => new Promise<void>(() => {})

interface Outcome {
  readonly report: RecoveryReport
  readonly heard: readonly Heard[]
}

/** Kills it as soon as `until` says so, and looks at what is left: all that was told, a line that can be sent, no second run. */
async function killAt(
  replies: readonly ModelReply[],
  until: (process: KilledProcess) => Promise<unknown>,
  { summary = SUMMARY, ...given }: Partial<TurnOrder> & { readonly summary?: ModelReply } = {},
): Promise<Outcome> {
  const turns = [...replies]
  server.reply((request) => (isSummary(request) ? summary : (turns.shift() ?? HELD)))
  const process = start()
  process.give({ ...order, ...given })
  await until(process)
  await process.kill()
  const { heard } = process
  expect(heard.filter(({ type }) => type === 'problem' || type === 'done')).toEqual([])
  const report = await goOn(order, heard)
  return { report, heard }
}

async function goOn({ sessionId, effects }: TurnOrder, heard: readonly Heard[]): Promise<RecoveryReport> {
  await using store = await openFileStore({ home })
  await using session = await store.open(sessionId)
  expect(session.access).toEqual({ mode: 'write' })
  expect(await auditTold(home, session, heard)).toEqual([])
  const done = readEffects(effects)
  const later = await startModelServer()
  try {
    const env = tortureEnv({ url: later.url, effects, approval: 'yolo' })
    const report = await recover(env, session)
    expect(report).toMatchObject({ runningIds: [], strayIds: [], problems: [] })
    expect(await auditLine(session)).toEqual([])
    expect(readEffects(effects)).toEqual(done)
    const bytes = readFileSync(session.path)
    await recover(env, session)
    expect(Buffer.compare(readFileSync(session.path), bytes)).toBe(0)
    later.reply([{ toolCalls: [call(`after-${done.length}`, 'more')] }, { text: 'All done.' }])
    const events: TurnEvent[] = []
    await takeTurn(env, session, { prompt: 'And now?' }, (event) => events.push(event))
    expect(events.at(-1)).toMatchObject({ type: 'ended', reason: 'stop' })
    expect(await auditLine(session)).toEqual([])
    expect(await auditTold(home, session, [...heard, ...events])).toEqual([])
    expect(await auditEffects(session, effects)).toEqual([])
    expect(session.partials?.list()).toEqual([])
    return report
  } finally {
    await later.close()
  }
}

const said = (type: Heard['type']) => (process: KilledProcess) => process.until((heard) => heard.type === type)
const hasEffect = (line: string) => () =>
  vi.waitFor(() => expect(readEffects(order.effects)).toContain(line), { timeout: 20_000, interval: 5 })
/** The n-th question for an answer, or for a summary, is there, and all that was to be written before it (D6). */
const asked =
  (n: number, what = 'answer') =>
  async () => {
    for (let i = 0, left = n; ; i++) {
      const isWanted = isSummary(await server.request(i)) === (what === 'summary')
      if (isWanted && --left === 0) return
    }
  }
/** Only answers may call tools. */
const isSummary = ({ body }: ReceivedRequest) => body.tools === undefined

test('D6 killed before the first word comes: the prompt is there, the answer is closed', TIMEOUT, async () => {
  const { report, heard } = await killAt([HELD], asked(1))
  expect(heard.map(({ type }) => type)).toEqual(['ready', 'prompted', 'started'])
  expect(report.closed).toMatchObject([{ chars: 0 }])
})

test.each([1, 4])('X70 killed at delta %i: the answer is closed, the tree is whole', TIMEOUT, async (n) => {
  const text = 'One two three four five six seven eight.'
  const fault = { type: 'slow', gate: (index: number) => (index < n ? Promise.resolve() : never()) } as const
  const deltas = (process: KilledProcess) => process.heard.filter(({ type }) => type === 'delta').length
  const { report } = await killAt([{ text, chunkChars: 4, fault }], (process) =>
    process.until(() => deltas(process) === n),
  )
  expect(report.closed).toHaveLength(1)
})

test('X70 of a long text all but the last 8 KiB is kept', TIMEOUT, async () => {
  const words = Array.from({ length: 8_000 }, (_, i) => `w${i} `).join('')
  const sent = 24
  const fault = { type: 'slow', gate: (index: number) => (index < sent ? Promise.resolve() : never()) } as const
  const least = sent * 1_000 - 8_192
  const { report } = await killAt([{ text: words, chunkChars: 1_000, fault }], async (process) => {
    const started = await process.until(({ type }) => type === 'started')
    const nodeId = started?.type === 'started' ? started.nodeId : ''
    await process.until((heard) => heard.type === 'delta' && heard.offset + heard.text.length >= sent * 1_000)
    // What is due is written behind the stream's back.
    await using store = await openFileStore({ home })
    await using session = await store.open(order.sessionId, { readOnly: true })
    const kept = async () => expect((await session.partials?.read(nodeId))?.length ?? 0).toBeGreaterThanOrEqual(least)
    await vi.waitFor(kept, { timeout: 20_000, interval: 5 })
  })
  const [{ nodeId, chars }] = report.closed as [RecoveryReport['closed'][number]]
  expect(chars).toBeGreaterThanOrEqual(least)
  await using store = await openFileStore({ home })
  await using session = await store.open(order.sessionId)
  const entry = await session.readEntry(nodeId)
  const { content } = entry!.message as { content: { text: string }[] }
  expect(words.startsWith(content[0]!.text)).toBe(true)
})

test('P18 killed inside a tool: it is marked as begun and does not run again', TIMEOUT, async () => {
  const { report } = await killAt([{ text: 'Noting.', toolCalls: [call('c1', 'wait')] }], hasEffect('begun c1'))
  expect(report.calls).toMatchObject([{ toolCallId: 'c1', wasStarted: true, outcome: 'marked' }])
  expect(readEffects(order.effects).slice(0, 1)).toEqual(['begun c1'])
})

test('X65 killed between the results of parallel calls: the first stays, the others are marked', TIMEOUT, async () => {
  const toolCalls = [call('c1', 'a'), call('c2', 'wait'), call('c3', 'b')]
  const { report, heard } = await killAt([{ toolCalls }], hasEffect('begun c2'))
  expect(heard.filter(({ type }) => type === 'tool_done')).toMatchObject([{ toolCallId: 'c1', isError: false }])
  expect(report.calls).toMatchObject([
    { toolCallId: 'c2', wasStarted: true },
    { toolCallId: 'c3', wasStarted: false },
  ])
})

test('X66 killed while the user is asked: the tool has not run and does not', TIMEOUT, async () => {
  const { report } = await killAt([{ toolCalls: [call('c1', 'a')] }], said('tool_asked'), { approval: 'ask' })
  expect(report.calls).toMatchObject([{ toolCallId: 'c1', wasStarted: false, outcome: 'marked' }])
  expect(readEffects(order.effects)).not.toContain('begun c1')
})

test('X60 killed while a summary is written: nothing is compacted, the prompt is there', TIMEOUT, async () => {
  const { report, heard } = await killAt([OVERFLOW], asked(1, 'summary'), { summary: HELD })
  expect(heard.map(({ type }) => type)).toEqual(['ready', 'prompted', 'started', 'failed', 'compacting'])
  expect(report).toMatchObject({ closed: [], calls: [] })
})

test('X60 killed after a compaction, before the answer: the summary stays, the answer is closed', TIMEOUT, async () => {
  const { report, heard } = await killAt([OVERFLOW], asked(2))
  expect(heard.at(-2)).toMatchObject({ type: 'compacted' })
  expect(report.closed).toMatchObject([{ chars: 0 }])
})

test('P18 killed in the tool after a tool and a compaction in the same turn', TIMEOUT, async () => {
  const replies = [{ toolCalls: [call('c1', 'a')] }, OVERFLOW, { toolCalls: [call('c2', 'wait')] }]
  const { report, heard } = await killAt(replies, hasEffect('begun c2'))
  expect(heard.some(({ type }) => type === 'compacted')).toBe(true)
  expect(report.calls).toMatchObject([{ toolCallId: 'c2', wasStarted: true }])
})

test(
  'X67 killed while three siblings are generated: all are closed, the trunk stays where it was',
  TIMEOUT,
  async () => {
    const leafBefore = await leafOf(order)
    const { report } = await killAt([HELD, HELD, HELD], asked(3), { what: 'siblings' })
    expect(report.closed).toHaveLength(3)
    await using store = await openFileStore({ home })
    await using session = await store.open(order.sessionId)
    const { messages } = await session.line()
    expect(messages.slice(0, -4).at(-1)?.nodeIds).toEqual([leafBefore])
  },
)

async function leafOf({ sessionId }: TurnOrder): Promise<string | null> {
  await using store = await openFileStore({ home })
  await using session = await store.open(sessionId)
  return session.leafId
}

test('a living process is left alone, while it answers and while its tool runs', TIMEOUT, async () => {
  server.reply([HELD])
  const env = tortureEnv({ ...order, approval: 'yolo' })
  const first = start()
  first.give(order)
  await server.request(0)
  await using store = await openFileStore({ home })
  const answering = await store.open(order.sessionId)
  const bytes = readFileSync(answering.path)
  expect(await recover(env, answering)).toMatchObject({ closed: [], calls: [], runningIds: [answering.leafId] })
  expect(readFileSync(answering.path).equals(bytes)).toBe(true)
  await first.kill()
  expect((await recover(env, answering)).closed).toHaveLength(1)
  await answering.close()

  server.reply([{ toolCalls: [call('c1', 'wait')] }])
  const second = start()
  second.give(order)
  await hasEffect('begun c1')()
  await using working = await store.open(order.sessionId)
  expect(await recover(env, working)).toMatchObject({ closed: [], calls: [], runningIds: [working.leafId] })
  await second.kill()
  expect((await recover(env, working)).calls).toMatchObject([{ toolCallId: 'c1', wasStarted: true }])
  expect(await auditLine(working)).toEqual([])
})

test('two processes that recover at once write everything once', TIMEOUT, async () => {
  server.reply([{ toolCalls: [call('c1', 'a'), call('c2', 'wait'), call('c3', 'b')] }])
  const killed = start()
  killed.give(order)
  await hasEffect('begun c2')()
  await killed.kill()
  const two = [start(), start()]
  for (const process of two) process.give({ ...order, what: 'recover' })
  await Promise.all(two.map(said('opened')))
  await Promise.all(two.map((process) => process.end()))
  for (const { heard } of two) expect(heard.filter(({ type }) => type === 'problem')).toEqual([])
  await using store = await openFileStore({ home })
  await using session = await store.open(order.sessionId)
  expect(await auditLine(session)).toEqual([])
  const results: unknown[] = []
  for await (const { message } of session.entries()) {
    const { role, toolCallId } = (message ?? {}) as { role?: string; toolCallId?: string }
    if (role === 'toolResult') results.push(toolCallId)
  }
  expect(results).toEqual(['c1', 'c2', 'c3'])
})

test('D1, D6, P18 kill -9 at a random moment of turns with tools and compactions', TIMEOUT, async () => {
  server.reply((request, index): ModelReply => {
    if (isSummary(request)) return SUMMARY
    const text = `Working on ${index}. ${'word '.repeat(index % 7 === 0 ? 3_000 : 30)}`
    const kinds: readonly ModelReply[] = [
      { text, chunkChars: 400, toolCalls: [call(`r${index}a`, 'a'), call(`r${index}b`, 'b')] },
      { toolCalls: [call(`r${index}`, 'c')] },
      OVERFLOW,
      { text, chunkChars: 200 },
    ]
    return kinds[index % kinds.length]!
  })
  await Promise.all(Array.from({ length: LANES }, (_, lane) => killAgainAndAgain(lane, Math.ceil(KILLS / LANES))))
})

/** Every other time nobody but the next process puts the session in order, and that one may be killed while it does. */
async function killAgainAndAgain(lane: number, kills: number): Promise<void> {
  let mine = order
  let told: Heard[] = []
  let next = start()
  for (let n = 0; n < kills; n++) {
    const seed = FIRST_SEED + n * LANES + lane
    if (n % KILLS_PER_LOG === 0) {
      mine = await newOrder(`effects-${lane}-${n}`)
      told = []
    }
    const process = next
    next = start()
    await process.until(({ type }) => type === 'ready')
    const prompts = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
    process.give({ ...mine, what: 'recover and turns', prompts })
    if (seed % 3 !== 0) await process.until(({ type }) => type === 'prompted')
    await new Promise((resolve) => setTimeout(resolve, randomOf(seed) * (seed % 3 === 0 ? 60 : 250)))
    await process.kill()
    processes.splice(processes.indexOf(process), 1)
    told.push(...process.heard)
    try {
      expect(process.heard.filter(({ type }) => type === 'problem')).toEqual([])
      if (n % 2 === 1 || n === kills - 1) await goOn(mine, told)
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error })
    }
  }
}

/** 0 ≤ x < 1, the same for the same seed. */
function randomOf(seed: number): number {
  return ((Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0) % 10_007) / 10_007
}
