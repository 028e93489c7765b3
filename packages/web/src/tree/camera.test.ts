import fc from 'fast-check'
import { expect, test } from 'vitest'
import { between, bringIntoView, type Camera, fit, toScreen, toWorld, viewOf, zoomAt } from './camera.ts'

const SIZE = { width: 1000, height: 800 }
const coordinate = fc.double({ min: -1e8, max: 1e8, noNaN: true })
const cameraArb: fc.Arbitrary<Camera> = fc.record({
  x: coordinate,
  y: coordinate,
  scale: fc.double({ min: 1e-4, max: 2, noNaN: true }),
})

test('a zoom leaves what is under the pointer where it is, also far from the origin', () => {
  const factor = fc.double({ min: 0.2, max: 5, noNaN: true })
  fc.assert(
    fc.property(cameraArb, fc.nat(1000), fc.nat(800), factor, (camera, x, y, by) => {
      const there = toWorld(camera, { x, y })
      const after = toScreen(zoomAt(camera, { x, y }, by), there)
      expect(after.x).toBeCloseTo(x, 3)
      expect(after.y).toBeCloseTo(y, 3)
    }),
  )
})

test('a fit shows all of a rectangle and never enlarges it beyond what is good to read', () => {
  const rect = { left: 1e7, top: 0, right: 1e7 + 4_000, bottom: 400 }
  const camera = fit(rect, SIZE)
  const view = viewOf(camera, SIZE)
  expect(view.left).toBeLessThanOrEqual(rect.left)
  expect(view.right).toBeGreaterThanOrEqual(rect.right)
  expect(fit({ left: 0, top: 0, right: 10, bottom: 10 }, SIZE).scale).toBe(1)
})

test('what is on screen moves nothing; what is beside it comes in by the least way', () => {
  const camera = { x: 0, y: 0, scale: 1 }
  expect(bringIntoView(camera, { left: 100, top: 100, right: 300, bottom: 200 }, SIZE)).toBe(camera)
  expect(bringIntoView(camera, { left: 1100, top: 100, right: 1200, bottom: 200 }, SIZE)).toEqual({
    x: 248,
    y: 0,
    scale: 1,
  })
})

test('a way from one camera to another begins and ends there', () => {
  const [from, to] = [
    { x: 0, y: 0, scale: 1 },
    { x: 5_000, y: 100, scale: 0.1 },
  ]
  expect(between(from, to, 1, SIZE)).toEqual(to)
  const start = between(from, to, 0, SIZE)
  expect(start.x).toBeCloseTo(0, 6)
  expect(start.scale).toBe(1)
})
