import { readFile } from 'node:fs'
import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

test('work that does not rest gives others their turn once its slice is over', async () => {
  const pace = new Pace(new AbortController().signal, { sliceMs: 0, rests: false })
  let isRead = false
  readFile(import.meta.filename, () => {
    isRead = true
  })
  let isDue = false
  setTimeout(() => {
    isDue = true
  })
  // Ends by the test's own time limit if nobody else ever has a turn.
  while (!isRead || !isDue) await pace.step()
})

test('work that does not rest stops when it is told to while others have their turn', async () => {
  const stop = new AbortController()
  const pace = new Pace(stop.signal, { sliceMs: 0, rests: false })
  setImmediate(() => stop.abort(new Error('enough')))
  await expect(pace.step()).rejects.toThrow('enough')
  await expect(pace.step()).rejects.toThrow('enough')
})
