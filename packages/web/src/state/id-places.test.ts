import { expect, test } from 'vitest'
import { IdPlaces } from './id-places.ts'

test('few or many are asked for, each has its place, and one that is not there has none', () => {
  const ids = Array.from({ length: 200 }, (_, i) => `n${i}`)
  const places = new IdPlaces(ids)
  for (let round = 0; round < 2; round++) {
    for (let i = 199; i >= 0; i--) expect(places.of(`n${i}`)).toBe(i)
    expect(places.of('other')).toBe(-1)
  }
})

test('one that came later is found, before and after all were written down', () => {
  const ids = ['a', 'b']
  const places = new IdPlaces(ids)
  const add = (id: string): void => {
    ids.push(id)
    places.note(id, ids.length - 1)
  }
  expect(places.of('c')).toBe(-1)
  add('c')
  expect(places.of('c')).toBe(2)
  for (let i = 0; i < 100; i++) places.of(`missing${i}`)
  expect([places.of('a'), places.of('c'), places.of('d')]).toEqual([0, 2, -1])
  add('d')
  expect(places.of('d')).toBe(3)
})
