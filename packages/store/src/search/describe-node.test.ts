import type { Entry } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { describeNode } from './describe-node.ts'
import { isSearchRole, roleCode, roleOfCode } from './roles.ts'
import type { SearchRole } from './search-types.ts'

function entry(fields: object): Entry {
  return { type: 'message', id: 'a', parentId: null, timestamp: '', ...fields }
}

function describe(message: unknown) {
  return describeNode(entry({ message }))
}

test('everything said, thought, called, answered and run is in the text', () => {
  expect(
    describe({
      role: 'assistant',
      stopReason: 'error',
      errorMessage: 'overloaded',
      content: [
        { type: 'thinking', thinking: 'hmm', thinkingSignature: 'secret' },
        { type: 'text', text: 'hello' },
        {
          type: 'toolCall',
          name: 'edit',
          arguments: { path: 'src/Ä.ts', edits: [{ oldText: 'x', newText: 'y' }], n: 5 },
        },
        { type: 'redactedThinking', data: 'AAAA' },
        { type: 'image', data: 'BBBB' },
      ],
    }),
  ).toEqual({
    text: 'hmm\nhello\nedit\nsrc/Ä.ts\nx\ny\noverloaded',
    role: 'assistant',
    tools: ['edit'],
    paths: ['src/a.ts'],
    isError: true,
  })
  expect(
    describe({ role: 'toolResult', toolName: 'bash', isError: false, content: [{ type: 'text', text: 'out' }] }),
  ).toEqual({
    text: 'out',
    role: 'toolResult',
    tools: ['bash'],
    paths: [],
    isError: false,
  })
  expect(describe({ role: 'bashExecution', command: 'ls', output: 'x', exitCode: 2 })).toMatchObject({
    text: 'ls\nx',
    role: 'bashExecution',
    isError: true,
  })
  expect(describe({ role: 'fileMention', files: [{ path: 'A.md', content: 'words' }] })).toMatchObject({
    text: 'A.md\nwords',
    role: 'user',
    paths: ['a.md'],
  })
  const files = {
    type: 'toolCall',
    name: 'x',
    arguments: { files: ['a', { file_path: 'b' }], filePath: 'c', other: 'd' },
  }
  expect(describe({ role: 'assistant', content: [files] })?.paths).toEqual(['a', 'b', 'c'])
})

test('summaries and shown messages are described, hidden and empty ones are not', () => {
  expect(describeNode(entry({ type: 'compaction', summary: 'all', shortSummary: 'short' }))).toMatchObject({
    text: 'short\nall',
    role: 'summary',
  })
  expect(describeNode(entry({ type: 'branch_summary', summary: 'branch' }))?.role).toBe('summary')
  expect(describeNode(entry({ type: 'custom_message', content: 'note', display: true }))?.role).toBe('custom')
  expect(describeNode(entry({ type: 'custom_message', content: 'note', display: false }))).toBeUndefined()
  expect(describe({ role: 'custom', content: 'note', display: false })).toBeUndefined()
  expect(describe({ role: 'developer', content: 'rules' })?.role).toBe('system')
  expect(describe({ role: 'alien', content: 'words' })?.role).toBe('other')
  expect(describe({ role: 'user', content: ' \n' })).toBeUndefined()
  expect(describe({ role: 'user', content: [{ type: 'image', data: 'x' }] })).toBeUndefined()
  expect(describeNode(entry({ type: 'label', label: 'x' }))).toBeUndefined()
})

test('any shape is survived, and a role always comes back from its code', () => {
  const types = fc.constantFrom('message', 'custom_message', 'compaction', 'branch_summary', 'label', '__proto__')
  const roles = fc.constantFrom(
    'user',
    'assistant',
    'toolResult',
    'bashExecution',
    'custom',
    'fileMention',
    'system',
    'x',
  )
  const names = fc.constantFrom(
    'content',
    'files',
    'sections',
    'arguments',
    'toolName',
    'output',
    'summary',
    'type',
    'path',
  )
  const value = fc.anything({ key: names, maxDepth: 4, maxKeys: 4, values: [fc.string(), fc.constant(null), fc.nat()] })
  const property = fc.property(types, roles, fc.dictionary(names, value, { maxKeys: 5 }), (type, role, fields) => {
    for (const shape of [{ ...fields, role }, fields]) {
      const found = describeNode(entry({ ...fields, type, message: shape }))
      if (found) expect(roleOfCode(roleCode(found.role))).toBe(found.role)
    }
  })
  fc.assert(property, { numRuns: runs(500) })
  expect(isSearchRole('toolResult')).toBe(true)
  expect(isSearchRole('toString')).toBe(false)
  expect(roleOfCode(99)).toBe('other' satisfies SearchRole)
})

test('depth, breadth and length are bounded', () => {
  let deep: unknown = 'bottom'
  for (let i = 0; i < 100_000; i++) deep = i % 2 === 0 ? [deep] : { path: deep }
  const call = (input: unknown) => ({ role: 'assistant', content: [{ type: 'toolCall', name: 'x', arguments: input }] })
  expect(describe(call(deep))?.tools).toEqual(['x'])
  expect(describe(call({ files: Array.from({ length: 100_000 }, (_, i) => `f${i}`) }))?.paths).toHaveLength(256)
  const blocks = Array.from({ length: 30 }, () => ({ type: 'text', text: 'x'.repeat(500_000) }))
  expect(describe({ role: 'user', content: blocks })?.text.length).toBeLessThan(4_000_100)
})
