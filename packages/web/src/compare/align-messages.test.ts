import type { ChatMessageNode } from '@treeline/protocol'
import { expect, test } from 'vitest'
import { alignMessages } from './align-messages.ts'

const node = (id: string, role: 'user' | 'assistant' | 'tool', content = id): ChatMessageNode => ({
  ...{ id, role, content, contentLength: content.length, parentId: null, childrenIds: [], status: 'complete' },
  ...{ isEnabled: true, timestamp: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z', version: 1 },
})
const pairs = (left: readonly ChatMessageNode[], right: readonly ChatMessageNode[]) =>
  alignMessages(left, right).map((one) => `${one.left?.id ?? '-'}|${one.right?.id ?? '-'}`)

test('questions stand beside questions, answers beside answers', () => {
  expect(pairs([node('q1', 'user'), node('a1', 'assistant')], [node('q2', 'user'), node('a2', 'assistant')])).toEqual([
    'q1|q2',
    'a1|a2',
  ])
})

test('what only one side has stands alone', () => {
  const left = [node('q1', 'user'), node('c', 'assistant'), node('r', 'tool'), node('a1', 'assistant')]
  const right = [node('q2', 'user'), node('a2', 'assistant')]
  const aligned = pairs(left, right)
  expect(aligned[0]).toBe('q1|q2')
  expect(aligned.filter((one) => one.includes('-'))).toHaveLength(2)
  expect(aligned).toHaveLength(4)
})

test('the same text draws together', () => {
  const left = [node('a', 'user', 'x'), node('b', 'user', 'same')]
  expect(pairs(left, [node('c', 'user', 'same')])).toEqual(['a|-', 'b|c'])
})

test('branches of any length end, with every message once', () => {
  const long = Array.from({ length: 2_000 }, (_, i) => node(`l${i}`, i % 2 === 0 ? 'user' : 'assistant'))
  expect(alignMessages(long, long.slice(0, 1_500))).toHaveLength(2_000)
  expect(alignMessages([], [])).toEqual([])
})
