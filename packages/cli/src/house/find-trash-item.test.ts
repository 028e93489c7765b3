import type { TrashItem } from '@treeline/store'
import { expect, test } from 'vitest'
import { findTrashItem } from './find-trash-item.ts'

const items = [item('0190-aaaa-1111', 'session-one'), item('0190-bbbb-2222', 'session-two')]

test('an item is found by its id, its session, or a part of either', () => {
  expect(findTrashItem(items, '0190-aaaa-1111')).toBe(items[0])
  expect(findTrashItem(items, '2222')).toBe(items[1])
  expect(findTrashItem(items, 'session-two')).toBe(items[1])
})

test('nothing is guessed', () => {
  expect(() => findTrashItem(items, '0190')).toThrow(/2 things in the trash fit "0190": 0190-aaaa-1111/)
  expect(() => findTrashItem(items, '111')).toThrow(/Nothing in the trash is called "111"/)
})

function item(trashId: string, sessionId: string): TrashItem {
  return { trashId, sessionId, kind: 'session', trashedAt: undefined, reason: undefined, files: [], sizeBytes: 0 }
}
