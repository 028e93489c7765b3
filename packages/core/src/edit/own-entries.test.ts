import { expect, test } from 'vitest'
import type { Entry } from '../entry/entry.ts'
import { withOwnEntries } from './own-entries.ts'

const head = { id: 'e', parentId: 'leaf', timestamp: '2026-01-01T00:00:00.000Z' }
const mute = { op: 'mute', nodeIds: ['a'] } as const
const unmute = { op: 'unmute', nodeIds: ['a'] } as const
const label = (nodeId: string, label: string | null) => ({ op: 'label', nodeId, label }) as const

function edit(ops: readonly object[], inverse: readonly object[]): Entry {
  return { type: 'custom', ...head, customType: 'treeline/edit', data: { ops, inverse, auto: true } }
}

function split(entry: Entry): readonly Entry[] {
  let drawn = 0
  return withOwnEntries(entry, () => `new${++drawn}`)
}

const labelEntry = (id: string, targetId: string, said: object, before: string | null = null) => ({
  type: 'label',
  ...head,
  id,
  targetId,
  ...said,
  inverse: [label(targetId, before)],
  auto: true,
})

test('each label gets an entry of its own, and the rest stays one edit', () => {
  const ops = [mute, label('a', 'one'), label('b', 'two')]
  const inverse = [label('b', null), label('a', 'before'), unmute]
  expect(split(edit(ops, inverse))).toEqual([
    edit([mute], [unmute]),
    labelEntry('new1', 'a', { label: 'one' }, 'before'),
    labelEntry('new2', 'b', { label: 'two' }),
  ])
})

test('labels alone leave no edit, and the first has its id', () => {
  expect(split(edit([label('a', 'one'), label('b', null)], [label('b', 'was'), label('a', null)]))).toEqual([
    labelEntry('e', 'a', { label: 'one' }),
    labelEntry('new1', 'b', {}, 'was'),
  ])
})

test('a name gets one as well, and is taken back to what it was', () => {
  const ops = [mute, { op: 'name', name: 'Caches' }, label('a', 'one')]
  const inverse = [label('a', null), { op: 'name' }, unmute]
  expect(split(edit(ops, inverse))).toEqual([
    edit([mute], [unmute]),
    { type: 'session_info', ...head, id: 'new1', name: 'Caches', inverse: [{ op: 'name' }], auto: true },
    labelEntry('new2', 'a', { label: 'one' }),
  ])
})

test('what has neither, or is no edit, stays as it is', () => {
  for (const entry of [edit([mute], [unmute]), labelEntry('x', 'a', { label: 'one' }) as Entry]) {
    expect(split(entry)).toEqual([entry])
  }
})
