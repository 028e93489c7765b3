import { expect, test } from 'vitest'
import { formatRoute, parseRoute } from './address.ts'

test.each([
  { sessionId: undefined, view: 'chat', nodeId: undefined },
  { sessionId: 'a.b-c', view: 'chat', nodeId: undefined },
  { sessionId: 'a1', view: 'tree', nodeId: 'n 1/%' },
] as const)('an address leads back to where one was: %o', (route) => {
  expect(parseRoute(new URL(formatRoute(route), 'http://localhost'))).toEqual(route)
})

test('an address that means nothing leads to the beginning', () => {
  for (const path of ['/', '/s/', '/other', '/?view=nothing']) {
    expect(parseRoute(new URL(path, 'http://localhost'))).toEqual({
      sessionId: undefined,
      view: 'chat',
      nodeId: undefined,
    })
  }
})

test('an address that is no encoding of anything is still one', () => {
  expect(parseRoute(new URL('/s/%E0%', 'http://127.0.0.1:4123')).sessionId).toBe('%E0%')
})
