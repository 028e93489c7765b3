import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Entry, Flag, GENERATION_TYPE, TreelineError } from '@treeline/core'
import {
  createMemoryStorage,
  homePaths,
  openFileStore,
  openMemoryStore,
  type Session,
  type SessionStorage,
  type SessionStore,
} from '@treeline/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AgentEnv } from '../env.ts'
import { lineFaults } from '../testing/line-faults.ts'
import { scriptedModel } from '../testing/scripted-model.ts'
import { testEnv } from '../testing/test-env.ts'
import { runShellCommand } from '../tools/shell-command.ts'
import type { AnyTool } from '../tools/tool.ts'
import { takeTurn } from '../turn/turn.ts'
import { recover } from './recover.ts'

let storage: SessionStorage
let store: SessionStore
let session: Session
const ran: string[] = []

beforeEach(async () => {
  ran.length = 0
  storage = createMemoryStorage()
  store = await openMemoryStore({ storage })
  session = await store.create({ cwd: '/project' })
})
afterEach(() => store.close())

function tool(name: string, isRepeatable: boolean, effect: AnyTool['effect'] = 'run'): AnyTool {
  return {
    name,
    description: name,
    input: z.object({ text: z.string() }),
    effect,
    isRepeatable,
    preview: () => ({ title: name }),
    run: async ({ text }) => {
      ran.push(`${name} ${text}`)
      return { content: [{ type: 'text', text: `${name} has done ${text}` }] }
    },
  }
}
const TOOLS = [tool('pay', false), tool('look', true, 'read'), tool('touch', true)]
const env = (given: Parameters<typeof testEnv>[0] = {}): AgentEnv =>
  testEnv({ model: scriptedModel(), tools: TOOLS, ...given })

const say = (content: string) =>
  session.append({ type: 'message', message: { role: 'user', content, timestamp: 1 } }).then(({ id }) => id)

/** An answer that is announced and never ends, by a process that is gone. */
async function announce(nodeId: string, parentId = session.leafId, data: Readonly<Record<string, unknown>> = {}) {
  const told = { nodeId, parentId, model: 'scripted/one', writer: 'gone', ...data }
  await session.append({ type: 'custom', customType: GENERATION_TYPE, data: told }, { parentId })
}

async function keep(nodeId: string, ...lines: readonly string[]): Promise<void> {
  const writer = session.partials!.open(nodeId)
  for (const line of lines) await writer.append(line)
  await writer.close()
}
const piece = (text: string, block = 0) => JSON.stringify({ at: 1, pieces: [['text', block, text]] })

/** An answer that asks for tools. */
async function ask(...calls: readonly (readonly [id: string, name: string])[]): Promise<string> {
  const content = calls.map(([id, name]) => ({ type: 'toolCall', id, name, arguments: { text: id } }))
  const message = { role: 'assistant', content, stopReason: 'toolUse', timestamp: 1 }
  return (await session.append({ type: 'message', message })).id
}

async function attempt(nodeId: string, toolCallId: string, more: Readonly<Record<string, unknown>> = {}) {
  const data = { toolCallId, nodeId, name: 'pay', isRepeatable: false, ...more }
  await session.append({ type: 'custom', customType: 'treeline/attempt', data })
}

async function answer(toolCallId: string): Promise<string> {
  const message = { role: 'toolResult', toolCallId, toolName: 'pay', content: [], isError: false, timestamp: 1 }
  return (await session.append({ type: 'message', message })).id
}

async function entries(of: Session = session): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const entry of of.entries()) found.push(entry)
  return found
}

async function messageOf(nodeId: string): Promise<Readonly<Record<string, unknown>>> {
  return (await session.readEntry(nodeId))?.message as Record<string, unknown>
}

const logBytes = () => storage.readText(session.path)

/** The line can be sent, and nothing of the path had to be repaired for that. */
async function expectWhole(of: Session = session): Promise<void> {
  const { messages, nodes } = await of.line()
  expect(lineFaults(messages)).toEqual([])
  expect(nodes.filter((node) => node.in && node.repairs !== undefined)).toEqual([])
}

/** A second time there is nothing to do. */
async function expectSettled(): Promise<void> {
  const before = await logBytes()
  const again = await recover(env(), session)
  expect(again).toEqual({ closed: [], commandIds: [], calls: [], runningIds: [], strayIds: [], problems: [] })
  expect(await logBytes()).toBe(before)
}

const NOTHING = { closed: [], commandIds: [], calls: [], runningIds: [], strayIds: [], problems: [] }

describe('where nothing is amiss nothing is written', () => {
  test('X68 in an empty session', async () => {
    const before = await logBytes()
    expect(await recover(env(), session)).toEqual(NOTHING)
    expect(await logBytes()).toBe(before)
  })

  test('in a conversation with tools, commands, a failed answer, a muted result and a model change', async () => {
    await say('Hello')
    const nodeId = await ask(['c1', 'pay'], ['c2', 'look'])
    await attempt(nodeId, 'c1')
    await answer('c1')
    await attempt(nodeId, 'c2')
    const result = await answer('c2')
    await session.edit({ operations: [{ op: 'mute', nodeIds: [result] }] })
    await session.append({ type: 'model_change', model: 'scripted/one' })
    await runShellCommand(testEnv(), session, { command: 'true', isExcluded: false, signal: AbortSignal.timeout(9e6) })
    const failed = { role: 'assistant', content: [{ type: 'toolCall', id: 'c9', name: 'pay', arguments: {} }] }
    await session.append({ type: 'message', message: { ...failed, stopReason: 'error', timestamp: 1 } })
    const before = await logBytes()
    expect(await recover(env(), session, { rerun: 'repeatable' })).toEqual(NOTHING)
    expect(await logBytes()).toBe(before)
    expect(ran).toEqual([])
  })

  test('where the leaf was put on an answer whose results are on another branch', async () => {
    await say('Hello')
    const nodeId = await ask(['c1', 'pay'])
    await attempt(nodeId, 'c1')
    await answer('c1')
    await session.branch(nodeId)
    const before = await logBytes()
    expect(await recover(env(), session, { rerun: ['c1'] })).toEqual(NOTHING)
    expect(await logBytes()).toBe(before)
    expect(ran).toEqual([])
  })
})

describe('answers', () => {
  test('X70 one with kept text becomes a failed node with that text, and the conversation goes on from there', async () => {
    const parentId = await say('Hello')
    await announce('a1')
    await keep('a1', piece('One, '), piece('two'), '{"at":1,"pieces":[["text",0,", thr')
    const report = await recover(env(), session)
    expect(report).toEqual({ ...NOTHING, closed: [{ nodeId: 'a1', chars: 8 }] })
    expect(await messageOf('a1')).toMatchObject({
      content: [{ type: 'text', text: 'One, two' }],
      provider: 'scripted',
      model: 'one',
      stopReason: 'error',
      isInterrupted: true,
    })
    expect(session.leafId).toBe('a1')
    expect((await session.readEntry('a1'))?.parentId).toBe(parentId)
    expect(session.partials!.list()).toEqual([])
    await expectWhole()
    await expectSettled()
    await takeTurn(env(), session, { prompt: 'Again' }, () => {})
    await expectWhole()
    expect((await session.line()).messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  test('one of which nothing was kept, and one whose announcement does not name a model, become empty ones', async () => {
    await say('Hello')
    await announce('a1', session.leafId, { model: 7, writer: undefined })
    expect((await recover(env(), session)).closed).toEqual([{ nodeId: 'a1', chars: 0 }])
    const message = await messageOf('a1')
    expect(message.content).toEqual([])
    expect(message).not.toHaveProperty('provider')
    expect(message).not.toHaveProperty('model')
    await expectSettled()
  })

  test('X67 those on other branches and in the stash are closed where they are; the leaf stays', async () => {
    const first = await say('Hello')
    await announce('a1', first)
    await keep('a1', piece('beside'))
    await session.branch(first)
    const second = await say('More')
    await announce('a2', second)
    await keep('a2', piece('stashed'))
    await session.branch(first)
    const prune = { op: 'prune', nodeId: second, include: 'self', onGenerating: 'continue' } as const
    await session.edit({ operations: [prune] })
    const leaf = await say('Here')
    const report = await recover(env(), session)
    expect(report.closed).toEqual([
      { nodeId: 'a1', chars: 6 },
      { nodeId: 'a2', chars: 7 },
    ])
    expect(session.leafId).toBe(leaf)
    await using other = await store.open(session.id)
    expect(other.leafId).toBe(leaf)
    expect((await session.readEntry('a2'))?.parentId).toBe(second)
    await expectSettled()
  })

  test('one that this process is working on is left alone, also while its tools run', async () => {
    let during: unknown
    const slow: AnyTool = {
      ...tool('slow', true),
      run: async () => {
        await using other = await store.open(session.id)
        during = await recover(env(), other, { rerun: 'repeatable' })
        return { content: [{ type: 'text', text: 'done' }] }
      },
    }
    let atCall: unknown
    const model = scriptedModel({
      script: async (_, i) => {
        if (i > 0) return 'Done.'
        await using other = await store.open(session.id)
        atCall = await recover(env(), other)
        return { toolCalls: [{ id: 'c1', name: 'slow', input: { text: 'x' } }] }
      },
    })
    const allowed = env({ model, tools: [slow], ask: async () => ({ decision: 'once' }) })
    await takeTurn(allowed, session, { prompt: 'Go' }, () => {})
    const [, asked] = (await entries()).filter(({ type }) => type === 'message')
    expect(atCall).toEqual({ ...NOTHING, runningIds: [asked!.id] })
    expect(during).toEqual({ ...NOTHING, runningIds: [asked!.id] })
    await expectWhole()
    await expectSettled()
  })

  test('of a store that lives, answers and calls are left alone; when it is closed they are not', async () => {
    await using theirs = await openMemoryStore({ storage })
    const writer = (await theirs.open(session.id)).writer!
    await say('Hello')
    await announce('a1', session.leafId, { writer })
    expect(await recover(env(), session)).toEqual({ ...NOTHING, runningIds: ['a1'] })
    await theirs.close()
    expect((await recover(env(), session)).closed).toEqual([{ nodeId: 'a1', chars: 0 }])
    const nodeId = await ask(['c1', 'pay'])
    await using another = await openMemoryStore({ storage })
    await attempt(nodeId, 'c1', { writer: (await another.open(session.id)).writer })
    expect(await recover(env(), session)).toEqual({ ...NOTHING, runningIds: [nodeId] })
    await another.close()
    expect((await recover(env(), session)).calls).toHaveLength(1)
  })

  test('one of which it cannot be known whether its process lives is left alone, and that is told', async () => {
    const home = mkdtempSync(join(tmpdir(), 'treeline-recover-'))
    try {
      await using files = await openFileStore({ home })
      session = await files.create({ cwd: '/project' })
      const writer = 'ab'.repeat(12)
      mkdirSync(join(homePaths(home).presence, `${writer}.lock`), { recursive: true })
      await say('Hello')
      await announce('a1', session.leafId, { writer })
      const report = await recover(env(), session)
      expect(report).toMatchObject({ closed: [], runningIds: ['a1'], problems: [{ name: 'TreelineError' }] })
    } finally {
      rmSync(home, { recursive: true })
    }
  })

  test('K3 one whose id cannot be that of an entry is told of, and the others are closed', async () => {
    await say('Hello')
    await announce('../../x')
    await session.branch((await entries())[0]!.id)
    await announce('a1')
    const report = await recover(env(), session)
    expect(report.closed).toEqual([{ nodeId: 'a1', chars: 0 }])
    expect(report.problems.map(({ code, details }) => [code, details.nodeIds])).toEqual([
      ['invalid_entry', ['../../x']],
    ])
  })

  test('text that cannot be read now is not given up: its answer waits', async () => {
    await say('Hello')
    await announce('a1')
    await keep('a1', piece('Half'))
    const broken = { ...storage, readText: () => Promise.reject(Object.assign(new Error('bad disk'), { code: 'EIO' })) }
    await using other = await openMemoryStore({ storage: broken })
    await using theirs = await other.open(session.id)
    const report = await recover(env(), theirs)
    expect(report).toMatchObject({ closed: [], problems: [{ code: 'internal' }] })
    expect((await recover(env(), session)).closed).toEqual([{ nodeId: 'a1', chars: 4 }])
  })
})

describe('kept text', () => {
  test('of an answer that is in the log is removed; that of one nobody knows stays and is told of', async () => {
    const known = await say('Hello')
    await keep(known, piece('old'))
    await keep('nobody', piece('whose?'))
    expect(await recover(env(), session)).toEqual({ ...NOTHING, strayIds: ['nobody'] })
    expect(session.partials!.list()).toEqual(['nobody'])
  })
})

describe('calls', () => {
  test('X65 of parallel calls those without a result are marked, as a chain under the one that has one', async () => {
    await say('Hello')
    const nodeId = await ask(['c1', 'pay'], ['c2', 'pay'], ['c3', 'pay'])
    await attempt(nodeId, 'c1')
    const first = await answer('c1')
    await attempt(nodeId, 'c2')
    const { calls } = await recover(env(), session)
    expect(calls.map(({ toolCallId, wasStarted, outcome }) => [toolCallId, wasStarted, outcome])).toEqual([
      ['c2', true, 'marked'],
      ['c3', false, 'marked'],
    ])
    const [second, third] = (await entries()).filter(({ type }) => type === 'message').slice(-2)
    expect([second?.parentId, third?.parentId]).toEqual([first, second?.id])
    expect(JSON.stringify(second)).toContain('may have done')
    expect(JSON.stringify(third)).toContain('has done nothing')
    expect(session.leafId).toBe(third?.id)
    expect(ran).toEqual([])
    await expectWhole()
    await expectSettled()
  })

  test('X65 of chained calls only the last is open, though a provider uses the same id again', async () => {
    await say('Hello')
    const before = await ask(['call_0', 'pay'])
    await attempt(before, 'call_0')
    await answer('call_0')
    const nodeId = await ask(['call_0', 'pay'])
    const { calls } = await recover(env(), session)
    expect(calls).toEqual([{ nodeId, toolCallId: 'call_0', name: 'pay', wasStarted: false, outcome: 'marked' }])
    expect(lineFaults((await session.line()).messages)).toEqual([])
    await expectSettled()
  })

  test('an answer that asks twice under one id gets two results', async () => {
    await say('Hello')
    await ask(['c', 'pay'], ['c', 'pay'])
    expect((await recover(env(), session)).calls).toHaveLength(2)
    const results = (await session.line()).nodes.filter((node) => node.in && node.repairs?.includes('result_missing'))
    expect(results).toEqual([])
    await expectSettled()
  })

  test('X66 those on other branches are left alone, whatever may run again', async () => {
    const first = await say('Hello')
    await ask(['c1', 'look'])
    await session.branch(first)
    await say('Elsewhere')
    const before = await logBytes()
    expect(await recover(env(), session, { rerun: 'repeatable' })).toEqual(NOTHING)
    expect(await recover(env(), session, { rerun: ['c1'] })).toEqual(NOTHING)
    expect(await logBytes()).toBe(before)
    expect(ran).toEqual([])
  })

  test('X66 with `repeatable` tools declared so run again, noted before, unless the user would have to be asked', async () => {
    await say('Hello')
    const nodeId = await ask(['c1', 'pay'], ['c2', 'look'], ['c3', 'touch'], ['c4', 'gone'])
    await attempt(nodeId, 'c1')
    const { calls } = await recover(env(), session, { rerun: 'repeatable' })
    expect(calls.map(({ toolCallId, outcome }) => [toolCallId, outcome])).toEqual([
      ['c1', 'marked'],
      ['c2', 'rerun'],
      ['c3', 'marked'],
      ['c4', 'marked'],
    ])
    expect(ran).toEqual(['look c2'])
    const noted = (await entries()).map(({ data, message }) => {
      const { toolCallId } = (data ?? message ?? {}) as { toolCallId?: string }
      return toolCallId && `${data === undefined ? 'result' : 'attempt'} ${toolCallId}`
    })
    const inOrder = ['attempt c1', 'result c1', 'attempt c2', 'result c2', 'result c3', 'result c4']
    expect(noted.filter(Boolean)).toEqual(inOrder)
    await expectWhole()
    await expectSettled()
  })

  test('X66 with a list the calls in it run again, and no others', async () => {
    await say('Hello')
    await ask(['c1', 'pay'], ['c2', 'look'], ['c3', 'touch'])
    const { calls } = await recover(env(), session, { rerun: ['c1', 'c3', 'nobody'] })
    expect(calls.map(({ outcome }) => outcome)).toEqual(['rerun', 'marked', 'rerun'])
    expect(ran).toEqual(['pay c1', 'touch c3'])
    await expectWhole()
  })

  test('nothing runs any more once it is cancelled; the rest is marked', async () => {
    await say('Hello')
    await ask(['c1', 'pay'])
    const { calls } = await recover(env(), session, { rerun: ['c1'], signal: AbortSignal.abort() })
    expect(calls).toMatchObject([{ outcome: 'marked' }])
    expect(ran).toEqual([])
    await expectWhole()
  })

  test('of an answer that was copied elsewhere, it is known that the original was started', async () => {
    const first = await say('Hello')
    const nodeId = await ask(['c1', 'pay'])
    await attempt(nodeId, 'c1')
    const known = session.tree.ids.count
    await session.edit({ operations: [{ op: 'graft', sourceId: nodeId, targetId: first, mode: 'copy' }] })
    const { ids, columns } = session.tree
    const copy = Array.from({ length: ids.count - known }, (_, i) => known + i).find((ref) =>
      columns.has(ref, Flag.copy),
    )
    await session.branch(ids.textOf(copy!))
    expect((await recover(env(), session)).calls).toMatchObject([{ toolCallId: 'c1', wasStarted: true }])
    await expectWhole()
  })
})

describe('two at once', () => {
  test('in one process: everything is written once', async () => {
    await say('Hello')
    await ask(['c1', 'pay'], ['c2', 'pay'])
    await session.append({ type: 'custom', customType: 'treeline/attempt', data: { nodeId: 'b1', command: 'make' } })
    await using second = await openMemoryStore({ storage })
    await using theirs = await second.open(session.id)
    await Promise.all([recover(env(), session), recover(env(), theirs)])
    const written = (await entries()).map(({ id, message }) => (message as { toolCallId?: string })?.toolCallId ?? id)
    expect(written.filter((id) => ['c1', 'c2', 'b1'].includes(id)).sort()).toEqual(['b1', 'c1', 'c2'])
    await using later = await store.open(session.id)
    expect(lineFaults((await later.line()).messages)).toEqual([])
  })
})

describe('commands of the user', () => {
  const typed = (nodeId: string, more: Readonly<Record<string, unknown>> = {}) =>
    session.append({
      type: 'custom',
      customType: 'treeline/attempt',
      data: { nodeId, name: 'shell', command: 'make', isExcluded: false, writer: 'gone', ...more },
    })

  test('one that was cut off is a command that says so, where it was typed', async () => {
    const parentId = await say('Hello')
    await typed('b1')
    expect(await recover(env(), session)).toEqual({ ...NOTHING, commandIds: ['b1'] })
    const entry = await session.readEntry('b1')
    expect(entry).toMatchObject({ parentId, message: { role: 'bashExecution', command: 'make', cancelled: true } })
    expect(JSON.stringify(entry)).toContain('Interrupted')
    expect(session.leafId).toBe('b1')
    await expectWhole()
    await expectSettled()
  })

  test('as the first thing in a session, twice, and kept from the model', async () => {
    await typed('b1', { isExcluded: true })
    await typed('b2')
    expect((await recover(env(), session)).commandIds).toEqual(['b1', 'b2'])
    expect(await messageOf('b1')).toMatchObject({ excludeFromContext: true })
    expect((await session.readEntry('b2'))?.parentId).toBe('b1')
    expect((await session.line()).nodes.map((node) => node.in)).toEqual([false, true])
    await expectSettled()
  })

  test('after which the conversation went on, it stands beside that; on another branch it is left alone', async () => {
    const first = await say('Hello')
    await typed('b1')
    const leaf = await say('Went on')
    expect((await recover(env(), session)).commandIds).toEqual(['b1'])
    expect((await session.readEntry('b1'))?.parentId).toBe(first)
    expect(session.leafId).toBe(leaf)
    await typed('b2')
    await session.branch(first)
    expect(await recover(env(), session)).toEqual(NOTHING)
  })

  test('typed where calls were open, it comes after their results', async () => {
    await say('Hello')
    await ask(['c1', 'pay'])
    await typed('b1')
    const { calls, commandIds } = await recover(env(), session)
    expect([calls.length, commandIds]).toEqual([1, ['b1']])
    expect(session.leafId).toBe('b1')
    await expectWhole()
    await expectSettled()
  })

  test('one that runs now is left alone', async () => {
    let during: unknown
    const looked = Promise.withResolvers<void>()
    const stop = new AbortController()
    const done = runShellCommand({ ...testEnv(), cwd: process.cwd() }, session, {
      command: 'echo here; exec sleep 600',
      isExcluded: false,
      signal: stop.signal,
      onOutput: async () => {
        await using other = await store.open(session.id)
        during = await recover(env(), other)
        looked.resolve()
      },
    })
    await looked.promise
    stop.abort()
    const { entry } = await done
    expect(during).toEqual({ ...NOTHING, runningIds: [entry.id] })
  })

  test.each([{}, { nodeId: '../x', command: 'make' }, { nodeId: 'b1' }, { nodeId: 7, command: 'make' }, null, 'text'])(
    'K3 an attempt that says %j is passed over',
    async (data) => {
      await say('Hello')
      await session.append({ type: 'custom', customType: 'treeline/attempt', data })
      expect(await recover(env(), session)).toEqual(NOTHING)
    },
  )
})

describe('sessions that cannot be written to', () => {
  test('say what stays as it is; those that are in order say nothing', async () => {
    await say('Hello')
    const sound = await store.open(session.id, { readOnly: true })
    expect(await recover(env(), sound)).toEqual(NOTHING)
    await sound.close()
    await ask(['c1', 'pay'])
    await using reader = await store.open(session.id, { readOnly: true })
    const before = await logBytes()
    const report = await recover(env(), reader, { rerun: ['c1'] })
    expect(report).toMatchObject({ closed: [], calls: [], problems: [{ code: 'forbidden' }] })
    expect(report.problems[0]?.message).toContain('1 tool call')
    expect(await logBytes()).toBe(before)
    expect(ran).toEqual([])
  })

  test('another tool’s log is left as it is, and that is told', async () => {
    await say('Hello')
    await ask(['c1', 'pay'])
    const path = '/elsewhere/pi.jsonl'
    const text = await logBytes()
    storage.ensureDirSync('/elsewhere')
    storage.writeTextSync(path, text)
    await using foreign = await store.openPath(path)
    expect(foreign.access).toEqual({ mode: 'read', reason: 'foreign' })
    expect((await recover(env(), foreign)).problems).toMatchObject([{ code: 'forbidden' }])
    expect(await storage.readText(path)).toBe(text)
  })

  test('R3 a log that takes nothing more is a coded error, and nothing was half done', async () => {
    await say('Hello')
    await ask(['c1', 'pay'])
    const full: SessionStorage = {
      ...storage,
      openWriter: (path, options) => {
        const writer = storage.openWriter(path, options)
        writer.writeSync = () => {
          throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
        }
        return writer
      },
    }
    await using other = await openMemoryStore({ storage: full })
    await using theirs = await other.open(session.id)
    const failed = await recover(env(), theirs).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(TreelineError)
    expect(failed).toMatchObject({ code: 'storage_full' })
    expect((await recover(env(), session)).calls).toHaveLength(1)
    await expectWhole()
  })
})
