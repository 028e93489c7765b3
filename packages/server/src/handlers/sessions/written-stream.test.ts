import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { writtenStream } from './written-stream.ts'

test('what is written comes in order, and it is told once when that is done', async () => {
  let done = 0
  const stream = await writtenStream(
    async (sink) => {
      for (const part of ['', 'one ', 'two ', 'x'.repeat(600_000)]) await sink(part)
    },
    () => done++,
  )
  expect(await text(stream)).toBe(`one two ${'x'.repeat(600_000)}`)
  expect(done).toBe(1)
})

test('what writes nothing is empty, and what cannot be begun is refused', async () => {
  let done = 0
  expect(
    await text(
      await writtenStream(
        async () => {},
        () => done++,
      ),
    ),
  ).toBe('')
  const failing = writtenStream(
    async () => {
      throw new Error('no such node')
    },
    () => done++,
  )
  await expect(failing).rejects.toThrow('no such node')
  expect(done).toBe(2)
})

test('a reader that leaves ends the writing, and what fails later cuts the answer off', async () => {
  const over = Promise.withResolvers<void>()
  const endless = await writtenStream(async (sink) => {
    for (;;) await sink('x'.repeat(100_000))
  }, over.resolve)
  endless.destroy()
  await over.promise

  const failing = await writtenStream(
    async (sink) => {
      await sink('one')
      throw new Error('the disk is gone')
    },
    () => {},
  )
  const [error] = await once(failing.resume(), 'close').then(
    () => [failing.errored],
    (error) => [error],
  )
  expect(error).toMatchObject({ message: 'the disk is gone' })
})
