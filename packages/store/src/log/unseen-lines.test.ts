import { type Heads, scanLog } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { header, message, toText } from '../testing/temp-home.ts'
import { LogReader } from './log-reader.ts'
import type { CopiedRun } from './unseen-lines.ts'

const SOURCE = [
  header('source'),
  message('one', 'aa', null),
  message('beside', 'xx', 'aa'),
  message('two', 'bb', 'aa'),
  message('three', 'cc', 'bb'),
]
const FORK = [header('fork'), SOURCE[1], SOURCE[3], SOURCE[4], message('four', 'dd', 'cc')]

function textOf(lines: readonly unknown[]): Buffer {
  return Buffer.from(toText(lines as Parameters<typeof toText>[0]))
}

function rowsOf(heads: Heads) {
  return Array.from({ length: heads.count }, (_, row) => ({
    place: [heads.offset[row], heads.lengthOf(row), heads.line[row]],
    kind: heads.kind[row],
    ids: Buffer.from(heads.idBytes.subarray(heads.idStart(row), heads.idEnd[row * 2 + 1])).toString(),
  }))
}

describe('lines that nobody has asked for', () => {
  function given() {
    const { heads } = scanLog(textOf(SOURCE))
    let looks = 0
    const from = new Proxy(heads, {
      get(target, key) {
        looks++
        return Reflect.get(target, key, target)
      },
    })
    const reader = new LogReader()
    reader.push(textOf([FORK[0]]))
    const run = (first: number, end: number): CopiedRun => ({ from, first, end, moved: [] })
    reader.pushCopied(textOf([FORK[1], FORK[2], FORK[3]]), [run(0, 1), run(2, 4)])
    reader.pushKept(textOf([FORK[4]]), 1)
    return { reader, looks: () => looks }
  }

  test('are counted and not looked at', () => {
    const { reader, looks } = given()
    expect(reader.rowCount).toBe(4)
    expect(reader.size).toBe(textOf(FORK).length)
    expect(reader.header?.id).toBe('fork')
    expect(looks()).toBe(0)
  })

  test('are what they would be if they had been read, once somebody asks', () => {
    const { reader } = given()
    const read = new LogReader()
    read.push(textOf(FORK))
    expect(rowsOf(reader.heads)).toEqual(rowsOf(read.heads))
    expect(reader.rowCount).toBe(4)
    expect(reader.tree.leaf).toBe(read.tree.leaf)
    expect(reader.save()).toEqual(read.save())
  })

  test.each([
    ['pushed', (reader: LogReader, more: Buffer) => reader.push(more)],
    [
      'pushed as lines',
      (reader: LogReader, more: Buffer) =>
        reader.pushLines([{ start: 0, end: more.length, edit: undefined, message: undefined }], more),
    ],
  ])('come before what is %s after them', (_, push) => {
    const { reader } = given()
    const more = textOf([message('five', 'ee', 'dd')])
    push(reader, more)
    const read = new LogReader()
    read.push(Buffer.concat([textOf(FORK), more]))
    expect(rowsOf(reader.heads)).toEqual(rowsOf(read.heads))
  })

  test('come into a tree that there was before them', () => {
    const { reader } = given()
    const { tree } = reader
    reader.pushKept(textOf([message('five', 'ee', 'dd')]), 1)
    reader.sync()
    expect(tree.rowCount).toBe(5)
  })

  test('are looked at as they come when they are many', () => {
    const { looks, reader } = given()
    const lines = Array.from({ length: 16_384 }, (_, i) => message('more', `e${i}`, 'dd'))
    reader.pushKept(textOf(lines), lines.length)
    expect(looks()).toBeGreaterThan(0)
    expect(reader.rowCount).toBe(4 + lines.length)
  })
})
