import { expect, test } from 'vitest'
import type { Entry } from '../entry/entry.ts'
import { runSteps } from '../steps.ts'
import { pathOf } from '../testing/path-of.ts'
import { type SelectOptions, selectPath } from './selection.ts'

const user = (id: string) => ({ type: 'message', id, message: { role: 'user', content: id } })
const compaction = (id: string, firstKeptEntryId: string, more: object = {}) => ({
  type: 'compaction',
  id,
  summary: id,
  firstKeptEntryId,
  tokensBefore: 1,
  ...more,
})

function select(entries: readonly (object | undefined)[], options: Partial<SelectOptions> = {}) {
  const path = pathOf(entries)
  const selection = runSteps(selectPath(path, { dialect: 'treeline', ...options }), path.read)
  return { ...selection, verdicts: entries.map((_, position) => selection.verdictAt(position)), reads: path.reads }
}

test('without a compaction nothing is read and everything emits in path order', () => {
  const { verdicts, order, compaction: inForce, reads } = select([user('a'), { type: 'label', id: 'b' }, user('c')])
  expect(verdicts).toEqual(['emits', 'silent', 'emits'])
  expect(order).toEqual([0, 2])
  expect([inForce, reads]).toEqual([undefined, []])
})

test('the compaction in force comes first and is the only body read', () => {
  const found = select([user('a'), compaction('b', 'a'), user('c'), user('d'), compaction('e', 'd'), user('f')])
  expect(found.verdicts).toEqual(['compacted', 'superseded', 'compacted', 'emits', 'emits', 'emits'])
  expect(found.order).toEqual([4, 3, 5])
  expect(found.compaction).toMatchObject({ position: 4, entry: { id: 'e' } })
  expect(found.reads).toEqual([[4]])
})

test('X61 a compaction that is stepped over gives way to the one before, or to the whole path', () => {
  const path = [user('a'), compaction('b', 'none'), user('c'), compaction('d', 'none'), user('e')]
  const steppedLast = select(path, { isStepped: (position) => position === 3 })
  expect(steppedLast.verdicts).toEqual(['compacted', 'emits', 'emits', 'stepped', 'emits'])
  expect(steppedLast.order).toEqual([1, 2, 4])
  const steppedAll = select(path, { isStepped: () => true })
  expect(steppedAll.verdicts).toEqual(['emits', 'stepped', 'emits', 'stepped', 'emits'])
  expect([steppedAll.order, steppedAll.reads]).toEqual([[0, 2, 4], []])
})

test('stepping over a compaction below a reset brings the reset back', () => {
  const path = [user('a'), { type: 'reset_boundary', id: 'b' }, user('c'), compaction('d', 'c')]
  expect(select(path).verdicts).toEqual(['reset', 'silent', 'emits', 'emits'])
  const stepped = select(path, { isStepped: () => true })
  expect(stepped.verdicts).toEqual(['reset', 'silent', 'emits', 'stepped'])
  expect(stepped.reset).toBe(1)
})

test('I3 a compaction that cannot be read hides nothing, and is reported', () => {
  const path = [user('a'), compaction('b', 'b'), user('c'), { type: 'compaction', id: 'd' }, user('e')]
  const found = select(path)
  expect(found.verdicts).toEqual(['compacted', 'emits', 'emits', 'unreadable', 'emits'])
  expect(found.problems).toEqual([{ entryId: 'd', position: 3, reason: 'bad_summary' }])
})

test('a first kept entry that the path leaves out is found through findKept', () => {
  const path = pathOf([user('a'), user('b'), compaction('c', 'label between a and b'), user('d')])
  const withFind = { ...path, findKept: (id: string) => (id.startsWith('label') ? 1 : undefined) }
  const steps = (view: typeof path) => runSteps(selectPath(view, { dialect: 'treeline' }), path.read).order
  expect(steps(path)).toEqual([2, 3])
  expect(steps(withFind)).toEqual([2, 1, 3])
})

test('a retained tail stands for the kept stretch', () => {
  const tail: Partial<Entry> = { retainedTail: [{ role: 'user', content: 'kept' }] }
  expect(select([user('a'), compaction('b', 'a', tail)]).order).toEqual([1])
  expect(select([user('a'), compaction('b', 'a', tail)], { dialect: 'pi' }).order).toEqual([1, 0])
})

test('an empty path selects nothing', () => {
  expect(select([])).toMatchObject({ verdicts: [], order: [], from: 0, reads: [] })
})
