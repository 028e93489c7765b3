import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { encodeHeader, encodeLine } from '@treeline/core'
import { expect, test } from 'vitest'
import { LogReader } from './log-reader.ts'

const header = encodeHeader({ type: 'session', version: 3, id: 's1', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' })
const line = (id: string, parentId: string | null) =>
  encodeLine({
    type: 'message',
    id,
    parentId,
    timestamp: '2026-01-01T00:00:01.000Z',
    message: { role: 'user', content: id },
  })
const a = line('aaaaaaaa', null)
const b = line('bbbbbbbb', 'aaaaaaaa')
const whole = Buffer.concat([header, a, b])

/** A file that grows: what was pushed so far can be read back. */
function readingOf(reader: LogReader) {
  let file = Buffer.alloc(0)
  return {
    take(bytes: Uint8Array): void {
      file = Buffer.concat([file, bytes])
      reader.push(bytes)
      reader.settleTail((offset, length) => file.subarray(offset, offset + length))
      reader.sync()
    },
  }
}

const idsOf = ({ tree }: LogReader) =>
  Array.from({ length: tree.rowCount }, (_, row) => tree.ids.textOf(tree.refAtRow(row)))

test('I3 a file read in any two parts gives the same entries, whatever its end looked like in between', () => {
  for (let cut = 0; cut <= whole.length; cut++) {
    const reader = new LogReader()
    const file = readingOf(reader)
    file.take(whole.subarray(0, cut))
    file.take(whole.subarray(cut))
    expect([cut, idsOf(reader)]).toEqual([cut, ['aaaaaaaa', 'bbbbbbbb']])
    expect([cut, reader.size, reader.header?.id, reader.tornAt]).toEqual([cut, whole.length, 's1', undefined])
    expect([cut, reader.skipped]).toEqual([cut, []])
  }
})

test('I3 a last record without its line end counts, and is not read twice when the line end comes', () => {
  const reader = new LogReader()
  const file = readingOf(reader)
  file.take(whole.subarray(0, whole.length - 1))
  expect(idsOf(reader)).toEqual(['aaaaaaaa', 'bbbbbbbb'])
  expect(reader.needsLineEnd).toBe(true)
  expect(reader.save()).toBeUndefined()
  file.take(Buffer.from('\n'))
  expect(reader.needsLineEnd).toBe(false)
  file.take(line('cccccccc', 'bbbbbbbb'))
  expect(idsOf(reader)).toEqual(['aaaaaaaa', 'bbbbbbbb', 'cccccccc'])
  expect(reader.tree.heads.line[2]).toBe(4)
})

test('I2 a torn last line is located, and reported as damage once other lines follow it', () => {
  const reader = new LogReader()
  const file = readingOf(reader)
  const tornAt = header.length + a.length
  file.take(whole.subarray(0, tornAt + 30))
  expect(reader.tornAt).toBe(tornAt)
  expect(reader.needsLineEnd).toBe(true)
  file.take(Buffer.from('\n'))
  file.take(b)
  expect(idsOf(reader)).toEqual(['aaaaaaaa', 'bbbbbbbb'])
  expect(reader.skipped).toMatchObject([{ severity: 'damage', offset: tornAt, length: 30, line: 3 }])
  expect(reader.tornAt).toBeUndefined()
})

test('I2 white space behind the last line end is no torn line, and the next line does not begin on it', () => {
  const reader = new LogReader()
  const file = readingOf(reader)
  file.take(Buffer.concat([whole, Buffer.from('\t ')]))
  expect(reader.tornAt).toBeUndefined()
  expect(reader.needsLineEnd).toBe(true)
  file.take(Buffer.concat([Buffer.from('\n'), line('cccccccc', 'bbbbbbbb')]))
  expect(idsOf(reader)).toEqual(['aaaaaaaa', 'bbbbbbbb', 'cccccccc'])
  expect(reader.skipped.filter(({ severity }) => severity === 'damage')).toEqual([])
})

test('a header without its line end is found, and entries may follow', () => {
  const reader = new LogReader()
  const file = readingOf(reader)
  file.take(header.subarray(0, header.length - 1))
  expect(reader.header?.id).toBe('s1')
  file.take(Buffer.concat([Buffer.from('\n'), a]))
  expect(idsOf(reader)).toEqual(['aaaaaaaa'])
})

test('I2 damage beyond what is listed is counted', () => {
  const reader = new LogReader()
  readingOf(reader).take(Buffer.concat([header, Buffer.from('x\n'.repeat(10_050)), a]))
  expect([idsOf(reader), reader.skipped.length, reader.unlisted]).toEqual([['aaaaaaaa'], 10_000, 50])
})

test('lines that come before their line ends leave nothing behind that grows with them', async () => {
  const reader = new LogReader()
  const file = readingOf(reader)
  file.take(header)
  const collect = exposeCollector()
  // What a collection finds is freed by another thread, and counted after that.
  const heldMb = async () => {
    for (let round = 0; round < 5; round++) {
      collect()
      await setTimeout(10)
    }
    return process.memoryUsage().arrayBuffers / 2 ** 20
  }
  file.take(a.subarray(0, a.length - 1))
  const before = await heldMb()
  for (let i = 0; i < 200; i++) file.take(Buffer.concat([Buffer.from('\n'), line(`e${i}`, null).subarray(0, -1)]))
  expect((await heldMb()) - before).toBeLessThan(40)
  expect(idsOf(reader)).toHaveLength(201)
})

function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
