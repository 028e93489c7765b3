import type { ContextPreview } from '@treeline/protocol'
import { expect, test } from 'vitest'
import { type LineFacts, type LineRow, lineRows, sharesByRole } from './line-rows.ts'

const message = (nodeId: string | null, role: 'user' | 'assistant' | 'system' = 'user', nodeIds?: string[]) => ({
  nodeId,
  role,
  content: nodeId ?? 'added',
  tokens: 10,
  ...(nodeIds && { nodeIds }),
})
const preview = (messages: ContextPreview['messages'], excluded: ContextPreview['excluded'] = []): ContextPreview => ({
  ...{ leafId: null, version: 1, strategy: 'default', model: 'demo/demo', messages, excluded, warnings: [] },
  tokens: { context: 100, reservedOutput: 10, limit: 1000 },
  cost: null,
})
const facts = (more: Partial<LineFacts> = {}): LineFacts => ({
  path: ['a', 'b', 'c', 'd', 'e', 'f'],
  changes: new Map(),
  coversOf: () => undefined,
  ...more,
})
const keysOf = (rows: readonly LineRow[]) => rows.map(({ kind, key }) => (kind === 'out' ? `-${key}` : key))

test('what stays out stands where it would have been sent', () => {
  const rows = lineRows(
    preview(
      [message(null, 'system'), message('b'), message('d')],
      [
        { nodeId: 'e', reason: 'error' },
        { nodeId: 'a', reason: 'disabled' },
        { nodeId: 'c', reason: 'disabled' },
      ],
    ),
    facts(),
  )
  expect(keysOf(rows)).toEqual(['message 0', '-a', 'b', '-c', 'd', '-e'])
})

test('a compaction leads, and what it covers is kept with it', () => {
  const rows = lineRows(
    preview(
      [message('e'), message('c'), message('f')],
      [
        { nodeId: 'a', reason: 'summarized' },
        { nodeId: 'b', reason: 'summarized' },
        { nodeId: 'd', reason: 'disabled' },
      ],
    ),
    facts({ coversOf: (id) => (id === 'e' ? 'all' : undefined) }),
  )
  expect(keysOf(rows)).toEqual(['e', 'c', '-d', 'f'])
  const [lead] = rows
  expect(lead?.kind === 'message' && lead.covers.map(({ nodeId }) => nodeId)).toEqual(['a', 'b'])
})

test('a summary keeps the nodes that it was made of', () => {
  const rows = lineRows(
    preview(
      [message('c')],
      [
        { nodeId: 'a', reason: 'disabled' },
        { nodeId: 'b', reason: 'disabled' },
      ],
    ),
    facts({ coversOf: (id) => (id === 'c' ? ['b', 'gone'] : undefined) }),
  )
  expect(keysOf(rows)).toEqual(['-a', 'c'])
})

test('what is only thought of is marked', () => {
  const changes = new Map([
    ['a', 'mute'],
    ['b', 'unmute'],
  ] as const)
  const rows = lineRows(
    preview([message('b', 'user', ['b', 'c'])], [{ nodeId: 'a', reason: 'disabled' }]),
    facts({ changes }),
  )
  expect(rows.map(({ isChanged }) => isChanged)).toEqual([true, true])
})

test('shares add up to what is sent', () => {
  const shares = sharesByRole([message('a'), message('b', 'assistant'), message('c'), message(null, 'system')])
  expect(shares).toEqual([
    { role: 'system', tokens: 10 },
    { role: 'user', tokens: 20 },
    { role: 'assistant', tokens: 10 },
  ])
})
