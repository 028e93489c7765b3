import { expect, test } from 'vitest'
import { MAX_FIRST_LINE_BYTES, takeSample } from '../sample.ts'
import { detectNeovate } from './detect.ts'
import { neovate } from './format.ts'
import { message, toBytes } from './testing/round-trip.ts'

const TOO_LONG = MAX_FIRST_LINE_BYTES + 1

const detect = (...lines: readonly (object | string)[]) => {
  const bytes = toBytes(lines)
  return detectNeovate(takeSample(bytes, bytes.length))
}

test('messages and settings are recognised, also of a line that is longer than what is looked at', () => {
  const image = [{ type: 'image', data: 'A'.repeat(TOO_LONG) }]
  expect(detect(message('a', null))).toBe(1)
  expect(detect({ type: 'config', config: { approvalMode: 'default', approvalTools: [] } })).toBe(0.9)
  expect(detect(message('a', null, { content: image }))).toBe(0.8)
  expect(
    detect({ type: 'config', config: { approvalMode: 'default', pastedImageMap: { a: 'A'.repeat(TOO_LONG) } } }),
  ).toBe(0.8)
})

test('what other tools write is not taken for it', () => {
  const head = { id: 'a', parentId: null, timestamp: '2026-01-01T00:00:00.000Z' }
  expect(detect({ type: 'message', ...head, message: { role: 'user', content: 'x' } })).toBe(0)
  // Claude Code
  expect(detect({ parentUuid: null, type: 'user', message: { role: 'user', content: 'x' }, uuid: 'a' })).toBe(0)
  expect(detect({ parentUuid: null, type: 'user', message: { content: 'x'.repeat(TOO_LONG) }, uuid: 'a' })).toBe(0)
  expect(detect({ type: 'config', config: {} })).toBe(0)
  expect(detect('')).toBe(0)
})

test('X14 sessions are looked for where Neovate keeps them', () => {
  expect(neovate.folders!({ env: {}, home: '/home/me' })).toEqual(['/home/me/.neovate/projects'])
})
