import assert from 'node:assert/strict'
import { ParentForm } from '../../packages/core/src/codec/heads.ts'
import { HeadScanner } from '../../packages/core/src/codec/scan.ts'
import { kindOf, roleOf } from '../../packages/core/src/entry/kind.ts'
import { makeLog } from '../inputs/make-log.ts'
import type { Row } from '../row.ts'

const CHUNK_BYTES = 512 * 1024
const NEWLINE = 0x0a

/** What a scan is for, as an object. Bodies are let go, which is kinder than the tools are that keep them all. */
interface ParsedHead {
  readonly type: string
  readonly customType: unknown
  readonly id: string
  readonly parentId: string | null
  readonly timestamp: string
  readonly role: unknown
}

export const scan150m: Row<Buffer, HeadScanner, ParsedHead[]> = {
  id: 'scan-150m',
  what: 'scan the heads of a 150 MB log | JSON.parse its lines',
  target: 0.25,

  prepare() {
    const log = makeLog({ seed: 150, maxBytes: 150_000_000, sealedShare: 0.5, branching: 0.02, textScale: 1 })
    return Buffer.from(log.buffer, log.byteOffset, log.length)
  },

  ours(log) {
    const scanner = new HeadScanner()
    for (let at = 0; at < log.length; at += CHUNK_BYTES) scanner.push(log.subarray(at, at + CHUNK_BYTES))
    scanner.end()
    return scanner
  },

  theirs(log) {
    const heads: ParsedHead[] = []
    for (let start = 0; start < log.length; ) {
      const end = log.indexOf(NEWLINE, start)
      const entry = JSON.parse(log.toString('utf8', start, end))
      start = end + 1
      if (entry.type === 'session') continue
      const { type, customType, id, parentId, timestamp, message } = entry
      heads.push({ type, customType, id, parentId, timestamp, role: message?.role })
    }
    return heads
  },

  verify(scanner, parsed) {
    const { heads, skipped, notes } = scanner
    assert.deepEqual([skipped, notes], [[], []])
    assert.equal(heads.count, parsed.length)
    assert.ok(heads.count > 30_000)
    const text = (start: number, end: number) => Buffer.from(heads.idBytes.subarray(start, end)).toString()
    for (const [row, { type, customType, id, parentId, timestamp, role }] of parsed.entries()) {
      const [idEnd, parentEnd] = [heads.idEnd[row * 2]!, heads.idEnd[row * 2 + 1]!]
      const found = {
        kind: heads.kind[row],
        role: heads.role[row],
        id: text(heads.idStart(row), idEnd),
        parentId: heads.parentForm[row] === ParentForm.root ? null : text(idEnd, parentEnd),
        timeMs: heads.timeMs[row],
      }
      const timeMs = Date.parse(timestamp)
      assert.deepEqual(found, { kind: kindOf(type, customType), role: roleOf(role), id, parentId, timeMs })
    }
  },
}
