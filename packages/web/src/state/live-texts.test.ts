import type { EphemeralEvent } from '@treeline/protocol'
import { expect, test, vi } from 'vitest'
import { LiveTexts } from './live-texts.ts'

function chunk(contentChunk: string, offset: number): EphemeralEvent {
  const patch = { id: 'a', contentChunk, offset }
  return { type: 'node.content.updated', seq: null, sessionId: 's', ts: '2026-01-01T00:00:00.000Z', patch }
}

test('text is drawn some times a second however quickly it comes, less often while somebody types, at last all of it', () => {
  vi.useFakeTimers()
  const texts = new LiveTexts()
  const drawn: string[] = []
  texts.subscribe('a', () => drawn.push(texts.get('a')?.text ?? 'ended'))
  for (let at = 0; at < 100; at++) {
    texts.apply(chunk('x', at))
    vi.advanceTimersByTime(10)
  }
  expect(drawn[0]).toBe('x')
  const unhurried = drawn.length
  expect(unhurried).toBeGreaterThan(10)
  expect(unhurried).toBeLessThan(20)
  for (let at = 100; at < 200; at++) {
    texts.giveWay()
    texts.apply(chunk('x', at))
    vi.advanceTimersByTime(10)
  }
  expect(drawn.length - unhurried).toBeGreaterThan(2)
  expect(drawn.length - unhurried).toBeLessThan(6)
  vi.advanceTimersByTime(300)
  expect(drawn.at(-1)).toBe('x'.repeat(200))
  texts.apply(chunk('y', 200))
  texts.end('a')
  expect(drawn.at(-1)).toBe('ended')
  const count = drawn.length
  vi.advanceTimersByTime(1_000)
  expect(drawn).toHaveLength(count)
  vi.useRealTimers()
})
