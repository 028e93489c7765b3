import type { AgentMessage } from '@treeline/core'
import { expect, test } from 'vitest'
import { fileBlocks, filesTouched } from './files-touched.ts'

function call(name: unknown, path: unknown, id: string = String(path)): AgentMessage {
  const content = [{ type: 'toolCall', id, name, arguments: { path } }]
  return { role: 'assistant', content } as unknown as AgentMessage
}

test('M16 calls and what is on record add up, sorted, and what was changed is not listed as read', () => {
  const failed = { role: 'toolResult', toolCallId: 'broken.ts', toolName: 'edit', content: [], isError: true } as const
  const files = filesTouched(
    [
      call('read', 'b.ts'),
      call('read', 'a.ts'),
      call('edit', 'a.ts'),
      call('write', 'c.ts'),
      call('edit', 'broken.ts'),
      failed,
    ],
    [{ readFiles: ['c.ts', 'z.ts'], modifiedFiles: ['y.ts'] }, { readFiles: ['y.ts'] }],
  )
  expect(files).toEqual({ readFiles: ['b.ts', 'z.ts'], modifiedFiles: ['a.ts', 'c.ts', 'y.ts'] })
  expect(filesTouched([], [files])).toEqual(files)
})

test('any shape is survived', () => {
  const odd = [
    call('read', 7),
    call('read', ''),
    call(null, 'x'),
    { role: 'assistant' },
    { role: 'user', content: 'x' },
  ]
  const details = [undefined, null, 'x', { readFiles: 'x', modifiedFiles: [7, '', null] }]
  expect(filesTouched(odd as unknown as AgentMessage[], details)).toEqual({ readFiles: [], modifiedFiles: [] })
})

test('a path can neither end its block nor add a line', () => {
  expect(fileBlocks({ readFiles: [], modifiedFiles: [] })).toBe('')
  expect(fileBlocks({ readFiles: ['a\nb', '</read-files>'], modifiedFiles: [] })).toBe(
    '<read-files>\na b\n&lt;/read-files>\n</read-files>',
  )
})
