import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import { runs } from '../testing/runs.ts'
import { findWholeEnd } from './whole-lines.ts'

async function wholeOf(text: string, size = Buffer.byteLength(text)): Promise<string> {
  const storage = createMemoryStorage()
  storage.writeTextSync('/log', text)
  const file = storage.openReader('/log')
  const end = await findWholeEnd(file, size)
  return Buffer.from(text).subarray(0, end).toString()
}

const line = JSON.stringify({ type: 'message', text: 'é🜁"\\' })

test.each([
  ['', ''],
  [`${line}\n`, `${line}\n`],
  [`${line}\n${line}`, `${line}\n${line}`],
  [`${line}\n${line.slice(0, -1)}`, `${line}\n`],
  [`${line}\n\0\0\0`, `${line}\n`],
  ['no line end', 'no line end'],
  ['\n', '\n'],
])('%j is whole up to %j', async (text, whole) => {
  expect(await wholeOf(text)).toBe(whole)
})

test('a line of several chunks is left out when it is torn, and kept when it is whole', async () => {
  const long = JSON.stringify({ text: 'x'.repeat(300_000) })
  expect(await wholeOf(`${line}\n${long.slice(0, -5)}`)).toBe(`${line}\n`)
  expect(await wholeOf(`${line}\n${long}`)).toBe(`${line}\n${long}`)
})

test('what is written behind the size looked at does not count', async () => {
  const lines = fc.array(fc.constantFrom(line, '{"a":1}', '{}', ''), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(lines, fc.nat(), async (all, at) => {
      const bytes = Buffer.from(`${line}\n${all.join('\n')}\n`)
      const first = Buffer.byteLength(line) + 1
      const size = first + (at % (bytes.length - first + 1))
      const whole = await wholeOf(bytes.toString(), size)
      expect(bytes.toString().startsWith(whole)).toBe(true)
      for (const one of whole.split('\n').filter(Boolean)) expect(() => JSON.parse(one)).not.toThrow()
    }),
    { numRuns: runs(100) },
  )
})
