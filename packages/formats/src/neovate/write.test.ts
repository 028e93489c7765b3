import { openMemoryStore, type Session } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { filterMessages } from './facade/filter-messages.ts'
import { message, openTranslated, toBytes, trunkIds, writeOut } from './testing/round-trip.ts'

const said = (role: 'user' | 'assistant', text: string) => ({
  type: 'message',
  id: text,
  message: { role, content: role === 'user' ? text : [{ type: 'text', text }] },
})
const call = (id: string) => ({ type: 'toolCall', id, name: 'read', arguments: { file: id } })
const asks = (id: string, ...calls: readonly string[]) => ({
  type: 'message',
  id,
  message: { role: 'assistant', content: calls.map(call), provider: 'p', model: 'm' },
})
const answers = (id: string, callId = id) => ({
  type: 'message',
  id,
  message: {
    role: 'toolResult',
    toolCallId: callId,
    toolName: 'read',
    content: [{ type: 'text', text: id }],
    isError: false,
  },
})

async function withSession(use: (session: Session) => Promise<void>): Promise<void> {
  await using store = await openMemoryStore()
  await using session = await store.create({ id: 's1', cwd: '/p' })
  await use(session)
}

/** What Neovate would resume, by ids. */
const active = (records: readonly Record<string, unknown>[]) => filterMessages(records).map(({ uuid }) => uuid)

test('a session of ours is written as Neovate 0.17 writes: settings first, its keys in its order', () =>
  withSession(async (session) => {
    await session.append(said('user', 'Hello'))
    await session.append({
      ...said('assistant', 'Hi'),
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'Hi' },
        ],
        provider: 'p',
        model: 'm',
        usage: { input: 5, output: 2, cacheRead: 10, cacheWrite: 1 },
      },
    })
    await session.rename('Greeting')
    const { text, notes } = await writeOut(session)
    const [first, second] = (await session.readEntries(['Hello', 'Hi'])).map((entry) => entry!.timestamp)
    expect(text).toBe(
      [
        '{"type":"config","config":{"approvalMode":"default","approvalTools":[],"pastedTextMap":{},"pastedImageMap":{},"summary":"Greeting"}}',
        `{"parentUuid":null,"uuid":"Hello","role":"user","content":"Hello","type":"message","timestamp":"${first}","sessionId":"s1"}`,
        `{"parentUuid":"Hello","uuid":"Hi","role":"assistant","content":[{"type":"reasoning","text":"Hm."},{"type":"text","text":"Hi"}],"text":"Hi","model":"p/m","usage":{"input_tokens":16,"output_tokens":2},"type":"message","timestamp":"${second}","sessionId":"s1"}`,
        '',
      ].join('\n'),
    )
    expect(notes).toEqual([])
  }))

test('X69 parallel results share one line, under the answer that asked', () =>
  withSession(async (session) => {
    await session.appendAll([
      said('user', 'Read'),
      asks('a', 'c1', 'c2'),
      answers('c1'),
      answers('c2'),
      said('user', 'Go-on'),
    ])
    const { records } = await writeOut(session)
    expect(records.slice(1).map(({ uuid, parentUuid, role }) => [uuid, parentUuid, role])).toEqual([
      ['Read', null, 'user'],
      ['a', 'Read', 'assistant'],
      ['c2', 'a', 'tool'],
      ['Go-on', 'c2', 'user'],
    ])
    expect(records[3]!.content).toEqual([
      { type: 'tool-result', toolCallId: 'c1', toolName: 'read', input: { file: 'c1' }, result: { llmContent: 'c1' } },
      { type: 'tool-result', toolCallId: 'c2', toolName: 'read', input: { file: 'c2' }, result: { llmContent: 'c2' } },
    ])
  }))

test('X69 a branch between two results has a line of its own, and open calls are written as interrupted', () =>
  withSession(async (session) => {
    await session.appendAll([said('user', 'Read'), asks('a', 'c1', 'c2'), answers('c1'), answers('c2')])
    await session.append(said('user', 'Stop'), { parentId: 'c1' })
    await session.append(asks('b', 'c3'))
    const { records, notes } = await writeOut(session)
    expect(active(records)).toEqual(['Read', 'a', 'c1', 'Stop', 'b', 'b.interrupted'])
    const lines = new Map(records.map((record) => [record.uuid, record]))
    expect(lines.get('c1')!.content).toMatchObject([
      { toolCallId: 'c1' },
      { toolCallId: 'c2', result: { isError: true } },
    ])
    expect(lines.get('c2')!.content).toMatchObject([{ result: { llmContent: 'c1' } }, { result: { llmContent: 'c2' } }])
    expect(notes).toMatchObject([
      { kind: 'changed', message: 'A tool call has no result and is written as interrupted (2 times).' },
    ])
  }))

test('X22 the last line is that of the leaf, wherever it is', () =>
  withSession(async (session) => {
    await session.appendAll([said('user', 'a'), said('assistant', 'b'), said('user', 'c'), said('assistant', 'd')])
    await session.append(said('user', 'e'), { parentId: 'b' })
    for (const leaf of ['d', 'b', 'e', 'c']) {
      await session.branch(leaf)
      const { records } = await writeOut(session)
      expect(active(records)).toEqual(trunkIds(session))
      expect(records).toHaveLength(6)
    }
    const { records } = await writeOut(session, { leafId: 'e', branches: 'trunk' })
    expect(records.map(({ uuid }) => uuid)).toEqual([undefined, 'a', 'b', 'e'])
    await expect(writeOut(session, { leafId: 'nowhere' })).rejects.toThrow(/no entry nowhere/)
  }))

test('what is muted or pruned is left out of the path, with a note', () =>
  withSession(async (session) => {
    await session.appendAll([said('user', 'a'), said('assistant', 'b'), said('user', 'c'), said('assistant', 'd')])
    await session.append(said('user', 'x'), { parentId: 'a', leafAfter: 'd' })
    await session.edit({ operations: [{ op: 'mute', nodeIds: ['b'] }] })
    await session.edit({ operations: [{ op: 'prune', nodeId: 'x', include: 'self' }] })
    const { records, notes } = await writeOut(session)
    expect(records.slice(1).map(({ uuid, parentUuid }) => [uuid, parentUuid])).toEqual([
      ['a', null],
      ['c', 'a'],
      ['d', 'c'],
    ])
    expect(notes.map(({ kind, message, id }) => [kind, message, id])).toEqual([
      ['left_out', 'A muted node is left out of the path.', 'b'],
      ['left_out', 'A pruned node is left out.', 'x'],
    ])
  }))

test('X69 a muted result leaves its words out and not its call without one; a muted answer takes its results along', () =>
  withSession(async (session) => {
    await session.appendAll([asks('a', 'c1'), answers('c1'), asks('b', 'c2'), answers('c2'), said('user', 'end')])
    await session.edit({ operations: [{ op: 'mute', nodeIds: ['c1', 'b'] }] })
    const { records } = await writeOut(session)
    expect(active(records)).toEqual(['a', 'c1', 'end'])
    expect(records[2]!.content).toMatchObject([{ toolCallId: 'c1', result: { llmContent: '[left out]' } }])
  }))

test('a compaction is a new root, with what it keeps below it (N72, X61)', () =>
  withSession(async (session) => {
    await session.appendAll([
      said('user', 'a'),
      said('assistant', 'b'),
      said('user', 'c'),
      asks('d', 'r'),
      answers('r'),
    ])
    await session.append({ type: 'compaction', id: 's', summary: 'In short', firstKeptEntryId: 'c', tokensBefore: 9 })
    await session.append(said('user', 'e'))
    const { records, notes } = await writeOut(session)
    expect(active(records)).toEqual(['s', 'c.s', 'd.s', 'r.s', 'e'])
    expect(records.find(({ uuid }) => uuid === 's')).toMatchObject({
      parentUuid: null,
      role: 'user',
      content: [{ type: 'text', text: 'In short' }],
      uiContent: 'Chat history compacted successfully.',
    })
    expect(records.filter(({ uuid }) => ['a', 'b', 'c', 'd', 'r'].includes(String(uuid)))).toHaveLength(5)
    expect(notes).toMatchObject([
      {
        kind: 'changed',
        message: expect.stringContaining('that a compaction keeps is written again below its summary (3 times)'),
      },
    ])
  }))

test('a part that was grafted elsewhere, or copied, is written where it hangs now', () =>
  withSession(async (session) => {
    await session.appendAll([said('user', 'a'), said('assistant', 'b'), said('user', 'c')])
    await session.append(said('user', 'z'), { parentId: null })
    await session.edit({ operations: [{ op: 'graft', sourceId: 'a', targetId: 'z' }] })
    await session.edit({ operations: [{ op: 'graft', sourceId: 'b', targetId: 'z', mode: 'copy' }] })
    for (const branch of session.tree.columns.children(session.tree.ids.find('z'))) {
      const top = session.tree.ids.textOf(branch)
      await session.edit({ operations: [{ op: 'leaf', leafId: top, resolve: 'descend' }] })
      const { records } = await writeOut(session)
      expect(active(records)).toEqual(trunkIds(session))
    }
  }))

test('failed answers, hidden commands, labels and models are told of', () =>
  withSession(async (session) => {
    await session.append(said('user', 'a'))
    await session.append({ type: 'message', id: 'f', message: { role: 'assistant', content: [], stopReason: 'error' } })
    await session.append({ type: 'model_change', provider: 'p', modelId: 'm' })
    const bash = { role: 'bashExecution', command: 'ls', output: 'x', cancelled: false, truncated: false, exitCode: 0 }
    await session.append({ type: 'message', id: 'sh', message: bash })
    await session.append({ type: 'message', id: 'no', message: { ...bash, excludeFromContext: true } })
    await session.append({ type: 'custom_message', id: 'x', customType: 'x', content: 'note', display: false })
    await session.setLabel('a', 'start')
    const { records, notes } = await writeOut(session)
    expect(active(records)).toEqual(['a', 'sh.1', 'sh', 'x'])
    expect(records[2]).toMatchObject({ content: '<bash-input>ls</bash-input>' })
    expect(records[3]).toMatchObject({ uiContent: 'x', content: '<bash-stdout>x</bash-stdout>' })
    expect(records[4]).toMatchObject({ content: 'note', hidden: true })
    expect(notes.map(({ message }) => message).sort()).toEqual([
      'A change of model, mode or the like has no place in a Neovate file.',
      'A command kept from the model is left out.',
      'A label has no place in a Neovate file.',
      'A message of an extension is written as a message of the user.',
      'An answer that failed is left out of the path.',
    ])
  }))

test('an imported session that was continued and renamed: old lines as they were, new ones behind them', async () => {
  const lines = [
    { type: 'config', config: { summary: 'Old', approvalTools: [], approvalMode: 'default' } },
    message('u', null),
    message('u', null, { content: 'twice' }),
  ]
  await using opened = await openTranslated(toBytes(lines))
  const { session } = opened
  await session.append(said('user', 'new'))
  await session.rename('New')
  await session.setConfig({ approvalTools: ['bash'] })
  const { records, notes } = await writeOut(session)
  expect(JSON.stringify(records[0])).toBe(
    '{"type":"config","config":{"summary":"New","approvalTools":["bash"],"approvalMode":"default"}}',
  )
  expect(records[1]).toEqual(lines[1])
  expect(records[2]).toEqual({ ...lines[2], uuid: 'u.d2' })
  expect(records[3]).toMatchObject({ uuid: 'new', parentUuid: 'u.d2', sessionId: '6a7f9b2c' })
  expect(notes).toMatchObject([{ kind: 'changed', id: 'u.d2' }])
})

test('K6 secrets are replaced when that is asked for', () =>
  withSession(async (session) => {
    const key = `sk-${'proj-'}${'a1B2'.repeat(12)}`
    await session.append({ ...said('user', 'a'), message: { role: 'user', content: `it is ${key}` } })
    const { text, notes } = await writeOut(session, { redact: true })
    expect(text).toContain('it is [redacted]')
    expect(text).not.toContain(key)
    expect(notes).toMatchObject([{ kind: 'changed', message: expect.stringContaining('best effort') }])
  }))

test('X22 whatever was said, muted, moved and pruned: Neovate resumes the trunk, without what is muted', async () => {
  const step = fc.record({
    what: fc.constantFrom('say', 'say', 'say', 'branch', 'mute', 'graft', 'prune'),
    at: fc.nat(30),
    to: fc.nat(30),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 16 }), (steps) =>
      withSession(async (session) => {
        const ids: string[] = []
        const pick = (n: number) => ids[n % ids.length]!
        const muted = new Set<string>()
        for (const { what, at, to } of steps) {
          if (what === 'say' || ids.length === 0) {
            await session.append(said('user', `n${ids.length}`))
            ids.push(`n${ids.length}`)
            continue
          }
          const nodeId = pick(at)
          const operation = {
            branch: { op: 'leaf' as const, leafId: nodeId },
            mute: { op: 'mute' as const, nodeIds: [nodeId] },
            graft: { op: 'graft' as const, sourceId: nodeId, targetId: pick(to) },
            prune: { op: 'prune' as const, nodeId },
          }[what]
          // What does not fit is refused, and then nothing has changed.
          const isDone = await session.edit({ operations: [operation] }).then(
            () => true,
            () => false,
          )
          if (what === 'mute' && isDone) muted.add(nodeId)
        }
        const { records, notes } = await writeOut(session)
        const trunk = trunkIds(session).filter((id) => !muted.has(id))
        // There is no file with messages of which none is active.
        if (trunk.length === 0 && active(records).length > 0) expect(notes[0]).toMatchObject({ kind: 'changed' })
        else expect(active(records)).toEqual(trunk)
      }),
    ),
    { numRuns: runs(100) },
  )
})

test('X69 however calls, results, branches and mutes fall: on the active path every call has its one result', async () => {
  const step = fc.record({
    what: fc.constantFrom('say', 'ask', 'answer', 'answer', 'branch', 'mute'),
    at: fc.nat(30),
    calls: fc.integer({ min: 1, max: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), (steps) =>
      withSession(async (session) => {
        const ids: string[] = []
        const open = new Map<string, readonly string[]>()
        const add = async (draft: { readonly type: string; readonly id: string }, still: readonly string[]) => {
          await session.append(draft)
          ids.push(draft.id)
          open.set(draft.id, still)
        }
        for (const [i, { what, at, calls }] of steps.entries()) {
          const waiting = open.get(session.leafId ?? '') ?? []
          const asked = Array.from({ length: calls }, (_, n) => `c${i}-${n}`)
          if (what === 'ask') await add(asks(`n${i}`, ...asked), asked)
          else if (what === 'answer' && waiting.length > 0) await add(answers(`n${i}`, waiting[0]), waiting.slice(1))
          else if (what === 'branch' && ids.length > 0) await session.branch(ids[at % ids.length]!)
          else if (what === 'mute' && ids.length > 0) {
            await session.edit({ operations: [{ op: 'mute', nodeIds: [ids[at % ids.length]!] }] })
          } else await add(said('user', `n${i}`), [])
        }
        const { records } = await writeOut(session)
        const path = filterMessages(records)
        for (const [i, { role, content }] of path.entries()) {
          const parts = Array.isArray(content) ? (content as Record<string, unknown>[]) : []
          const next = (path[i + 1]?.content ?? []) as Record<string, unknown>[]
          if (role === 'assistant')
            expect(next.map(({ toolCallId }) => toolCallId).sort()).toEqual(parts.map(({ id }) => id))
          if (role === 'tool') expect(path[i - 1]).toMatchObject({ role: 'assistant' })
        }
      }),
    ),
    { numRuns: runs(150) },
  )
})
