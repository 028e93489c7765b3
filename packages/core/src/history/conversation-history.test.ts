import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { buildConversationHistory, getAllBranches } from './conversation-history.ts'
import type { LinkedEntry } from './flat-entry.ts'

const ids = (entries: readonly LinkedEntry[]) => entries.map(({ id }) => id)
const seed = [
  { id: '1', parentId: null, content: 'A' },
  { id: '2', parentId: '1', content: 'B' },
  { id: '3', parentId: '2', content: 'C' },
  { id: '4', parentId: '2', content: 'D' },
  { id: '5', parentId: '4', content: 'E' },
]

test('P12 the history of a branch is its path from the root', () => {
  expect(ids(buildConversationHistory(seed, '3'))).toEqual(['1', '2', '3'])
  expect(ids(buildConversationHistory(seed, '5'))).toEqual(['1', '2', '4', '5'])
  expect(buildConversationHistory(seed, '5')[3]).toBe(seed[4])
})

test('P12 it stops at a parent that is not there, and an unknown branch has no history', () => {
  expect(ids(buildConversationHistory([{ id: 'b', parentId: 'gone' }], 'b'))).toEqual(['b'])
  expect(buildConversationHistory(seed, 'nowhere')).toEqual([])
  expect(buildConversationHistory([], '')).toEqual([])
})

test('P13 every entry without children ends a branch, in entry order', () => {
  expect(getAllBranches(seed)).toEqual([
    ['1', '2', '3'],
    ['1', '2', '4', '5'],
  ])
  expect(getAllBranches([])).toEqual([])
})

test('X35 any node is a branch to ask for, also one with children', () => {
  expect(ids(buildConversationHistory(seed, '2'))).toEqual(['1', '2'])
})

test('X39 no parent, null and the empty string are all roots', () => {
  const roots = [{ id: 'a' }, { id: 'b', parentId: undefined }, { id: 'c', parentId: null }, { id: 'd', parentId: '' }]
  expect(getAllBranches(roots)).toEqual([['a'], ['b'], ['c'], ['d']])
})

test('of entries with one id the first counts', () => {
  const twice = [{ id: 'a' }, { id: 'b', parentId: 'a' }, { id: 'b', parentId: 'gone' }, { id: 'c', parentId: 'b' }]
  expect(getAllBranches(twice)).toEqual([['a', 'b', 'c']])
})

test('G1 a ring of parents is cut at its first entry and stays visible', () => {
  const ring = [
    { id: 'a', parentId: 'c' },
    { id: 'b', parentId: 'a' },
    { id: 'c', parentId: 'b' },
    { id: 'd', parentId: 'b' },
    { id: 'self', parentId: 'self' },
  ]
  expect(getAllBranches(ring)).toEqual([['a', 'b', 'c'], ['a', 'b', 'd'], ['self']])
  expect(ids(buildConversationHistory(ring, 'd'))).toEqual(['a', 'b', 'd'])
})

test('children may come before their parents', () => {
  expect(getAllBranches([{ id: 'c', parentId: 'b' }, { id: 'b', parentId: 'a' }, { id: 'a' }])).toEqual([
    ['a', 'b', 'c'],
  ])
})

test('G1 any links at all: every id is on a branch, no path has an id twice, each is what the history of its leaf says', () => {
  const id = fc.nat(12).map(String)
  const entries = fc.array(fc.record({ id, parentId: fc.option(fc.oneof(id, fc.constant(''))) }), { maxLength: 20 })
  fc.assert(
    fc.property(entries, (list) => {
      const branches = getAllBranches(list)
      expect(new Set(branches.flat())).toEqual(new Set(ids(list)))
      for (const branch of branches) {
        expect(new Set(branch).size).toBe(branch.length)
        expect(ids(buildConversationHistory(list, branch.at(-1)!))).toEqual(branch)
      }
    }),
    { numRuns: runs(500) },
  )
})

describe('X37 the work grows with the entries, not with their square', () => {
  /** Counts how often entries are looked at: what `entries.find` in a loop would do n² times. */
  function looks(count: number, act: (entries: readonly LinkedEntry[]) => unknown): number {
    let reads = 0
    const entries = Array.from({ length: count }, (_, i) => ({
      get id() {
        reads++
        return `e${i}`
      },
      get parentId() {
        reads++
        return i === 0 ? null : `e${i % 1000 === 0 ? i - 500 : i - 1}`
      },
    }))
    act(entries)
    return reads
  }

  test.each([
    ['buildConversationHistory', (entries: readonly LinkedEntry[]) => buildConversationHistory(entries, 'e19999')],
    ['getAllBranches', getAllBranches],
  ])('%s looks at each of 20,000 entries a few times', (_name, act) => {
    expect(looks(20_000, act)).toBeLessThanOrEqual(4 * 20_000)
  })
})
