import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from '../entry/entry.ts'
import { runs } from '../testing/runs.ts'
import { textOf } from './text-of.ts'

const HEAD = { id: 'a', parentId: null, timestamp: '2026-01-01T00:00:00.000Z' }
const message = (fields: object): Entry => ({ type: 'message', ...HEAD, message: fields })
const text = (value: string) => ({ type: 'text', text: value })
const call = (name: string, input: unknown) => ({ type: 'toolCall', id: 'c', name, arguments: input })
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }

test.each<[string, Entry, string]>([
  ['user, as text', message({ role: 'user', content: 'hi' }), 'hi'],
  ['user, as blocks', message({ role: 'user', content: [text('a'), image, text('b')] }), 'a\n[image]\nb'],
  ['developer', message({ role: 'developer', content: [text('be kind')] }), 'be kind'],
  ['system', message({ role: 'system', content: 'S', sections: { a: 'A', b: null } }), 'S\nA'],
  [
    'assistant with a call',
    message({
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'hm' }, text('ok'), call('read', { path: 'a.ts' })],
    }),
    'ok\nread(path=a.ts)',
  ],
  [
    'assistant that only thought',
    message({ role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }] }),
    'hm',
  ],
  ['assistant that failed', message({ role: 'assistant', content: [], errorMessage: '429' }), '429'],
  ['tool result', message({ role: 'toolResult', toolName: 'read', content: [text('file')] }), 'file'],
  ['bash', message({ role: 'bashExecution', command: 'ls', output: 'a\nb' }), '$ ls\na\nb'],
  ['python', message({ role: 'pythonExecution', code: '1+1', output: '2' }), '>>> 1+1\n2'],
  ['custom', message({ role: 'custom', customType: 'x', content: 'note' }), 'note'],
  ['v2 hook', message({ role: 'hookMessage', content: 'note' }), 'note'],
  [
    'file mention',
    message({ role: 'fileMention', files: [{ path: 'a.ts', content: 'long' }, { path: 'b' }] }),
    '@a.ts\n@b',
  ],
  ['a role nobody knows', message({ role: 'oracle', content: 'soon' }), 'soon'],
  ['custom_message', { type: 'custom_message', ...HEAD, customType: 'x', content: [text('m')] }, 'm'],
  ['branch_summary', { type: 'branch_summary', ...HEAD, fromId: 'r', summary: 'tried' }, 'tried'],
  ['compaction', { type: 'compaction', ...HEAD, summary: 'so far', shortSummary: 's' }, 'so far'],
  ['not a node', { type: 'model_change', ...HEAD, modelId: 'm' }, ''],
])('the text of %s', (_name, entry, expected) => {
  expect(textOf(entry)).toBe(expected)
})

test('a call is named in a few words, however much it carries', () => {
  const input = { path: `a\n${'x'.repeat(100)}`, list: [1], none: {}, n: 7, more: true }
  const shown = textOf(message({ role: 'assistant', content: [call('edit', input)] }))
  expect(shown).toBe(`edit(path=a ${'x'.repeat(37)}…, list=[…], none={}, n=7, …)`)
  expect(textOf(message({ role: 'assistant', content: [call('', '{"pa')] }))).toBe('tool({"pa)')
  expect(textOf(message({ role: 'assistant', content: [{ type: 'toolCall' }] }))).toBe('tool()')
})

test('bodies of any shape are survived', () => {
  const json = fc.jsonValue({ maxDepth: 3 })
  const role = fc.constantFrom('user', 'assistant', 'system', 'toolResult', 'bashExecution', 'fileMention', 'custom', 7)
  const block = fc.record({
    type: fc.constantFrom('text', 'toolCall', 'image', 'thinking', null),
    text: json,
    arguments: json,
  })
  const odd = fc.oneof(json, fc.array(fc.oneof(block, json)))
  const body = fc.oneof(fc.record({ role, content: odd, files: odd, sections: odd, output: json, command: json }), json)
  const type = fc.constantFrom('message', 'custom_message', 'branch_summary', 'compaction', 'x')
  fc.assert(
    fc.property(type, body, odd, (kind, value, content) => {
      const entry: Entry = { type: kind, ...HEAD, message: value, content, summary: content }
      expect(typeof textOf(entry)).toBe('string')
    }),
    { numRuns: runs(1000) },
  )
})
