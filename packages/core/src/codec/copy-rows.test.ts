import { expect, test } from 'vitest'
import { Tree } from '../tree/tree.ts'
import { copyRows } from './copy-rows.ts'
import { encodeHeader, encodeLine } from './encode.ts'
import { Heads } from './heads.ts'
import { HeadScanner, scanLog } from './scan.ts'

const HEADER = encodeHeader({ type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' })

function lineOf(i: number): Uint8Array {
  const parentId = i === 0 ? null : `an id of its own ${i - 1}`
  const content = 'x'.repeat(i * 7)
  const message = { role: i % 2 === 0 ? 'user' : 'assistant', content }
  const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, i)).toISOString()
  return encodeLine({ type: 'message', id: `an id of its own ${i}`, parentId, timestamp, message })
}

test('rows that were copied say what a scan of the copied lines says', () => {
  const lines = Array.from({ length: 2000 }, (_, i) => lineOf(i))
  const from = scanLog(Buffer.concat([HEADER, ...lines])).heads
  const kept = lines.filter((_, i) => i < 50 || (i >= 700 && i < 1999))
  const scanned = scanLog(Buffer.concat([HEADER, ...kept]))

  const heads = new Heads(1)
  const scanner = new HeadScanner({ heads })
  scanner.push(HEADER)
  for (const [first, end] of [
    [0, 50],
    [50, 50],
    [700, 1500],
    [1500, 1999],
  ] as const) {
    copyRows(from, first, end, heads, scanner.bytesSeen, scanner.resumeLine)
    const bytes = lines.slice(first, end).reduce((sum, { length }) => sum + length, 0)
    scanner.passLines(bytes, end - first)
  }
  expect(scanner.bytesSeen).toBe(scanned.bytesSeen)
  expect(scanner.resumeLine).toBe(scanned.resumeLine)
  expect(rowsOf(heads)).toEqual(rowsOf(scanned.heads))
})

function rowsOf(heads: Heads) {
  const tree = new Tree(heads)
  return Array.from({ length: heads.count }, (_, row) => {
    const ref = tree.refAtRow(row)
    const said = [tree.ids.textOf(ref), tree.columns.rawParent[ref], heads.parentForm[row], heads.hasId[row]]
    return [
      ...said,
      heads.kind[row],
      heads.role[row],
      heads.timeMs[row],
      heads.offset[row],
      heads.lengthOf(row),
      heads.line[row],
    ]
  })
}
