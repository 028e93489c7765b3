import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { buildConversationHistory } from './conversation-history.ts'
import type { FlatEntry } from './flat-entry.ts'
import { findIncompleteToolCalls } from './incomplete-tool-calls.ts'

function flat(type: FlatEntry['type'], id: string, parentId?: string, toolCallId?: string): FlatEntry {
  return { id, parentId, timestamp: 0, type, content: id, ...(toolCallId && { metadata: { toolCallId } }) }
}
const call = (id: string, parentId?: string, toolCallId?: string) => flat('tool_call', id, parentId, toolCallId)
const result = (id: string, parentId?: string, toolCallId?: string) => flat('tool_result', id, parentId, toolCallId)
const open = (...entries: FlatEntry[]) => findIncompleteToolCalls(entries).map(({ id }) => id)

test('P17 a call without a result under it is incomplete', () => {
  expect(open(flat('user', 'u'), call('a', 'u'), result('r', 'a'), call('b', 'r'))).toEqual(['b'])
  expect(open(call('a'))).toEqual(['a'])
  expect(open()).toEqual([])
})

test('X65 parallel calls in a chain are each matched with their own result', () => {
  const calls = [call('a', undefined, 'x'), call('b', 'a', 'y')]
  expect(open(...calls, result('r', 'b', 'x'))).toEqual(['b'])
  expect(open(...calls, result('r', 'b', 'x'), result('s', 'r', 'y'))).toEqual([])
})

test('X65 a result on another branch answers nothing here', () => {
  const entries = [flat('user', 'u'), call('a', 'u', 'x'), result('r', 'a', 'x'), call('a2', 'u', 'x')]
  expect(open(...entries)).toEqual(['a2'])
})

test('X65 chained calls without ids are answered from the inside out, on each branch anew', () => {
  const calls = [call('a'), call('b', 'a')]
  expect(open(...calls, result('r', 'b'))).toEqual(['a'])
  expect(open(...calls, result('r', 'b'), result('s', 'r'))).toEqual([])
  expect(open(...calls, result('r', 'b'), result('s', 'b'))).toEqual(['a'])
})

test('X65 where one side has no id the parent decides', () => {
  expect(open(call('a', undefined, 'x'), result('r', 'a'))).toEqual([])
  expect(open(call('a'), result('r', 'a', 'x'))).toEqual([])
  expect(open(call('a', undefined, 'x'), result('r', 'a', 'y'))).toEqual(['a'])
})

test('X69 results that hang side by side under the last call still count for the calls above', () => {
  const calls = [call('a', undefined, 'x'), call('b', 'a', 'y')]
  expect(open(...calls, result('r', 'b', 'x'), result('s', 'b', 'y'))).toEqual([])
})

test('G1 rings, duplicate ids and unknown parents are survived', () => {
  expect(open(call('a', 'b'), call('b', 'a'), call('a', 'gone'), call('c', 'gone'), result('r', 'b'))).toEqual([
    'a',
    'c',
  ])
})

test('X37 a deep chain and 20,000 answered calls are read a few times each', () => {
  let reads = 0
  const entries = Array.from({ length: 40_000 }, (_, i) => {
    const entry =
      i < 20_000 ? call(`c${i}`, i === 0 ? '' : `c${i - 1}`, `x${i}`) : result(`r${i}`, 'c19999', `x${i - 20_000}`)
    const get = (target: FlatEntry, key: string | symbol): unknown => {
      reads++
      return Reflect.get(target, key)
    }
    return new Proxy(entry, { get })
  })
  expect(findIncompleteToolCalls(entries)).toEqual([])
  expect(reads).toBeLessThanOrEqual(12 * entries.length)
})

test('X65 the answer is the one that walking every path from its root would give', () => {
  const row = fc.record({
    type: fc.constantFrom<FlatEntry['type']>('user', 'tool_call', 'tool_call', 'tool_result', 'tool_result'),
    parent: fc.nat(),
    toolCallId: fc.constantFrom(undefined, undefined, 'x', 'y'),
  })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 25 }), (rows) => {
      const entries = rows.map(({ type, parent, toolCallId }, i) => {
        const parentId = i === 0 || parent % 9 === 0 ? undefined : `${i - 1 - (parent % Math.min(i, 3))}`
        return flat(type, `${i}`, parentId, toolCallId)
      })
      const answered = new Set(entries.flatMap(({ id }) => walk(buildConversationHistory(entries, id))))
      const expected = entries.filter((entry) => entry.type === 'tool_call' && !answered.has(entry))
      expect(findIncompleteToolCalls(entries)).toEqual(expected)
    }),
    { numRuns: runs(1000) },
  )
})

/** The calls that are answered on one path. */
function walk(path: readonly FlatEntry[]): FlatEntry[] {
  const answered: FlatEntry[] = []
  const unnamed: FlatEntry[] = []
  path.forEach((entry, i) => {
    const id = entry.metadata?.toolCallId
    if (entry.type === 'tool_call' && id === undefined) unnamed.push(entry)
    if (entry.type !== 'tool_result') return
    const parent = path[i - 1]
    const named = path.slice(0, i).findLast((above) => above.type === 'tool_call' && above.metadata?.toolCallId === id)
    if (id !== undefined && named) answered.push(named)
    else if (id === undefined && parent?.type === 'tool_call' && parent !== unnamed.at(-1)) answered.push(parent)
    else answered.push(...unnamed.splice(-1))
  })
  return answered
}
