import { expect, test } from 'vitest'
import { moduleUrl } from './module-url.ts'

test.each([
  ['file:///p/store/src/session-index/folder-source.ts', 'file:///p/store/src/session-index/refresh-worker.ts'],
  ['file:///p/store/src/session-index/folder-source.ts?v=1', 'file:///p/store/src/session-index/refresh-worker.ts'],
  ['file:///p/dist/treeline.js', 'file:///p/dist/refresh-worker.js'],
  ['file:///a%20b/dist/chunk-Xy.mjs', 'file:///a%20b/dist/refresh-worker.js'],
])('from %s', (from, expected) => {
  expect(moduleUrl('refresh-worker', from)).toBe(expected)
})
