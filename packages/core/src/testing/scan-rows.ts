import type { Heads } from '../codec/heads.ts'
import { HeadScanner, type ScanOptions } from '../codec/scan.ts'

const decoder = new TextDecoder()

/** The rows as plain objects. */
export function rowsOf(heads: Heads) {
  return Array.from({ length: heads.count }, (_, row) => {
    const idEnd = heads.idEnd[row * 2]!
    const parent = decoder.decode(heads.idBytes.subarray(idEnd, heads.idEnd[row * 2 + 1]))
    return {
      kind: heads.kind[row],
      role: heads.role[row],
      id: heads.hasId[row] === 1 ? decoder.decode(heads.idBytes.subarray(heads.idStart(row), idEnd)) : undefined,
      parent: [parent, null, undefined][heads.parentForm[row]!],
      timeMs: heads.timeMs[row],
      offset: heads.offset[row]!,
      length: heads.length[row]!,
      line: heads.line[row]!,
      body: heads.bodies.get(row),
    }
  })
}

/** Scans the bytes in chunks of these sizes by turns. */
export function scanInChunks(bytes: Uint8Array, sizes: readonly number[], options: ScanOptions = {}): HeadScanner {
  const scanner = new HeadScanner(options)
  // One buffer used again for every chunk, as a file reader does.
  const buffer = new Uint8Array(Math.max(...sizes))
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const part = bytes.subarray(at, at + sizes[turn % sizes.length]!)
    buffer.set(part)
    scanner.push(buffer.subarray(0, part.length))
    at += part.length
  }
  scanner.end()
  return scanner
}

/** Everything a scan says. */
export function tellScan(scanner: HeadScanner) {
  const { header, titleSlot, skipped, notes, unlisted, bytesSeen, resumeOffset, resumeLine } = scanner
  const rows = rowsOf(scanner.heads)
  return { rows, header, titleSlot, skipped, notes, unlisted, bytesSeen, resumeOffset, resumeLine }
}
