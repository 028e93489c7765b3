import { basename } from 'node:path'
import { decodeLog, type Entry, encodeLine, ROOT, sealRecord } from '@treeline/core'
import { nativeCodec } from '../log/native-codec.ts'
import { type ReadingOptions, type RowReading, readRowAt, readRows, type WholeLog } from './whole-log.ts'

const LOST_TYPE = 'treeline/lost'

/** What every row is worth: found in one pass, so that a second one only has to write. */
export interface Survey {
  readonly entryCount: number
  /** Rows whose bytes begin as an entry and cannot be parsed, and that no other row can stand for. */
  readonly lost: ReadonlySet<number>
  /** Rows that count and cannot be parsed, each with one of the same id that can. */
  readonly substitutes: ReadonlyMap<number, number>
  /** Rows that repeat an id and do not count. */
  readonly repeated: ReadonlySet<number>
  /** Those among them that cannot be parsed. */
  readonly spoilt: ReadonlySet<number>
  /** Rows whose checksum does not hold, or that other bytes are glued to. */
  readonly touched: number
}

export async function surveyLog(log: WholeLog, options: ReadingOptions): Promise<Survey> {
  const { tree } = log.reader
  const { rowOf } = tree.columns
  const unreadable = new Set<number>()
  const extras = new Map<number, number[]>()
  let touched = 0
  for await (const { row, entry, clean, crc } of readRows(log, options)) {
    const ref = tree.refAtRow(row)
    if (rowOf[ref] !== row) extras.set(ref, [...(extras.get(ref) ?? []), row])
    if (entry === undefined) unreadable.add(row)
    else if (!clean || crc === 'mismatch') touched++
  }
  const repeated = new Set([...extras.values()].flat())
  const substitutes = new Map<number, number>()
  for (const [ref, rows] of extras) {
    const counts = rowOf[ref]!
    const other = rows.findLast((row) => !unreadable.has(row))
    if (unreadable.has(counts) && other !== undefined) substitutes.set(counts, other)
  }
  const lost = new Set([...unreadable].filter((row) => !repeated.has(row) && !substitutes.has(row)))
  const spoilt = new Set([...repeated].filter((row) => unreadable.has(row)))
  return { entryCount: tree.rowCount - lost.size - repeated.size, lost, substitutes, repeated, spoilt, touched }
}

/**
 * The lines of the repaired log, header aside. An entry that can be read is the bytes it was, sealed; one that cannot
 * leaves a line with its id and parent, so that what hangs under it stays where it is. No parent is changed.
 */
export async function* repairedLines(
  log: WholeLog,
  path: string,
  { lost, substitutes, repeated }: Survey,
  options: ReadingOptions,
): AsyncGenerator<Uint8Array> {
  for await (const reading of readRows(log, options)) {
    const { row } = reading
    if (repeated.has(row)) continue
    const other = substitutes.get(row)
    if (other !== undefined) yield keptLine(readRowAt(log, other))
    else yield lost.has(row) ? encodeLine(placeholder(log, path, row)) : keptLine(reading)
  }
}

function keptLine({ bytes, stored, entry, clean, id }: RowReading): Uint8Array {
  // An old version or a missing id: the id it was read with must not depend on the lines before it any more.
  if (entry !== stored) return encodeLine(entry!, nativeCodec.crc32)
  if (clean) return sealRecord(bytes, nativeCodec.crc32)
  const piece = decodeLog(bytes).records.find(({ value }) => value.id === id)
  if (piece === undefined) return encodeLine(entry!, nativeCodec.crc32)
  return sealRecord(bytes.subarray(piece.offset, piece.offset + piece.length), nativeCodec.crc32)
}

/** Any reader of version 3 passes over it; its children belong to the node above. */
function placeholder({ reader }: WholeLog, path: string, row: number): Entry {
  const { tree, heads } = reader
  const ref = tree.refAtRow(row)
  const above = tree.columns.rawParent[ref]!
  const timeMs = heads.timeMs[row]!
  return {
    type: 'custom',
    id: tree.ids.textOf(ref),
    parentId: above <= ROOT ? null : tree.ids.textOf(above),
    timestamp: Number.isNaN(timeMs) ? (reader.header?.timestamp ?? '') : new Date(timeMs).toISOString(),
    customType: LOST_TYPE,
    data: { file: basename(path), line: heads.line[row]!, offset: heads.offset[row]!, length: heads.lengthOf(row) },
  } as Entry
}
