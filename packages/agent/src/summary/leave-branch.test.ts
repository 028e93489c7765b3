import { GENERATION_TYPE, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEnv } from '../env.ts'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { askedText, type Script, scriptedModel } from '../testing/scripted-model.ts'
import { testEnv } from '../testing/test-env.ts'
import { type LeaveRequest, leaveBranch } from './leave-branch.ts'
import { answer, ask, callTool, converse, lineBytes, openStore, stores, trunkOf } from './testing/stores.ts'

const { signal } = new AbortController()

function setUp(script: Script = () => 'What was tried.', info = {}, parts: Partial<AgentEnv> = {}) {
  const model = scriptedModel({ script, info })
  const env = testEnv({ model, ...parts })
  const leave = (session: Session, request: Partial<LeaveRequest> & Pick<LeaveRequest, 'toId'>) =>
    leaveBranch(env, session, { model, signal, ...request })
  return { model, env, leave, asked: () => askedText(model.calls.at(-1)!) }
}

/** u1 → a1 → { u2 → a2, u3 → a3 }, the leaf at a3. */
async function grow(session: Session): Promise<void> {
  await converse(session, 'u1', 'a1', 'u2', 'a2')
  await session.branch('a1')
  await converse(session, 'u3', 'a3')
}

describe.each(stores)('leaving a branch, %s store', (kind) => {
  test('M8 without a summary only the leaf moves, and undo brings it back', async () => {
    await using store = await openStore(kind)
    const session = await store.create()
    await grow(session)
    const { leave, model } = setUp()
    expect(await leave(session, { toId: 'a2', label: 'here' })).toEqual({ leafId: 'a2' })
    expect(await trunkOf(session)).toEqual(['u1', 'a1', 'u2', 'a2'])
    expect(session.tree.edits.labels.get('a2')).toMatchObject({ label: 'here' })
    expect(model.calls).toEqual([])
    await session.undo()
    expect([session.leafId, session.tree.edits.labels.size]).toEqual(['a3', 0])
    expect(await leave(session, { toId: null })).toEqual({ leafId: null })
    expect(await trunkOf(session)).toEqual([])
  })

  test('M15, T17 with one: the branch is told to the model, and its notes are the node one goes on from', async () => {
    await using store = await openStore(kind)
    const session = await store.create()
    await grow(session)
    const { leave, asked } = setUp()
    const { leafId, summaryId } = await leave(session, { toId: 'a2', summarise: true, label: 'tried', by: 'ann' })
    expect(leafId).toBe(summaryId)
    expect(await trunkOf(session)).toEqual(['u1', 'a1', 'u2', 'a2', summaryId])
    expect(asked()).toContain('says u3')
    expect(asked()).toContain('says a3')
    expect(asked()).not.toContain('says u1')
    expect(asked()).not.toContain('says a2')
    expect(await session.readEntry(summaryId!)).toMatchObject({
      type: 'branch_summary',
      parentId: 'a2',
      fromId: 'a2',
      summary: 'What was tried.',
      details: { readFiles: [], modifiedFiles: [], leftLeafId: 'a3', summarizedFrom: ['u3', 'a3'] },
      usage: { input: 100, output: 20 },
    })
    expect(session.tree.edits.labels.get(summaryId!)).toMatchObject({ label: 'tried' })
    const again = await store.open(session.id)
    expect(again.leafId).toBe(summaryId)
    await again.undo({ by: 'ann' })
    expect(again.leafId).toBe('a3')
  })

  test('to a new start: all that was said is left, and the summary is a root', async () => {
    await using store = await openStore(kind)
    const session = await store.create()
    await grow(session)
    const { leave } = setUp()
    const { summaryId } = await leave(session, { toId: null, summarise: true })
    expect(await session.readEntry(summaryId!)).toMatchObject({
      parentId: null,
      fromId: 'root',
      details: { summarizedFrom: ['u1', 'a1', 'u3', 'a3'] },
    })
    expect(await trunkOf(session)).toEqual([summaryId])
  })

  test('where one is already, and further down the same branch, there is nothing to summarise', async () => {
    await using store = await openStore(kind)
    const session = await store.create()
    await grow(session)
    await session.append({ type: 'model_change', id: 'm1', model: 'p/big' })
    const { leave, model } = setUp()
    const { seq } = session
    expect(await leave(session, { toId: 'a3', summarise: true })).toEqual({ leafId: 'm1' })
    expect(session.seq).toBe(seq)
    await session.branch('a1')
    expect(await leave(session, { toId: 'a3', summarise: true })).toEqual({ leafId: 'a3' })
    expect(model.calls).toEqual([])
  })

  test('property: leaving and coming back loses no node, and undo gives the old line back to the byte', async () => {
    await using store = await openStore(kind)
    const step = fc.record({ at: fc.nat(20), say: fc.constantFrom('u', 'a', 'model'), summarise: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        const session = await store.create()
        const { leave } = setUp()
        const ids = ['u0']
        await ask(session, 'u0')
        for (const [i, { at, say, summarise }] of steps.entries()) {
          const toId = ids[at % ids.length]!
          const { leafId } = session
          const before = await lineBytes(session)
          const seen = session.seq
          await leave(session, { toId, summarise })
          if (session.seq > seen) {
            await session.undo()
            expect([session.leafId, await lineBytes(session)]).toEqual([leafId, before])
            await leave(session, { toId, summarise })
          }
          const id = say === 'model' ? `m${i}` : `${say}${i + 1}`
          if (say === 'model') await session.append({ type: 'model_change', id, model: 'p/x' })
          else await converse(session, id)
          ids.push(id)
        }
        const again = await store.open(session.id)
        expect(again.leafId).toBe(session.leafId)
        for (const id of ids) {
          await again.branch(id)
          expect(again.leafId).toBe(id)
        }
        expect(again.report().problems).toEqual([])
        await again.close()
        await session.close()
      }),
      { numRuns: kind === 'memory' ? 40 : 8 },
    )
  })
})

describe('what a summary is made from', () => {
  test('M16 files of calls and of earlier summaries add up; a failed call and a hook count for nothing', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await converse(session, 'u1', 'a1', 'u2')
    await callTool(session, 'a2', { name: 'read', arguments: { path: 'src/a.ts' } })
    await callTool(session, 'a3', { name: 'edit', arguments: { path: 'src/b.ts' } })
    await callTool(session, 'a4', { name: 'write', arguments: { path: 'failed.ts' } }, { isError: true })
    const details = { readFiles: ['old.ts', 'src/b.ts'], modifiedFiles: ['new.ts'] }
    await session.append({ type: 'branch_summary', fromId: 'u2', summary: 'older', details })
    const hooked = { readFiles: ['hook.ts'], modifiedFiles: [] }
    await session.append({ type: 'branch_summary', fromId: 'u2', summary: 'by hook', details: hooked, fromHook: true })
    await session.append({ type: 'compaction', summary: 'all', tokensBefore: 1, details: { readFiles: ['c.ts'] } })
    const { leave, asked } = setUp()
    const { summaryId } = await leave(session, { toId: 'a1', summarise: true })
    const entry = await session.readEntry(summaryId!)
    expect(entry).toMatchObject({
      details: { readFiles: ['c.ts', 'old.ts', 'src/a.ts'], modifiedFiles: ['new.ts', 'src/b.ts'] },
    })
    expect(entry?.summary).toBe(
      'What was tried.\n\n<read-files>\nc.ts\nold.ts\nsrc/a.ts\n</read-files>\n\n' +
        '<modified-files>\nnew.ts\nsrc/b.ts\n</modified-files>',
    )
    for (const text of ['older', 'by hook', 'src/a.ts']) expect(asked()).toContain(text)
  })

  test('what the user keeps from the model is kept from this one too', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await converse(session, 'u1', 'a1', 'u2', 'a2', 'u3')
    const secret = {
      role: 'bashExecution',
      command: 'cat secret',
      output: 's3cret',
      cancelled: false,
      truncated: false,
    }
    await session.append({ type: 'message', message: { ...secret, excludeFromContext: true } })
    await answer(session, 'a3', 'half an answer', { stopReason: 'error', errorMessage: 'broke' })
    await session.append({ type: 'context_edit', targetId: 'u3', replacement: { content: 'other words' } })
    await converse(session, 'u4')
    await session.append({ type: 'context_edit', targetId: 'u4', replacement: null })
    await session.edit({ operations: [{ op: 'mute', nodeIds: ['a2'] }] })
    const { leave, asked } = setUp()
    const { summaryId } = await leave(session, { toId: 'a1', summarise: true })
    for (const text of ['says a2', 's3cret', 'half an answer', 'says u3', 'says u4'])
      expect(asked()).not.toContain(text)
    for (const text of ['says u2', 'other words']) expect(asked()).toContain(text)
    expect(await session.readEntry(summaryId!)).toMatchObject({ details: { summarizedFrom: ['u2', 'u3'] } })
  })

  test('a copied branch is told by its originals, with their edits', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await converse(session, 'u1', 'a1', 'u2')
    await session.append({ type: 'context_edit', targetId: 'u2', replacement: { content: 'said anew' } })
    await converse(session, 'a2')
    const idMap = { u2: 'k1', a2: 'k2' }
    await session.edit({ operations: [{ op: 'graft', sourceId: 'u2', targetId: 'u1', mode: 'copy', idMap }] })
    await session.branch('k2')
    const { leave, asked } = setUp()
    const { summaryId } = await leave(session, { toId: 'a2', summarise: true })
    expect(asked()).toContain('said anew')
    expect(await session.readEntry(summaryId!)).toMatchObject({ details: { summarizedFrom: ['k1', 'k2'] } })
  })

  test('the newest fit, what is missing is counted, and tool results take only the room that is left', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await converse(session, 'u1', 'a1')
    for (let i = 0; i < 40; i++) await ask(session, `u1${i}`, `<${i}> ${'x'.repeat(1_000)}`)
    await callTool(session, 'a2', { name: 'read', arguments: { path: 'big' } }, { text: `result ${'y'.repeat(9_000)}` })
    const { leave, asked } = setUp(() => 'Short.', { contextWindow: 8_000 })
    const { summaryId } = await leave(session, { toId: 'a1', summarise: true })
    expect(asked()).toContain('<39> ')
    expect(asked()).not.toContain('<0> ')
    expect(asked().length).toBeLessThan(8_000 * 4)
    const { details } = (await session.readEntry(summaryId!)) as unknown as { details: { summarizedFrom: string[] } }
    const shown = details.summarizedFrom
    expect(shown.at(-1)).toMatch(/^a2/)
    expect(asked()).toContain(`[${42 - shown.length} earlier messages and tool results are not shown`)
    expect(asked()).not.toContain('y'.repeat(2_001))
  })

  test('a message that is longer than all the room is cut, not lost; a summary is taken beyond it', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await converse(session, 'u1', 'a1')
    await session.append({ type: 'branch_summary', id: 's1', fromId: 'a1', summary: `older ${'z'.repeat(7_000)}` })
    await ask(session, 'u2', 'w'.repeat(11_000))
    const { leave, asked } = setUp(() => 'Short.', { contextWindow: 8_000 })
    await leave(session, { toId: 'a1', summarise: true })
    expect(asked()).toContain('older zzz')
    await session.undo()
    await ask(session, 'u3', 'v'.repeat(100_000))
    await leave(session, { toId: 'a1', summarise: true })
    expect(asked()).toContain('vvv')
    expect(asked()).toContain('more characters not shown')
    expect(asked()).not.toContain('www')
    expect(asked().length).toBeLessThan(8_000 * 4)
  })

  test('instructions are added to ours, or stand in their place', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await grow(session)
    const { leave, asked } = setUp()
    await leave(session, { toId: 'a2', summarise: true, instructions: 'Only the tests.' })
    expect(asked()).toContain('Only the tests.')
    for (const heading of ['Goal', 'Constraints & Preferences', 'Progress', 'Key Decisions', 'Next Steps']) {
      expect(asked()).toContain(`## ${heading}`)
    }
    await session.undo()
    await leave(session, { toId: 'a2', summarise: true, instructions: 'One haiku.', replaceInstructions: true })
    expect(asked()).toContain('One haiku.')
    expect(asked()).not.toContain('## Goal')
  })

  test('when the model says it was too much, half of it is tried', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await converse(session, 'u1', 'a1')
    for (let i = 0; i < 60; i++) await ask(session, `u2${i}`, `${i} ${'x'.repeat(400)}`)
    const overflow = { error: new TreelineError('context_overflow', 'too long') }
    const { leave, model } = setUp((_, i) => (i < 2 ? overflow : 'Short.'), { contextWindow: 8_000 })
    const { summaryId } = await leave(session, { toId: 'a1', summarise: true })
    expect(summaryId).toBeDefined()
    const sizes = model.calls.map((call) => askedText(call).length)
    expect(sizes).toHaveLength(3)
    expect(sizes[1]).toBeLessThan(sizes[0]! * 0.75)
    expect(sizes[2]).toBeLessThan(sizes[1]! * 0.75)
  })
})

describe('when it goes wrong', () => {
  const fails = [
    ['an error', () => ({ error: new TreelineError('provider_error', 'down') })],
    ['an empty answer', () => '  '],
    ['thoughts alone', () => '<think>hm</think> '],
  ] as const

  test.each(fails)('%s of the model: nothing is written and the leaf stays', async (_, script) => {
    await using store = await openStore('memory')
    const session = await store.create()
    await grow(session)
    const { seq } = session
    const settings = { ...DEFAULT_SETTINGS, retry: { ...DEFAULT_SETTINGS.retry, enabled: false } }
    const { leave } = setUp(script, {}, { settings })
    await expect(leave(session, { toId: 'a2', summarise: true })).rejects.toMatchObject({ code: 'provider_error' })
    expect([session.leafId, session.seq]).toEqual(['a3', seq])
  })

  test('cancelled while the model thinks, or just after: nothing is written', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await grow(session)
    const { seq } = session
    const controller = new AbortController()
    const { leave } = setUp(() => {
      controller.abort()
      return 'Too late.'
    })
    const left = await leave(session, { toId: 'a2', summarise: true, signal: controller.signal })
    expect(left).toEqual({ leafId: 'a3', isCancelled: expect.any(String) })
    expect(session.seq).toBe(seq)
  })

  test('no money, no model, no such node, a node in the stash, an answer under way: refused before anyone is asked', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await grow(session)
    const data = { nodeId: 'g1', parentId: 'u3', model: 'p/m' }
    await session.append({ type: 'custom', customType: GENERATION_TYPE, data }, { parentId: 'u3', leaf: 'stay' })
    await session.edit({ operations: [{ op: 'prune', nodeId: 'u2' }] })
    const { seq } = session
    const { leave, model, env } = setUp()
    const refused = (toId: string, code: string) =>
      expect(leave(session, { toId, summarise: true })).rejects.toMatchObject({ code })
    await refused('zz', 'node_not_found')
    await refused('a2', 'node_detached')
    await refused('g1', 'parent_generating')
    await expect(leave(session, { toId: 'u1', summarise: true, model: undefined })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    const spend = { ...env.spend, check: () => Promise.reject(new TreelineError('rate_limited', 'enough')) }
    const poor = leaveBranch({ ...env, spend }, session, { toId: 'u1', summarise: true, model, signal })
    await expect(poor).rejects.toMatchObject({ code: 'rate_limited' })
    expect([session.leafId, session.seq, model.calls.length]).toEqual(['a3', seq, 0])
    expect(await leave(session, { toId: 'g1' })).toEqual({ leafId: 'g1' })
  })

  test('a branch with an answer under way is left; the answer arrives there and is in no summary', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await grow(session)
    await converse(session, 'u4')
    const data = { nodeId: 'g1', parentId: 'u4', model: 'p/m' }
    await session.append({ type: 'custom', customType: GENERATION_TYPE, data })
    const { leave } = setUp(async () => {
      const message = { role: 'assistant', content: [{ type: 'text', text: 'arrived' }], stopReason: 'stop' }
      await session.append({ type: 'message', id: 'g1', message }, { leaf: { ifAt: 'g1' } })
      await ask(session, 'u5')
      return 'Notes.'
    })
    const { summaryId, leafId } = await leave(session, { toId: 'a2', summarise: true })
    expect(leafId).toBe(summaryId)
    expect(await session.readEntry(summaryId!)).toMatchObject({
      details: { leftLeafId: 'g1', summarizedFrom: ['u3', 'a3', 'u4'] },
    })
    expect(await session.readEntry('u5')).toMatchObject({ parentId: 'g1' })
  })

  test('who has gone elsewhere while the model thought stays there, and the notes are where they belong', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await grow(session)
    const { leave } = setUp(async () => {
      await session.branch('u1')
      return 'Notes.'
    })
    const { summaryId, leafId } = await leave(session, { toId: 'a2', summarise: true })
    expect([leafId, session.leafId]).toEqual(['u1', 'u1'])
    expect(await session.readEntry(summaryId!)).toMatchObject({ parentId: 'a2' })
  })

  test('a target that is deleted while the model thinks: an error, and nothing written', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await grow(session)
    const { leave } = setUp(async () => {
      await session.edit({ operations: [{ op: 'delete', nodeIds: ['u2'] }] })
      return 'Notes.'
    })
    await expect(leave(session, { toId: 'a2', summarise: true })).rejects.toMatchObject({ code: 'node_not_found' })
    expect(session.leafId).toBe('a3')
  })
})

describe('hooks', () => {
  test('before: may cancel, by saying so or by failing', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await grow(session)
    const { seq } = session
    const told: unknown[] = []
    const beforeBranch = (_: Session, what: unknown) => {
      told.push(what)
      return { action: 'cancel', reason: 'not now' } as const
    }
    const { leave } = setUp(undefined, {}, { hooks: { beforeBranch } })
    expect(await leave(session, { toId: 'a2' })).toEqual({ leafId: 'a3', isCancelled: 'not now' })
    expect(told).toEqual([{ fromId: 'a3', toId: 'a2' }])
    const failing = setUp(undefined, {}, { hooks: { beforeBranch: () => Promise.reject(new Error('boom')) } })
    expect(await failing.leave(session, { toId: 'a2' })).toMatchObject({ isCancelled: expect.stringContaining('boom') })
    expect(session.seq).toBe(seq)
  })

  test('before: may give the summary, when one is wanted; no model is asked', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await grow(session)
    const beforeBranch = () => ({ action: 'replace', value: { summary: 'By hook.' } }) as const
    const { leave, model } = setUp(undefined, {}, { hooks: { beforeBranch } })
    expect(await leave(session, { toId: 'a2' })).toEqual({ leafId: 'a2' })
    await session.branch('a3')
    const { summaryId } = await leave(session, { toId: 'a2', summarise: true, model: undefined })
    expect(await session.readEntry(summaryId!)).toMatchObject({
      summary: 'By hook.',
      fromHook: true,
      fromExtension: true,
      details: { summarizedFrom: ['u3', 'a3'] },
    })
    expect(model.calls).toEqual([])
  })

  test.each([
    ['nothing', undefined],
    ['a blank text', { summary: ' \n' }],
    ['no text', { summary: 7 }],
  ])('before: one that gives %s for a summary is told so with a code; the leaf stays', async (_, value) => {
    await using store = await openStore('memory')
    const session = await store.create()
    await grow(session)
    const { seq } = session
    const beforeBranch = () => ({ action: 'replace', value }) as never
    const { leave } = setUp(undefined, {}, { hooks: { beforeBranch } })
    const message = expect.stringContaining('hook')
    await expect(leave(session, { toId: 'a2', summarise: true })).rejects.toMatchObject({ code: 'forbidden', message })
    expect([session.seq, session.leafId]).toEqual([seq, 'a3'])
    expect(await leave(session, { toId: 'a2' })).toEqual({ leafId: 'a2' })
  })

  test('after: is told where one is; when it fails, the move stands and the user is told', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await grow(session)
    const told: unknown[] = []
    const afterBranch = (_: Session, what: unknown) => {
      told.push(what)
      throw new Error('boom')
    }
    const { leave } = setUp(undefined, {}, { hooks: { afterBranch } })
    expect(await leave(session, { toId: 'a2' })).toEqual({ leafId: 'a2', notice: expect.stringContaining('boom') })
    expect(told).toEqual([{ leafId: 'a2' }])
    expect(session.leafId).toBe('a2')
  })
})
