import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boxAt, boxesIn, buildHitIndex, padded, type Rect, type Rects } from './hit.ts'

const runs = { numRuns: 300 * Number(process.env.TREELINE_RUNS_FACTOR ?? 1) }
const coordinate = fc.oneof(fc.integer({ min: -500, max: 500 }), fc.double({ min: -1e8, max: 1e8, noNaN: true }))
const size = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(0, 64, 128, 1e7))
const rectsArb = fc.array(fc.tuple(coordinate, coordinate, size, size), { maxLength: 60 }).map((rows) => ({
  x: Float64Array.from(rows, (row) => row[0]),
  y: Float64Array.from(rows, (row) => row[1]),
  width: Float64Array.from(rows, (row) => row[2]),
  height: Float64Array.from(rows, (row) => row[3]),
}))

function lookAtAll({ x, y, width, height }: Rects, { left, top, right, bottom }: Rect): number[] {
  return Array.from(x.keys()).filter(
    (i) => x[i]! <= right && x[i]! + width[i]! >= left && y[i]! <= bottom && y[i]! + height[i]! >= top,
  )
}

function grid(columns: number, rows: number): Rects {
  const count = columns * rows
  return {
    x: Float64Array.from({ length: count }, (_, i) => (i % columns) * 100),
    y: Float64Array.from({ length: count }, (_, i) => Math.floor(i / columns) * 50),
    width: new Float64Array(count).fill(80),
    height: new Float64Array(count).fill(30),
  }
}

test('finds what touches a rectangle, and nothing else, as looking at every box does', () => {
  fc.assert(
    fc.property(rectsArb, coordinate, coordinate, size, size, (rects, left, top, width, height) => {
      const wanted = { left, top, right: left + width, bottom: top + height }
      const found = boxesIn(buildHitIndex(rects), wanted)
      expect(found.sort((a, b) => a - b)).toEqual(lookAtAll(rects, wanted))
    }),
    runs,
  )
})

test('finds every box at its own corners, and what stands there under a point', () => {
  fc.assert(
    fc.property(rectsArb, (rects) => {
      const index = buildHitIndex(rects)
      for (const [box, left] of rects.x.entries()) {
        const point = { left, top: rects.y[box]!, right: left, bottom: rects.y[box]! }
        expect(boxesIn(index, point)).toContain(box)
        expect(lookAtAll(rects, point)).toContain(boxAt(index, left, rects.y[box]!))
      }
    }),
    runs,
  )
})

test('between boxes there is none, and padding reaches over the gap', () => {
  const index = buildHitIndex(grid(3, 3))
  expect([boxAt(index, 79, 29), boxAt(index, 90, 10), boxAt(index, 110, 55)]).toEqual([0, -1, 4])
  const gap = { left: 85, top: 35, right: 95, bottom: 45 }
  expect(boxesIn(index, gap)).toEqual([])
  expect(boxesIn(index, padded(gap, 6)).sort()).toEqual([0, 1, 3, 4])
  expect(boxesIn(buildHitIndex(grid(0, 0)), gap)).toEqual([])
})

test.each([
  ['a square', 450, 450],
  ['one column', 1, 200_000],
  ['one row', 200_000, 1],
])('what is on the screen is found without a look at the rest: %s', (_, columns, rows) => {
  const rects = grid(columns, rows)
  let looked = 0
  const index = buildHitIndex(rects)
  const x = new Proxy(rects.x, {
    get: (target, key) => {
      looked++
      return target[key as unknown as number]
    },
  })
  const left = Math.floor(columns / 2) * 100
  const top = Math.floor(rows / 2) * 50
  const found = boxesIn({ ...index, rects: { ...rects, x } }, { left, top, right: left + 1_280, bottom: top + 800 })
  expect(found.length).toBeGreaterThan(10)
  expect(looked).toBeLessThan(found.length * 6)
})
