import { type Entry, readLog } from '@treeline/core'
import { expect, test } from 'vitest'
import { findNode } from '../node-of.ts'
import { shortIds } from './short-ids.ts'

function treeOf(ids: readonly string[]) {
  const message = { role: 'user', content: 'x', timestamp: 1 }
  const entries = ids.map((id) => ({
    type: 'message',
    id,
    parentId: null,
    timestamp: '2026-01-01T00:00:00.000Z',
    message,
  }))
  const header = { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' }
  const lines = [header, ...(entries as unknown as Entry[])].map((line) => `${JSON.stringify(line)}\n`)
  return readLog(Buffer.from(lines.join(''))).tree
}

test('what is shown of an id is enough for findNode, whatever the ids are', () => {
  const cases = [
    ['1a2b3c4d', '5e6f7a8b'],
    ['0199c0de-0000-7000-8000-00000000000a', '0199c0de-0000-7000-8000-00000000000b'],
    ['aaaaaaaa-1111-2222-3333-444444444444', 'bbbbbbbb-9999-2222-3333-444444444444'],
    ['44444444-long-enough', 'x-long-enough-44444444'],
    ['short', 'a-very-long-identifier-indeed'],
  ]
  for (const ids of cases) {
    const tree = treeOf(ids)
    const shown = ids.map(shortIds(tree))
    expect(shown.map((text) => findNode({ tree, leafId: null }, text, 'x'))).toEqual(ids)
  }
  const tree = treeOf(cases[1]!)
  expect(cases[1]!.map(shortIds(tree))).toEqual(['0000000a', '0000000b'])
})
