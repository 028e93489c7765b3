import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('what is asked for while something is under way has its turn after it, in order', async () => {
  const turns = new Turns()
  const done: string[] = []
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  turns.take(async () => {
    await first.promise
    done.push('cut')
  })
  turns.take(async () => {
    done.push('graft begins')
    await second.promise
    done.push('grafted')
  })
  turns.take(() => done.push('walk'))
  expect(done).toEqual([])
  first.resolve()
  await expect.poll(() => done).toEqual(['cut', 'graft begins'])
  second.resolve()
  await expect.poll(() => done).toEqual(['cut', 'graft begins', 'grafted', 'walk'])
  expect(turns.isBusy).toBe(false)
})

test('what waits can be forgotten, and what is next is done at once', async () => {
  const turns = new Turns()
  const done: string[] = []
  const first = Promise.withResolvers<void>()
  turns.take(() => first.promise)
  turns.take(() => done.push('forgotten'))
  turns.forget()
  first.resolve()
  await expect.poll(() => turns.isBusy).toBe(false)
  turns.take(() => done.push('next'))
  expect(done).toEqual(['next'])
})
