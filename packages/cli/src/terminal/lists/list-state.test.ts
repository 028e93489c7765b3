import { describe, expect, test } from 'vitest'
import { goTo, moveList, rowsInSight, START } from './list-state.ts'

describe('a list of any length', () => {
  test('stops at both ends', () => {
    expect(moveList(START, 'up', 5, 3)).toEqual(START)
    expect(moveList(goTo(START, 4, 5, 3), 'down', 5, 3)).toEqual({ cursor: 4, top: 2 })
  })

  test('scrolls no more than needed', () => {
    const low = goTo(START, 50, 100, 10)
    expect(low).toEqual({ cursor: 50, top: 41 })
    expect(moveList(low, 'up', 100, 10)).toEqual({ cursor: 49, top: 41 })
    expect(goTo(low, 40, 100, 10)).toEqual({ cursor: 40, top: 40 })
  })

  test('goes by pages and to the ends', () => {
    expect(moveList(START, 'pageDown', 100, 10)).toEqual({ cursor: 10, top: 1 })
    expect(moveList(START, 'last', 1_000_000, 10)).toEqual({ cursor: 999_999, top: 999_990 })
    expect(moveList(goTo(START, 999_999, 1_000_000, 10), 'first', 1_000_000, 10)).toEqual(START)
  })

  test('holds when the list gets shorter or empty, and when the window grows', () => {
    expect(goTo({ cursor: 90, top: 85 }, 90, 20, 10)).toEqual({ cursor: 19, top: 10 })
    expect(goTo({ cursor: 90, top: 85 }, 90, 0, 10)).toEqual(START)
    expect(goTo({ cursor: 19, top: 15 }, 19, 20, 50)).toEqual({ cursor: 19, top: 0 })
  })

  test('only rows in sight are made', () => {
    expect(rowsInSight({ cursor: 3, top: 2 }, 1_000_000, 3)).toEqual([2, 3, 4])
    expect(rowsInSight(START, 2, 30)).toEqual([0, 1])
    expect(rowsInSight(START, 0, 30)).toEqual([])
  })
})
