import type { Entry } from '@treeline/core'
import { expect, test } from 'vitest'
import { partsOf } from './parts.ts'

const entry = (fields: object): Entry => ({ type: 'message', id: 'a', parentId: null, timestamp: 't', ...fields })
const message = (fields: object) => partsOf(entry({ message: fields }))

test('commands, files and results are shown with what they gave', () => {
  expect(message({ role: 'bashExecution', command: 'ls', output: 'a\nb', exitCode: 2 })).toEqual([
    { type: 'call', name: 'bash', input: 'ls', language: 'sh' },
    { type: 'output', name: 'bash', text: 'a\nb', isError: true },
    { type: 'remark', text: 'Exit code 2.' },
  ])
  expect(message({ role: 'fileMention', files: [{ path: 'a.ts', content: 'x' }] })).toEqual([
    { type: 'output', name: 'a.ts', text: 'x', isError: false },
  ])
  const content = [
    { type: 'text', text: 'one' },
    { type: 'text', text: 'two' },
  ]
  expect(message({ role: 'toolResult', toolName: 'read', content })).toEqual([
    { type: 'output', name: 'read', text: 'one\ntwo', isError: false },
  ])
})

test('summaries and failures are told', () => {
  expect(partsOf(entry({ type: 'compaction', summary: 'so far' }))).toEqual([{ type: 'text', text: 'so far' }])
  expect(message({ role: 'assistant', content: [], errorMessage: 'no network' })).toEqual([
    { type: 'remark', text: 'Failed: no network' },
  ])
})

test.each<readonly [message: unknown, said: readonly string[]]>([
  [undefined, ['']],
  [7, ['7']],
  ['text', ['text']],
  [[], ['[]']],
  [{}, []],
  [{ role: 'user' }, []],
  [{ role: 'user', content: { a: 1 } }, ['{\n  "a": 1\n}']],
  [{ role: 'assistant', content: [null, 3, { type: 'later', x: 1 }] }, ['3', '{\n  "type": "later",\n  "x": 1\n}']],
])('any shape is survived, and what is unknown is shown rather than left out: %j', (said, texts) => {
  const parts = partsOf(entry({ message: said }))
  expect(parts.map((part) => 'text' in part && part.text)).toEqual(texts)
})
