import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StallError, withWatchdog } from './watchdog.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

const { signal: calm } = new AbortController()

test('aborts when nothing came for so long, and says that it was that', () => {
  const dog = withWatchdog(calm, 1_000)
  vi.advanceTimersByTime(999)
  expect(dog.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(dog.signal.reason).toBeInstanceOf(StallError)
  expect(dog.signal.reason).toMatchObject({ stallMs: 1_000 })
})

test('every sign of life starts the wait anew', () => {
  const dog = withWatchdog(calm, 1_000)
  for (let i = 0; i < 10; i++) {
    vi.advanceTimersByTime(900)
    dog.beat()
  }
  expect(dog.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1_000)
  expect(dog.signal.aborted).toBe(true)
})

test('passes on that somebody cancelled, with their reason', () => {
  const outer = new AbortController()
  const dog = withWatchdog(outer.signal, 1_000)
  outer.abort('enough')
  expect(dog.signal.reason).toBe('enough')
  expect(vi.getTimerCount()).toBe(0)
  expect(withWatchdog(outer.signal, 1_000).signal.reason).toBe('enough')
  expect(vi.getTimerCount()).toBe(0)
})

test('leaves nothing behind when it is over', () => {
  const outer = new AbortController()
  const dog = withWatchdog(outer.signal, 1_000)
  dog.end()
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(5_000)
  outer.abort()
  expect(dog.signal.aborted).toBe(false)
})

test('with no limit it waits for ever', () => {
  const dog = withWatchdog(calm, 0)
  expect(vi.getTimerCount()).toBe(0)
  expect(dog.signal.aborted).toBe(false)
})
