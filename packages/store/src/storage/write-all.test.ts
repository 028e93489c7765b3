import { expect, test } from 'vitest'
import { writeAll, writePieces } from './write-all.ts'

/** A file that takes so many bytes a call, one after the other, and then none. */
function openShort(sizes: readonly number[]) {
  let text = ''
  const left = [...sizes]
  const writeSync = (bytes: Uint8Array): number => {
    const taken = Buffer.from(bytes.subarray(0, left.shift() ?? 0))
    text += taken.toString()
    return taken.length
  }
  return {
    writeSync,
    write: async (pieces: readonly Uint8Array[]) => writeSync(Buffer.concat(pieces)),
    said: () => text,
  }
}

const pieces = ['one', '', 'two', 'three', ''].map((text) => Buffer.from(text))

test('what comes out short is gone on with, wherever it was cut', async () => {
  for (let first = 1; first <= 11; first++) {
    const file = openShort([first, 2, 100])
    await writePieces(file, pieces)
    expect(file.said(), `${first}`).toBe('onetwothree')
  }
  const file = openShort([1, 2, 100])
  writeAll(file, Buffer.from('onetwothree'))
  expect(file.said()).toBe('onetwothree')
})

test('R3 a file that takes nothing more is a full disk', async () => {
  const full = expect.objectContaining({ code: 'ENOSPC', message: expect.stringContaining('7 bytes') })
  await expect(writePieces(openShort([4]), pieces)).rejects.toEqual(full)
  expect(() => writeAll(openShort([4]), Buffer.from('onetwothree'))).toThrow(full)
})

test('nothing is nothing to write', async () => {
  const file = openShort([])
  await writePieces(file, [Buffer.from('')])
  await writePieces(file, [])
  writeAll(file, Buffer.from(''))
  expect(file.said()).toBe('')
})
