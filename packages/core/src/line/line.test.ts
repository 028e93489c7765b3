import { describe, expect, test } from 'vitest'
import { planEdit } from '../edit/plan.ts'
import type { Entry } from '../entry/entry.ts'
import { runSteps } from '../steps.ts'
import { TestLog } from '../testing/make-tree.ts'
import { linePath } from '../tree/path.ts'
import { buildLine, type Line, type LineOptions } from './line.ts'
import { pinnedNotes, systemText } from './strategy.ts'

const TIME = '2026-01-01T00:00:00.000Z'

/** Entries in a straight chain, ids e0, e1 … */
function chain(...fields: readonly object[]): TestLog {
  const log = new TestLog()
  fields.forEach((own, i) => {
    const head = { id: `e${i}`, parentId: i === 0 ? null : `e${i - 1}`, timestamp: TIME }
    const entry = 'type' in own ? { ...own, ...head } : { type: 'message', ...head, message: own }
    log.append(entry as Entry)
  })
  return log
}

const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })
const assistant = (text: string, more: object = {}) => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  ...more,
})
const call = (...ids: string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'toolCall', id, name: 'read', arguments: { path: id } })),
  stopReason: 'toolUse',
})
const result = (toolCallId: string, text: string) => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'read',
  content: [{ type: 'text', text }],
  isError: false,
})

function lineOf(log: TestLog, options: LineOptions = {}, asked: string[][] = []): Line {
  const path = linePath(log.tree, log.tree.leaf)
  return runSteps(buildLine(log.tree, log.tree.leaf, options), (positions) => {
    asked.push(positions.map((position) => path.idAt(position)))
    return positions.map((position) => log.bodyOf(path.refs[position]!))
  })
}

/** Roles and texts, short: `user: a | b`. */
function said(line: Line): string[] {
  return line.messages.map(({ role, content }) => {
    const parts = content.map((part) => {
      if (part.type === 'tool_call') return `call ${part.toolCallId}`
      if (part.type === 'tool_result')
        return `${part.toolCallId}=${part.output.map((o) => ('text' in o ? o.text : '')).join()}`
      return part.type === 'image' ? 'image' : part.type === 'reasoning' ? `(${part.text})` : part.text
    })
    return `${role}: ${parts.join(' | ')}`
  })
}

function edit(log: TestLog, ...operations: Parameters<typeof planEdit>[2]['operations']): TestLog {
  const { entry } = planEdit(log.tree, log.tree.leaf, { operations })
  if (entry !== undefined) log.append(entry)
  return log
}

describe('what is sent', () => {
  test('T22 the trunk in order, without what is muted', () => {
    const log = edit(chain(user('a'), assistant('b'), user('c'), assistant('d')), { op: 'mute', nodeIds: ['e1', 'e2'] })
    const line = lineOf(log)
    expect(said(line)).toEqual(['user: a', 'assistant: d'])
    expect(line.nodes).toEqual([
      { nodeId: 'e0', in: true },
      { nodeId: 'e1', in: false, reason: 'muted' },
      { nodeId: 'e2', in: false, reason: 'muted' },
      { nodeId: 'e3', in: true },
    ])
  })

  test('X50 linear mode sends what is muted and changes nothing', () => {
    const log = edit(chain(user('a'), assistant('b')), { op: 'mute', nodeIds: ['e0'] })
    expect(said(lineOf(log, { mode: 'linear' }))).toEqual(['user: a', 'assistant: b'])
    expect(said(lineOf(log, { unmute: new Set(['e0']) }))).toEqual(['user: a', 'assistant: b'])
    expect(said(lineOf(log, { unmute: new Set(['e0']), mute: new Set(['e1']) }))).toEqual(['user: a'])
    expect(lineOf(log).nodes[0]).toEqual({ nodeId: 'e0', in: false, reason: 'muted' })
  })

  test('X47 failed, cancelled and running answers are left out, with the reason', () => {
    const log = chain(
      user('a'),
      assistant('broken', { stopReason: 'error' }),
      { role: 'assistant', content: [], stopReason: 'aborted' },
      assistant('half', { stopReason: 'aborted' }),
      { type: 'custom', customType: 'treeline/generation', data: { nodeId: 'n', parentId: 'e3', model: 'm' } },
    )
    const line = lineOf(log)
    expect(said(line)).toEqual(['user: a', 'assistant: half'])
    expect(line.nodes.map((node) => (node.in ? 'in' : node.reason))).toEqual([
      'in',
      'failed',
      'failed',
      'in',
      'generating',
    ])
  })

  test('a grafted part brings its model change along', () => {
    const log = chain(user('a'), assistant('b'), { type: 'model_change', provider: 'p', modelId: 'm' }, user('c'))
    log.append({ type: 'message', id: 'other', parentId: null, timestamp: TIME, message: user('start') } as Entry)
    edit(log, { op: 'graft', sourceId: 'e3', targetId: 'other' }, { op: 'leaf', leafId: 'e3' })
    const line = lineOf(log)
    expect(said(line)).toEqual(['user: start | c'])
    expect(line.state.model).toEqual({ provider: 'p', modelId: 'm' })
  })

  test('!! commands and empty messages stay out', () => {
    const line = lineOf(
      chain(
        user('a'),
        { role: 'bashExecution', command: 'ls', output: 'x', exitCode: 1, cancelled: false, truncated: false },
        { role: 'bashExecution', command: 'pw', output: 'secret', excludeFromContext: true },
        user('  '),
      ),
    )
    expect(said(line)).toEqual(['user: a | Ran `ls`\n```\nx\n```\n(exit code 1)'])
    expect(line.nodes.slice(2)).toEqual([
      { nodeId: 'e2', in: false, reason: 'excluded' },
      { nodeId: 'e3', in: false, reason: 'empty' },
    ])
  })

  test('a body that cannot be read is left out and said so', () => {
    const log = chain(user('a'), assistant('b'), user('c'))
    const path = linePath(log.tree, log.tree.leaf)
    const line = runSteps(buildLine(log.tree, log.tree.leaf), (positions) =>
      positions.map((p) => (p === 1 ? undefined : log.bodyOf(path.refs[p]!))),
    )
    expect(line.nodes[1]).toEqual({ nodeId: 'e1', in: false, reason: 'unreadable' })
  })
})

describe('compaction', () => {
  const compaction = (firstKeptEntryId: string) => ({
    type: 'compaction',
    summary: 'SUM',
    firstKeptEntryId,
    tokensBefore: 1,
  })

  test('M12 sends the summary first, then what it keeps, and reads nothing else', () => {
    const asked: string[][] = []
    const log = chain(user('a'), assistant('b'), user('c'), assistant('d'), compaction('e2'), user('e'))
    const line = lineOf(log, {}, asked)
    expect(said(line)).toEqual([
      'user: The conversation up to here, in short:\n\n<summary>\nSUM\n</summary> | c',
      'assistant: d',
      'user: e',
    ])
    expect(line.nodes.map((node) => (node.in ? 'in' : node.reason))).toEqual([
      'compacted',
      'compacted',
      'in',
      'in',
      'in',
      'in',
    ])
    expect(asked).toEqual([['e4'], ['e2', 'e3', 'e5']])
  })

  test('a muted compaction is stepped over: the originals are back', () => {
    const log = edit(chain(user('a'), assistant('b'), compaction('e1'), user('c')), { op: 'mute', nodeIds: ['e2'] })
    expect(said(lineOf(log))).toEqual(['user: a', 'assistant: b', 'user: c'])
  })

  test('the first kept entry may be a label', () => {
    const label = { type: 'label', targetId: 'e0', label: 'x' }
    const log = chain(user('a'), label, user('b'), compaction('e1'), user('c'))
    expect(said(lineOf(log))).toEqual([
      'user: The conversation up to here, in short:\n\n<summary>\nSUM\n</summary> | b | c',
    ])
  })
})

describe('G4 providers accept it', () => {
  test('S24 each call is answered at once; results that came late are moved up to it', () => {
    const line = lineOf(chain(user('q'), call('x', 'y'), user('wedge'), result('y', 'Y'), assistant('done')))
    expect(said(line)).toEqual([
      'user: q',
      'assistant: call x | call y',
      'tool: x=There is no result: the call was interrupted, or its result is not shown.,y=Y'.replace(',y', ' | y'),
      'user: wedge',
      'assistant: done',
    ])
    expect(line.nodes[1]).toEqual({ nodeId: 'e1', in: true, repairs: ['result_missing'] })
    expect(line.nodes[3]).toEqual({ nodeId: 'e3', in: true, repairs: ['result_moved'] })
  })

  test('X48 a result whose call is muted stands as text, not a word lost', () => {
    const line = lineOf(edit(chain(user('q'), call('x'), result('x', 'X')), { op: 'mute', nodeIds: ['e1'] }))
    expect(said(line)).toEqual(['user: q | [Result of the tool "read", whose call is not shown] | X'])
    expect(line.nodes[2]).toEqual({ nodeId: 'e2', in: true, repairs: ['result_as_text'] })
  })

  test('call ids that a provider would refuse, or that a copy has doubled, are renamed alike on both sides', () => {
    const log = chain(user('q'), call('call|fc'), result('call|fc', 'X'), assistant('ok'))
    edit(log, { op: 'graft', sourceId: 'e1', targetId: 'e3', mode: 'copy', idMap: { e1: 'c1', e2: 'c2', e3: 'c3' } })
    edit(log, { op: 'leaf', leafId: 'c3' })
    expect(said(lineOf(log))).toEqual([
      'user: q',
      'assistant: call call_fc',
      'tool: call_fc=X',
      'assistant: ok | call call_fc_2',
      'tool: call_fc_2=X',
      'assistant: ok',
    ])
  })

  test('it begins with a user, and runs of one role become one message', () => {
    const line = lineOf(edit(chain(user('a'), assistant('b'), assistant('c')), { op: 'mute', nodeIds: ['e0'] }))
    expect(said(line)).toEqual(['user: (What came before is not shown.)', 'assistant: b | c'])
  })

  test('system text leads; later on it stands in its place as marked text', () => {
    const system = (content: string) => ({ role: 'system', content })
    expect(said(lineOf(chain(system('S1'), system('S2'), user('a'), system('S3'))))).toEqual([
      'system: S1 | S2',
      'user: a | <system>\nS3\n</system>',
    ])
  })

  test('reasoning leads an answer or is left out', () => {
    const thinking = (text: string) => ({ type: 'thinking', thinking: text, thinkingSignature: 's' })
    const text = (t: string) => ({ type: 'text', text: t })
    const answer = { role: 'assistant', content: [thinking('t1'), text('x'), thinking('t2')] }
    expect(said(lineOf(chain(user('a'), answer, answer)))).toEqual(['user: a', 'assistant: (t1) | x | x'])
  })

  test('what only its provider can read says which that is, and nothing else does', () => {
    const content = [
      { type: 'thinking', thinking: 'signed', thinkingSignature: 's1' },
      { type: 'redactedThinking', data: 'sealed' },
      { type: 'thinking', thinking: 'plain' },
      { type: 'text', text: 'x' },
      { type: 'toolCall', id: 'not/allowed', name: 'read', arguments: {}, thoughtSignature: 's2' },
      { type: 'toolCall', id: 'c2', name: 'read', arguments: {} },
    ]
    const line = lineOf(chain(user('q'), { role: 'assistant', content, provider: 'acme' }))
    expect(line.messages[1]!.content).toEqual([
      { type: 'reasoning', text: 'signed', signature: 's1', provider: 'acme' },
      { type: 'reasoning', text: '', redacted: 'sealed', provider: 'acme' },
      { type: 'reasoning', text: 'plain' },
      { type: 'text', text: 'x' },
      expect.objectContaining({ type: 'tool_call', signature: 's2', provider: 'acme' }),
      { type: 'tool_call', toolCallId: 'c2', name: 'read', input: {} },
    ])
    for (const provider of [undefined, '', 7, { name: 'acme' }, null]) {
      const { messages } = lineOf(chain(user('q'), { role: 'assistant', content, provider }))
      expect(JSON.stringify(messages)).not.toContain('provider')
    }
  })

  test('malformed messages are survived', () => {
    const odd = [
      { role: 'assistant', content: null },
      { role: 'user' },
      { role: 7 },
      { role: 'toolResult' },
      { role: 'new', content: 'n' },
    ]
    const line = lineOf(chain(user('a'), ...odd, { type: 'compaction' }, { type: 'custom_message' }))
    expect(said(line)).toEqual(['user: a | [Result of the tool "tool", whose call is not shown] | (no output) | n'])
  })
})

describe('T37 strategies', () => {
  test('add system text and pinned notes without touching history', () => {
    const log = edit(chain({ role: 'system', content: 'S' }, user('a'), assistant('b')), {
      op: 'mute',
      nodeIds: ['e1'],
    })
    const notes = [
      { nodeId: 'e1', text: 'remember a' },
      { nodeId: 'e2', text: 'is there anyway' },
    ]
    const line = lineOf(log, { strategies: [systemText('Be brief.'), pinnedNotes(notes)] })
    expect(said(line)).toEqual([
      'system: Be brief. | S',
      'user: Pinned by the user:\n\n<note>\nremember a\n</note>',
      'assistant: b',
    ])
    expect(line.injected.map(({ by, place }) => [by, place])).toEqual([
      ['system-text', 'system'],
      ['pinned-notes', 'start'],
    ])
    expect(line.messages[0]?.nodeIds).toEqual(['e0'])
  })
})

test.each([2, 5000])('G4 a line of %i nodes says of them what held when it was built', (length) => {
  const log = chain(...Array.from({ length }, (_, i) => (i % 2 === 0 ? user('a') : assistant('b'))))
  const line = lineOf(log)
  const plan = planEdit(log.tree, log.tree.leaf, { operations: [{ op: 'mute', nodeIds: ['e0'] }] })
  log.append(plan.entry!)
  expect(line.nodes.slice(0, 2)).toEqual([
    { nodeId: 'e0', in: true },
    { nodeId: 'e1', in: true },
  ])
  expect(lineOf(log).nodes[0]).toEqual({ nodeId: 'e0', in: false, reason: 'muted' })
})

test.each(['tree', 'linear'] as const)(
  'G4 an answer that comes while bodies are read is in the next line (%s)',
  (mode) => {
    const log = chain(
      user('a'),
      { type: 'compaction', summary: 'S', firstKeptEntryId: 'e0', tokensBefore: 1 },
      user('b'),
    )
    const head = { parentId: 'e2', timestamp: TIME }
    const data = { nodeId: 'late', parentId: 'e2', model: 'm' }
    log.append({ type: 'custom', id: 'g', ...head, customType: 'treeline/generation', data } as Entry)
    const { leaf } = log.tree
    const path = linePath(log.tree, leaf)
    const steps = buildLine(log.tree, leaf, { mode }, path)
    let step = steps.next()
    log.append({ type: 'message', id: 'late', ...head, message: assistant('c') } as Entry)
    while (!step.done) step = steps.next(step.value.map((position) => log.bodyOf(path.refs[position]!)))
    expect(step.value.nodes.at(-1)).toEqual({ nodeId: 'late', in: false, reason: 'generating' })
    expect(lineOf(log, { mode }).nodes.at(-1)).toEqual({ nodeId: 'late', in: true })
  },
)
