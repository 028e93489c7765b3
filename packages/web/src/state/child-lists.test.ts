import { expect, test } from 'vitest'
import { ChildLists } from './child-lists.ts'

test('children stand in the order they came in, also under a parent that came after them', () => {
  const lists = new ChildLists([-1, 0, 4, 0, -2, 4])
  expect([0, 1, 2, 3, 4, 5].map((place) => lists.of(place))).toEqual([[1, 3], [], [], [], [2, 5], []])
  expect([0, 1, 4].map((place) => lists.count(place))).toEqual([2, 0, 2])
})

test('a changed list is its own, and the others stay', () => {
  const lists = new ChildLists([-1, 0, 0, 1])
  lists.own(0).push(4)
  lists.own(4).push(5)
  lists.set(1, [])
  expect([0, 1, 2, 3, 4, 5, 99].map((place) => lists.of(place))).toEqual([[1, 2, 4], [], [], [], [5], [], []])
  expect([0, 1, 4, 99].map((place) => lists.count(place))).toEqual([3, 0, 1, 0])
  expect([...lists.ownLists()].map(([place]) => place)).toEqual([0, 4, 1])
})

test('the last of those that came first has no children of those that came later', () => {
  const lists = new ChildLists([-1, 0])
  expect([lists.of(1), lists.of(2), lists.count(2)]).toEqual([[], [], 0])
})

test('parents that are no place are nobody’s', () => {
  const lists = new ChildLists([7, -3, Number.NaN])
  expect([0, 1, 2].map((place) => lists.of(place))).toEqual([[], [], []])
})
