import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runSteps } from '../steps.ts'
import { pathOf } from '../testing/path-of.ts'
import { runs } from '../testing/runs.ts'
import { buildContext } from './context.ts'
import type { Dialect } from './dialect.ts'

const DIALECTS: readonly Dialect[] = ['pi', 'xcsh', 'omp', 'treeline']

const user = (id: string) => ({ type: 'message', id, message: { role: 'user', content: id } })
const assistant = (id: string, model = 'm') => ({
  type: 'message',
  id,
  message: { role: 'assistant', content: [{ type: 'text', text: id }], provider: 'p', model },
})

function build(entries: readonly unknown[], dialect: Dialect = 'treeline', bodies = entries) {
  const path = pathOf(entries, bodies)
  return { ...runSteps(buildContext(path, dialect), path.read), reads: path.reads }
}

test('a path without compaction is read in one batch, labels and extension state not at all', () => {
  const { messages, reads } = build([
    user('a'),
    { type: 'label', id: 'b' },
    { type: 'custom', id: 'c' },
    assistant('d'),
  ])
  expect(messages.length).toBe(2)
  expect(reads).toEqual([[0, 3]])
})

test('what a compaction covers is not read, except for the state and the last answer', () => {
  const path = [
    { type: 'model_change', id: 'a', model: 'p/small', role: 'smol' },
    ...[user('b'), assistant('c'), user('d'), assistant('e', 'last')],
    { type: 'context_edit', id: 'f', targetId: 'd', replacement: null },
    user('g'),
    { type: 'compaction', id: 'h', summary: 'S', firstKeptEntryId: 'g', tokensBefore: 1 },
    { type: 'context_edit', id: 'i', targetId: 'g', replacement: { content: 'G' } },
    user('j'),
  ]
  const { messages, models, reads } = build(path)
  expect(reads).toEqual([[7], [0, 4, 6, 8, 9]])
  expect(messages.map((message) => ('content' in message ? message.content : message.role))).toEqual([
    'compactionSummary',
    'G',
    'j',
  ])
  expect(models).toEqual({ smol: 'p/small', default: 'p/last' })
})

test('a path that needs no body asks for none', () => {
  expect(build([]).reads).toEqual([])
  expect(build([{ type: 'label', id: 'a' }]).reads).toEqual([])
})

test('I2 a body that cannot be read is reported, and the others are given', () => {
  const path = [user('a'), user('b'), { type: 'mode_change', id: 'c', mode: 'plan' }]
  const { messages, sources, problems, mode } = build(path, 'treeline', [undefined, path[1], undefined])
  expect(messages).toEqual([path[1] && user('b').message])
  expect(sources).toEqual([{ entryId: 'b', position: 1 }])
  expect(problems).toEqual([
    { entryId: 'a', position: 0, reason: 'unreadable' },
    { entryId: 'c', position: 2, reason: 'unreadable' },
  ])
  expect(mode).toBe('none')
})

test('a summary is not edited away, and a system message without content has empty text', () => {
  const path = [
    { type: 'compaction', id: 'a', summary: 'S', tokensBefore: 1 },
    { type: 'context_edit', id: 'b', targetId: 'a', replacement: null },
    { type: 'message', id: 'c', message: { role: 'system', content: null } },
  ]
  const { messages, problems } = build(path)
  expect(messages.map((message) => message.role)).toEqual(['compactionSummary', 'system'])
  expect(messages[1]).toEqual({ role: 'system', content: '' })
  expect(problems).toEqual([{ entryId: 'c', position: 2, reason: 'bad_content' }])
})

test('a kept tail given as messages follows the summary', () => {
  const tail = [{ role: 'user', content: 'kept' }, 'no message']
  const path = [user('a'), { type: 'compaction', id: 'b', summary: 'S', tokensBefore: 1, retainedTail: tail }]
  expect(build(path).messages.slice(1)).toEqual([{ role: 'user', content: 'kept' }])
})

test('a model change that names no model is reported, one without a provider has a name but no reference', () => {
  const change = (id: string, fields: object) => ({ type: 'model_change', id, ...fields })
  const { models, model, problems } = build([
    change('a', { model: 'p/m' }),
    change('b', {}),
    change('c', { model: '' }),
    change('d', { provider: 'p' }),
    change('e', { model: '/local' }),
  ])
  expect([models, model]).toEqual([{ default: '/local' }, null])
  expect(problems.map((problem) => problem.entryId)).toEqual(['b', 'd'])
})

test('the same path gives the same bytes', () => {
  const path = [user('a'), assistant('b'), { type: 'branch_summary', id: 'c', summary: 's', fromId: 'a' }]
  expect(JSON.stringify(build(path))).toBe(JSON.stringify(build(structuredClone(path))))
})

const value = fc.oneof(
  { depthSize: 'small' },
  fc.constantFrom(null, undefined, '', 'x', 'provider/id', 0, -1, true, [], {}, 'user', 'assistant', 'e1', 'e2'),
  fc.jsonValue(),
  fc.record({ role: fc.constantFrom('user', 'assistant', 'toolResult', 'system', 7), content: fc.jsonValue() }),
  fc.record({
    role: fc.constant('assistant'),
    stopReason: fc.constantFrom('error', 'aborted', 'stop'),
    content: fc.array(fc.constantFrom(null, 3, {}, { type: 'toolCall', id: 'c' }, { type: 'thinking' })),
  }),
)
const FIELDS = [
  ...['message', 'content', 'summary', 'fromId', 'firstKeptEntryId', 'retainedTail', 'preserveData', 'systemMessage'],
  ...['targetId', 'replacement', 'model', 'provider', 'modelId', 'role', 'thinkingLevel', 'configured', 'mode', 'data'],
  ...['serviceTier', 'selectedToolNames', 'injectedRules', 'activeToolNames', 'contextName', 'tenant', 'customType'],
]
const TYPES = [
  ...['message', 'message', 'message', 'custom_message', 'branch_summary', 'compaction', 'context_edit', 'custom'],
  ...[
    'model_change',
    'thinking_level_change',
    'service_tier_change',
    'mode_change',
    'context_change',
    'ttsr_injection',
  ],
  ...['mcp_tool_selection', 'active_tools_change', 'reset_boundary', 'label', 'never_seen'],
]
const entry = fc.record({
  type: fc.constantFrom(...TYPES),
  id: fc.constantFrom('e1', 'e2', 'e3', 'e4'),
  timestamp: fc.constantFrom('2026-01-01T00:00:00.000Z', 'never', 4, undefined),
  fields: fc.dictionary(fc.constantFrom(...FIELDS), value, { noNullPrototype: true }),
  lost: fc.boolean(),
})

test('G1 no log makes it throw, every message has its source, and nothing is changed', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), fc.constantFrom(...DIALECTS), (items, dialect) => {
      const heads = items.map(({ type, id, timestamp, fields }) => ({ ...fields, type, id, timestamp }))
      const bodies = heads.map((head, index) => (items[index]!.lost ? undefined : head))
      const before = JSON.stringify(bodies)
      const context = build(heads, dialect, bodies)
      expect(context.sources.length).toBe(context.messages.length)
      expect(context.messages.every((message) => typeof message.role === 'string')).toBe(true)
      expect(context.reads.length).toBeLessThanOrEqual(1 + heads.filter((head) => head.type === 'compaction').length)
      const asked = context.reads.flat()
      expect(new Set(asked).size).toBe(asked.length)
      expect(JSON.stringify(bodies)).toBe(before)
    }),
    { numRuns: runs(1000) },
  )
})

test.each(DIALECTS)('G1 a path of 200,000 entries takes no more than linear time in %s', (dialect) => {
  const path = Array.from({ length: 200_000 }, (_, index) => {
    const id = `e${index}`
    if (index % 1000 === 999) return { type: 'compaction', id, summary: 's', firstKeptEntryId: 'e0', tokensBefore: 1 }
    if (index % 3 === 0) return user(id)
    const call = { type: 'toolCall', id: `c${index}`, name: 't', arguments: {} }
    return { type: 'message', id, message: { role: 'assistant', content: [call], stopReason: 'error' } }
  })
  const start = performance.now()
  expect(build(path, dialect).sources.length).toBeGreaterThan(1000)
  expect(performance.now() - start).toBeLessThan(5000)
})
