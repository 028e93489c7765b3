import { type CompactionEntry, type EntryDraft, estimateTokens } from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AgentEnv } from '../env.ts'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { assistantSays, toolStep, userSays } from '../testing/say.ts'
import { askedText, type Script, type ScriptedModel, scriptedModel } from '../testing/scripted-model.ts'
import { testEnv } from '../testing/test-env.ts'
import { type CompactOptions, compact } from './compact.ts'
import { lineOptions } from './line-options.ts'
import { neovatePolicy } from './neovate-policy.ts'
import { piPolicy } from './pi-policy.ts'
import type { CompactionReport } from './report.ts'

let session: Session
beforeEach(async () => {
  session = await (await openMemoryStore()).create({ cwd: '/project' })
})
afterEach(() => session.close())

const signal = new AbortController().signal
/** Keeps about two of the messages that `long` makes. */
const policy = piPolicy({ reserveTokens: 1_000, keepRecentTokens: 150 })
const long = (mark: string, chars = 400) => `${mark} ${'x'.repeat(chars - mark.length - 1)}`

function setUp(script: Script = () => '## Goal\nShip it. Soon.', parts: Partial<AgentEnv> = {}, window = 20_000) {
  const model = scriptedModel({ script, info: { contextWindow: window, maxOutput: 1_024 } })
  return { model, env: testEnv({ model, policy, ...parts }) }
}

async function addAll(drafts: readonly EntryDraft[]): Promise<string[]> {
  const ids: string[] = []
  for (const draft of drafts) ids.push((await session.append(draft)).id)
  return ids
}

/** `q0 a0 q1 a1 …` */
const turns = (count: number) =>
  Array.from({ length: count }, (_, i) => [userSays(long(`q${i}`)), assistantSays(long(`a${i}`))]).flat()

async function run(env: AgentEnv, model: ScriptedModel, options: Partial<CompactOptions> = {}) {
  return (await compact(env, session, { model, reason: 'manual', signal, ...options })) as CompactionReport
}

const entryOf = async ({ nodeId }: CompactionReport) => (await session.readEntry(nodeId)) as unknown as CompactionEntry

async function lineText(env: AgentEnv, leafId = session.leafId): Promise<string> {
  const { messages } = await session.line({ leafId, ...(await lineOptions(env, session, leafId)) })
  return JSON.stringify(messages)
}

describe('a compaction', () => {
  test('S10 X61 is a node that says what it covers; the line has the summary and what is kept', async () => {
    const { env, model } = setUp()
    const ids = await addAll(turns(4))
    const report = await run(env, model, { by: 'ann' })
    expect(report).toMatchObject({
      coveredIds: ids.slice(0, 6),
      keptIds: ids.slice(6),
      policy: 'pi',
      splitsTurn: false,
      shortSummary: 'Ship it.',
    })
    expect(await entryOf(report)).toMatchObject({
      type: 'compaction',
      parentId: ids[7],
      firstKeptEntryId: ids[6],
      summary: '## Goal\nShip it. Soon.',
      shortSummary: 'Ship it.',
      tokensBefore: 800,
      details: { summarizedFrom: ids.slice(0, 6), policy: 'pi', reason: 'manual', readFiles: [], splitsTurn: false },
      usage: { input: 100, output: 20 },
    })
    expect(session.leafId).toBe(report.nodeId)
    const text = await lineText(env)
    expect(text).toContain('Ship it. Soon.')
    expect(text).toContain('q3')
    expect(text).not.toContain('a2 ')
    expect(estimateTokens((await session.line()).messages)).toBeLessThanOrEqual(report.tokensAfter)
    await session.undo({ by: 'ann' })
    expect(await lineText(env)).toContain('q0')
  })

  test('M13 asks for the headings, with the conversation tagged and instructions told', async () => {
    const { env, model } = setUp()
    await addAll(turns(4))
    await run(env, model, { instructions: 'Mind the </instructions> API' })
    const asked = askedText(model.calls[0]!)
    for (const heading of [
      'Goal',
      'Constraints & Preferences',
      'Progress',
      'Key Decisions',
      'Next Steps',
      'Critical Context',
    ])
      expect(asked).toContain(`## ${heading}\n`)
    for (const part of ['### Done', '### In Progress', '### Blocked']) expect(asked).toContain(part)
    expect(asked).toContain('<conversation>\n<message from="user">\nq0')
    expect(asked).toContain('Mind the &lt;/instructions> API')
    expect(asked).not.toContain('q3')
  })

  test('M12 takes the notes so far along, without their lists of files', async () => {
    const { env, model } = setUp((_, index) => `## Goal\nNotes ${index}.`)
    await addAll([...toolStep('c1', 'read', { path: 'a.ts' }, long('r')), ...turns(3)])
    const first = await run(env, model)
    await addAll(turns(3))
    const second = await run(env, model)
    const asked = askedText(model.calls[1]!)
    expect(asked).toContain('<summary>\n## Goal\nNotes 0.\n</summary>')
    expect(asked).not.toContain('a.ts')
    expect(second.previousId).toBe(first.nodeId)
    expect(second.coveredIds).toHaveLength(6)
    expect(second.coveredIds).not.toContain(first.nodeId)
    expect(second.coveredIds.slice(0, 2)).toEqual(first.keptIds)
    expect(await lineText(env)).not.toContain('Notes 0')
  })

  test('M12 a turn that the cut goes through is told in notes of its own', async () => {
    const { env, model } = setUp((question) =>
      askedText(question).includes('## Request') ? 'TURN NOTES' : 'HISTORY NOTES',
    )
    await addAll([...turns(1), userSays(long('fix it'))])
    await addAll([1, 2, 3, 4].flatMap((i) => toolStep(`c${i}`, 'bash', { command: `run ${i}` }, long(`out${i}`, 300))))
    const report = await run(env, model)
    expect(report.splitsTurn).toBe(true)
    expect(report.summary).toMatch(/^HISTORY NOTES\n\n---\n\n#.*\n\nTURN NOTES$/)
    expect(askedText(model.calls[0]!)).toContain('q0')
    expect(askedText(model.calls[0]!)).not.toContain('fix it')
    expect(askedText(model.calls[1]!)).toContain('fix it')
    const { messages } = await session.line()
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  test('M12 a turn that is cut again is told in one piece with the notes on its beginning', async () => {
    const { env, model } = setUp((_, index) => `NOTES ${index}`)
    await addAll([userSays('fix the FOO')])
    const steps = (mark: string) =>
      [1, 2, 3, 4].flatMap((i) => toolStep(`${mark}${i}`, 'bash', { command: mark }, long(mark, 300)))
    await addAll(steps('a'))
    await run(env, model)
    await addAll(steps('b'))
    const report = await run(env, model)
    expect(report).toMatchObject({ splitsTurn: true, summary: 'NOTES 1' })
    // What was asked for stands in the notes so far alone.
    expect(askedText(model.calls[1]!)).toContain('<summary>\nNOTES 0\n</summary>')
    expect(askedText(model.calls[1]!)).not.toContain('## Request')
  })

  test('how much is kept goes by the estimator there is', async () => {
    const estimate = (messages: Parameters<AgentEnv['estimate']>[0]) => estimateTokens(messages) * 3
    const parts = { policy: piPolicy({ reserveTokens: 1_000, keepRecentTokens: 600 }), estimate }
    const { env, model } = setUp(undefined, parts)
    const ids = await addAll(turns(4))
    expect((await run(env, model)).keptIds).toEqual(ids.slice(6))
  })

  test('X60 several prompts that wait are all kept, as long as they fit', async () => {
    const { env, model } = setUp(undefined, { policy: neovatePolicy() }, 3_000)
    const ids = await addAll([...turns(4), userSays('first'), userSays('second')])
    const report = await run(env, model, { reason: 'threshold', pendingId: ids[9] })
    expect(report.keptIds).toEqual(ids.slice(8))
    const more = await addAll([assistantSays('ok'), userSays(long('large', 8_000)), userSays(long('small', 4_000))])
    expect((await run(env, model, { reason: 'threshold' })).keptIds).toEqual([more[2]])
  })

  test('X60 keeps the prompt that waits, word for word, whatever its size', async () => {
    const { env, model } = setUp(undefined, {}, 3_000)
    const prompt = long('please', 6_000)
    const ids = await addAll([...turns(4), userSays(prompt)])
    const report = await run(env, model, { reason: 'threshold', pendingId: ids[8] })
    expect(report.keptIds).toEqual([ids[8]])
    expect(await lineText(env)).toContain(prompt)
  })

  test('a prompt that is too long by itself is refused before any model is asked, naming tokens and window', async () => {
    const { env, model } = setUp(undefined, {}, 3_000)
    await addAll([...turns(4), userSays(long('please', 16_000))])
    const attempt = run(env, model, { reason: 'threshold' })
    await expect(attempt).rejects.toMatchObject({
      code: 'context_overflow',
      message: expect.stringMatching(/4000 .* 3000/),
    })
    expect(model.calls).toHaveLength(0)
  })

  test('what is kept is less when it would not fit', async () => {
    const { env, model } = setUp(undefined, {}, 3_000)
    await addAll([...turns(1), ...toolStep('c1', 'read', { path: 'a' }, long('huge', 14_000))])
    const report = await run(env, model, { reason: 'threshold' })
    expect(report.keptIds).toEqual([])
    expect((await entryOf(report)).firstKeptEntryId).toBe(report.nodeId)
    expect(report.tokensAfter).toBeLessThan(3_000)
    expect((await session.line()).messages.map(({ role }) => role)).toEqual(['user'])
  })

  test('what is muted, failed or kept from the model is neither summarised nor said to be covered', async () => {
    const { env, model } = setUp()
    const ids = await addAll([
      userSays(long('MUTED')),
      assistantSays(long('FAILED'), { stopReason: 'error' }),
      { type: 'message', message: { role: 'bashExecution', command: 'KEY', output: 'KEY', excludeFromContext: true } },
      ...turns(4),
    ])
    await session.edit({ operations: [{ op: 'mute', nodeIds: [ids[0]!, ids[4]!] }] })
    const report = await run(env, model)
    const asked = askedText(model.calls[0]!)
    for (const hidden of ['MUTED', 'FAILED', 'KEY', 'a0']) expect(asked).not.toContain(hidden)
    expect(report.coveredIds).toEqual([ids[3], ...ids.slice(5, 9)])
    expect(report.leftOut).toEqual([{ nodeId: ids[4], in: false, reason: 'muted' }])
  })

  test('a message that was reworded is summarised as the model saw it', async () => {
    const { env, model } = setUp()
    const [first] = await addAll(turns(4))
    await addAll([
      { type: 'context_edit', targetId: first, replacement: { content: 'REWORDED' } },
      userSays(long('end')),
    ])
    await run(env, model)
    expect(askedText(model.calls[0]!)).toContain('REWORDED')
    expect(askedText(model.calls[0]!)).not.toContain('q0')
  })

  test('pinned nodes stay in sight, word for word', async () => {
    const { env, model } = setUp()
    const ids = await addAll(turns(4))
    await session.edit({ operations: [{ op: 'meta', nodeId: ids[1]!, patch: { pinned: true } }] })
    const report = await run(env, model)
    expect(report.pinnedIds).toEqual([ids[1]])
    expect(await lineText(env)).toContain(long('a0'))
    expect(await lineText(env)).not.toContain('q0')
  })

  test('M16 files add up over compactions and branch summaries; calls that failed count for nothing', async () => {
    const { env, model } = setUp()
    await addAll([
      ...toolStep('c1', 'read', { path: 'b.ts' }, 'text'),
      ...toolStep('c2', 'read', { path: 'a.ts' }, 'text'),
      ...toolStep('c3', 'edit', { path: 'nope.ts' }, 'denied', true),
      ...turns(3),
    ])
    const first = await run(env, model)
    expect(first).toMatchObject({ readFiles: ['a.ts', 'b.ts'], modifiedFiles: [] })
    expect(first.summary).toBe('## Goal\nShip it. Soon.\n\n<read-files>\na.ts\nb.ts\n</read-files>')
    await addAll([
      {
        type: 'branch_summary',
        fromId: 'root',
        summary: 'tried',
        details: { readFiles: ['c.ts'], modifiedFiles: ['d.ts'] },
      },
      ...toolStep('c4', 'write', { path: 'a.ts' }, 'ok'),
      ...turns(3),
    ])
    const second = await run(env, model)
    expect(second).toMatchObject({ readFiles: ['b.ts', 'c.ts'], modifiedFiles: ['a.ts', 'd.ts'] })
    expect(second.summary).toContain('<modified-files>\na.ts\nd.ts\n</modified-files>')
    expect((await entryOf(second)).details).toMatchObject({ readFiles: ['b.ts', 'c.ts'], previousId: first.nodeId })
  })

  test('a system prompt above it is restated, and again by the next one', async () => {
    const { env, model } = setUp()
    const system = (content: string, sections: object) => ({
      type: 'message',
      message: { role: 'system', content, sections },
    })
    await addAll([
      system('You are careful.', { style: 'terse', tools: 'old' }),
      ...turns(2),
      system('', { tools: 'new', style: null }),
      ...turns(2),
    ])
    const first = await run(env, model)
    const stated = { role: 'system', content: 'You are careful.', sections: { tools: 'new' } }
    expect((await entryOf(first)).systemMessage).toMatchObject(stated)
    const lead = async () => (await session.line()).messages[0]
    expect(await lead()).toMatchObject({ role: 'system', content: [{ type: 'text', text: 'You are careful.\n\nnew' }] })
    await addAll(turns(3))
    const second = await run(env, model)
    expect((await entryOf(second)).systemMessage).toMatchObject(stated)
    expect(askedText(model.calls[1]!)).not.toContain('careful')
    expect(await lead()).toMatchObject({ role: 'system' })
  })

  test('a summary made for a larger model is written anew when it is all there is', async () => {
    const { env, model } = setUp(() => 'Short.', {}, 2_000)
    await addAll([{ type: 'compaction', summary: long('old', 12_000), firstKeptEntryId: 'none', tokensBefore: 1 }])
    const [id] = await addAll([userSays('Go on')])
    const report = await run(env, model, { reason: 'threshold' })
    expect(report).toMatchObject({ summary: 'Short.', coveredIds: [], keptIds: [id] })
    expect(model.calls.length).toBeGreaterThan(1)
  })

  test('nothing to cover gives nothing, and nothing is written', async () => {
    const { env, model } = setUp()
    expect(await run(env, model)).toBeUndefined()
    await addAll([userSays('Hi')])
    const { seq } = session
    expect(await run(env, model)).toBeUndefined()
    expect(await run(env, model, { reason: 'overflow' })).toBeUndefined()
    await addAll(turns(3))
    await run(env, model)
    expect(await run(env, model, { reason: 'threshold' })).toBeUndefined()
    expect(session.seq).toBeGreaterThan(seq)
  })

  test('names at most ten thousand nodes, the newest, and says how many there are', async () => {
    const { env, model } = setUp(undefined, {}, 1_000_000)
    const ids = (await session.appendAll(Array.from({ length: 10_100 }, (_, i) => userSays(`q${i}`)))).map(
      ({ id }) => id,
    )
    await addAll(turns(2))
    const report = await run(env, model)
    expect(report.coveredIds.length).toBeGreaterThan(10_100)
    const { summarizedFrom, summarizedCount } = (await entryOf(report)).details as Record<string, unknown>
    expect(summarizedFrom).toEqual(report.coveredIds.slice(-10_000))
    expect(summarizedCount).toBe(report.coveredIds.length)
    expect(report.coveredIds[0]).toBe(ids[0])
  })

  test('by hand a conversation shorter than what is kept is covered up to its last turn', async () => {
    const { env, model } = setUp(
      undefined,
      { policy: piPolicy({ reserveTokens: 1_000, keepRecentTokens: 20_000 }) },
      200_000,
    )
    const ids = await addAll(turns(3))
    expect(await run(env, model, { reason: 'threshold' })).toBeUndefined()
    expect((await run(env, model)).keptIds).toEqual(ids.slice(4))
  })

  test('after a refusal of the provider less is kept than the estimate allows', async () => {
    const parts = { policy: piPolicy({ reserveTokens: 1_000, keepRecentTokens: 2_000 }) }
    const { env, model } = setUp(undefined, parts, 10_000)
    await addAll(turns(6))
    const report = await run(env, model, { reason: 'overflow' })
    expect(report.coveredIds.length).toBeGreaterThan(6)
  })

  test('an answer that is still being generated is refused at once', async () => {
    const { env, model } = setUp()
    await addAll(turns(4))
    const data = { nodeId: 'b0000001', model: 'scripted/one' }
    await session.append({ type: 'custom', customType: 'treeline/generation', data })
    await expect(run(env, model)).rejects.toMatchObject({ code: 'parent_generating' })
    await expect(run(env, model, { tipId: 'nowhere' })).rejects.toMatchObject({ code: 'node_not_found' })
    expect(model.calls).toHaveLength(0)
  })

  test('what is deleted or in the stash is refused before any model is asked', async () => {
    const { env, model } = setUp()
    const ids = await addAll(turns(5))
    await session.edit({ operations: [{ op: 'delete', nodeIds: [ids[9]!], how: 'splice' }] })
    await expect(run(env, model, { tipId: ids[9]! })).rejects.toMatchObject({ code: 'node_not_found' })
    await session.edit({ operations: [{ op: 'prune', nodeId: ids[7]! }] })
    await expect(run(env, model, { tipId: ids[8]! })).rejects.toMatchObject({ code: 'node_detached' })
    expect(model.calls).toHaveLength(0)
  })

  test('when the user has gone elsewhere meanwhile the leaf stays there, and the summary is where it belongs', async () => {
    const ids: string[] = []
    const { env, model } = setUp(async () => {
      await session.branch(ids[1]!)
      await session.append(userSays('elsewhere'))
      return 'Notes.'
    })
    ids.push(...(await addAll(turns(4))))
    const report = await run(env, model)
    expect((await entryOf(report)).parentId).toBe(ids[7])
    expect((await session.readEntry(session.leafId!))?.message).toMatchObject({ content: 'elsewhere' })
    expect(await lineText(env, report.nodeId)).toContain('Notes.')
  })
})

describe('the summary', () => {
  test('is written in as many steps as it takes, each with the notes before it', async () => {
    const { env, model } = setUp((_, index) => `Notes ${index}.`, {}, 4_096)
    await addAll(Array.from({ length: 24 }, (_, i) => [userSays(long(`q${i}`, 1_200)), assistantSays('ok')]).flat())
    const report = await run(env, model)
    expect(model.calls.length).toBeGreaterThan(2)
    for (const [i, question] of model.calls.entries()) {
      expect(
        estimateTokens([{ role: 'user', content: [{ type: 'text', text: askedText(question) }], nodeIds: [] }]),
      ).toBeLessThan(4_096)
      if (i > 0) expect(askedText(question)).toContain(`<summary>\nNotes ${i - 1}.\n</summary>`)
    }
    const all = model.calls.map(askedText).join('\n')
    for (let i = 0; i < 20; i++) expect(all).toContain(`q${i} `)
    expect(report.summary).toBe(`Notes ${model.calls.length - 1}.`)
    expect((await entryOf(report)).usage?.input).toBe(100 * model.calls.length)
  })

  test('one message longer than the window is divided, not lost', async () => {
    const { env, model } = setUp((_, index) => `Notes ${index}.`, {}, 4_096)
    await addAll([userSays(`START ${'x'.repeat(40_000)} END`), assistantSays('ok'), ...turns(2)])
    await run(env, model)
    const all = model.calls.map(askedText).join('\n')
    expect(all).toContain('START')
    expect(all).toContain('END\n</message>')
  })

  test('a model that says it was too much gets less at a time', async () => {
    const overflow = Object.assign(new Error('prompt is too long'), { statusCode: 400 })
    const script: Script = (question) => (askedText(question).length > 9_000 ? { error: overflow } : 'Notes.')
    const { env, model } = setUp(script, {}, 128_000)
    await addAll([...Array.from({ length: 12 }, (_, i) => userSays(long(`q${i}`, 1_500))), ...turns(2)])
    const report = await run(env, model)
    expect(report.summary).toBe('Notes.')
    expect(model.calls.length).toBeGreaterThan(3)
  })

  test.each([
    ['blank', '<think>hm</think> \n', /^Generated summary is empty/],
    ['cut off', { text: 'Half', finish: 'length' as const }, /did not finish the summary within \d+ tokens/],
  ])('that is %s is an error, and nothing is written', async (_, said, message) => {
    const { env, model } = setUp(() => said)
    await addAll(turns(4))
    const { seq } = session
    await expect(run(env, model)).rejects.toMatchObject({
      code: 'provider_error',
      message: expect.stringMatching(message),
    })
    expect(session.seq).toBe(seq)
  })

  test('that is too long for what was kept is written again; what both cost is told', async () => {
    const { env, model } = setUp((_, index) => (index === 0 ? long('endless', 80_000) : 'Short.'))
    const ids = await addAll([...turns(4), userSays('Go on')])
    const report = await run(env, model)
    expect(report).toMatchObject({ summary: 'Short.', keptIds: [ids[8]] })
    expect((await entryOf(report)).usage).toMatchObject({ input: 200, output: 40 })
  })

  test('a dead provider and a cancelled call leave everything as it was', async () => {
    const { env, model } = setUp(() => ({ error: new Error('boom') }))
    await addAll(turns(4))
    const { seq } = session
    await expect(run(env, model)).rejects.toMatchObject({ code: 'provider_error' })
    await expect(run(env, model, { signal: AbortSignal.abort() })).rejects.toThrow()
    expect(session.seq).toBe(seq)
  })

  test('S9 is written by the model with that role; by the one of the turn when it cannot be opened', async () => {
    const { model } = setUp()
    const other = scriptedModel({ ref: 'scripted/cheap', script: () => 'Cheap notes.' })
    const settings = { ...DEFAULT_SETTINGS, roles: { summary: 'scripted/cheap' } }
    await addAll(turns(4))
    const notices: unknown[] = []
    const onNotice = (problem: unknown) => notices.push(problem)
    const report = await run(testEnv({ model: other, policy, settings }), model, { onNotice })
    expect(report.summary).toBe('Cheap notes.')
    await addAll(turns(3))
    expect((await run(testEnv({ model, policy, settings }), model, { onNotice })).summary).toContain('Ship it.')
    expect(notices).toHaveLength(1)
  })
})

describe('hooks', () => {
  test('one before may give the summary: no model is asked', async () => {
    const seen: unknown[] = []
    const hooks = {
      beforeCompaction: (_: Session, what: object) => {
        seen.push(what)
        return { action: 'replace' as const, value: { summary: 'By hand.' } }
      },
      afterCompaction: (_: Session, report: CompactionReport) => void seen.push(report.nodeId),
    }
    const { env, model } = setUp(undefined, { hooks })
    const ids = await addAll(turns(4))
    const report = await run(env, model)
    expect(await entryOf(report)).toMatchObject({ summary: 'By hand.', fromHook: true, fromExtension: true })
    expect((await entryOf(report)).usage).toBeUndefined()
    expect(seen).toEqual([{ coveredIds: ids.slice(0, 6), previousSummary: undefined }, report.nodeId])
    expect(model.calls).toHaveLength(0)
  })

  test('one before may cancel, by saying so or by failing', async () => {
    const answers = [
      () => ({ action: 'cancel' as const, reason: 'not now' }),
      () => Promise.reject(new Error('broken')),
    ]
    for (const [i, beforeCompaction] of answers.entries()) {
      const { env, model } = setUp(undefined, { hooks: { beforeCompaction } })
      await addAll(turns(4))
      const { seq } = session
      const message = expect.stringContaining(['not now', 'broken'][i]!)
      await expect(run(env, model)).rejects.toMatchObject({ code: 'forbidden', message })
      expect(session.seq).toBe(seq)
    }
  })

  test.each([
    ['nothing', undefined],
    ['a blank text', { summary: ' \n' }],
    ['no text', { summary: 7 }],
  ])('one before that gives %s for a summary is refused with a code, and nothing is written', async (_, value) => {
    const beforeCompaction = () => ({ action: 'replace', value }) as never
    const { env, model } = setUp(undefined, { hooks: { beforeCompaction } })
    await addAll(turns(4))
    const { seq } = session
    await expect(run(env, model)).rejects.toMatchObject({ code: 'forbidden', message: expect.stringMatching(/hook/) })
    expect(session.seq).toBe(seq)
    expect(model.calls).toHaveLength(0)
  })

  test('one after that fails takes nothing back', async () => {
    const { env, model } = setUp(undefined, { hooks: { afterCompaction: () => Promise.reject(new Error('late')) } })
    await addAll(turns(4))
    const notices: unknown[] = []
    const report = await run(env, model, { onNotice: (problem) => notices.push(problem) })
    expect(session.leafId).toBe(report.nodeId)
    expect(notices).toEqual([new Error('late')])
  })
})
