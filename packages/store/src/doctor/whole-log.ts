import { type CrcState, type Entry, parseRecord, TreelineError, upgradeEntry } from '@treeline/core'
import { BodyReader, hasSpoiltSeal } from '../log/body-reader.ts'
import { LogReader } from '../log/log-reader.ts'
import { nativeCodec } from '../log/native-codec.ts'
import { scanFile } from '../log/scan-file.ts'
import type { FileStat, SessionStorage, StorageReader } from '../storage/storage.ts'

export interface ReadingOptions {
  /** Bytes of bodies read so far, of the size of the log. */
  readonly onProgress?: ((bytesDone: number, bytesTotal: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** A log of which every body will be read, unlike one that is opened. Holds heads and tree, never the bytes. */
export interface WholeLog {
  readonly file: StorageReader
  readonly reader: LogReader
  readonly stat: FileStat
}

/** What one row turned out to hold. */
export interface RowReading {
  readonly row: number
  readonly id: string
  readonly bytes: Uint8Array
  /** As stored; `undefined` when the bytes are no entry, and then `error` says why. */
  readonly stored: Entry | undefined
  /** Brought to version 3: the same object as `stored` when nothing was missing. */
  readonly entry: Entry | undefined
  readonly crc: CrcState
  /** False when other bytes are glued to the entry. */
  readonly clean: boolean
  readonly error: TreelineError | undefined
}

const BATCH_BYTES = 512 * 1024
/** As core's: a longer line is never parsed. */
const MAX_RECORD_BYTES = 256 * 1024 * 1024

export async function openWholeLog(storage: SessionStorage, path: string): Promise<WholeLog> {
  const file = storage.openReader(path)
  try {
    const stat = file.statSync()
    const reader = new LogReader(undefined, stat.size)
    await scanFile(file, reader, stat.size)
    return { file, reader, stat }
  } catch (error) {
    file.closeSync()
    throw error
  }
}

/** Every row in the order of the log, each body parsed. Others get their turn after every half megabyte. */
export async function* readRows(log: WholeLog, options: ReadingOptions = {}): AsyncGenerator<RowReading> {
  const { file, reader, stat } = log
  const { tree, version } = reader
  const { heads } = tree
  const bodies = new BodyReader({ file: { handle: file }, tree, version, sessionId: reader.storedHeader?.id ?? '' })
  for (let first = 0; first < tree.rowCount; ) {
    options.signal?.throwIfAborted()
    const rows: number[] = []
    for (let bytes = 0; first < tree.rowCount && (rows.length === 0 || bytes < BATCH_BYTES); first++) {
      bytes += heads.lengthOf(first)
      rows.push(first)
    }
    const isTooLong = rows.length === 1 && heads.lengthOf(rows[0]!) > MAX_RECORD_BYTES
    const records = isTooLong ? [new Uint8Array(0)] : await bodies.readRecords(rows)
    for (const [index, row] of rows.entries()) yield readRow(log, row, records[index]!)
    options.onProgress?.(heads.offset[first - 1]! + heads.lengthOf(first - 1), stat.size)
  }
}

export function readRowAt(log: WholeLog, row: number): RowReading {
  const { heads } = log.reader
  const bytes = new Uint8Array(heads.lengthOf(row))
  return readRow(log, row, bytes.subarray(0, log.file.readSync(bytes, heads.offset[row]!)))
}

function readRow({ reader }: WholeLog, row: number, bytes: Uint8Array): RowReading {
  const { tree, version, storedHeader } = reader
  const { heads } = tree
  const id = tree.ids.textOf(tree.refAtRow(row))
  const expected = version >= 2 && heads.hasId[row] ? id : undefined
  try {
    const place = { line: heads.line[row], offset: heads.offset[row] }
    const { entry: stored, crc, clean } = parseRecord(bytes, { id: expected, ...place }, nativeCodec)
    const at = { version, sessionId: storedHeader?.id ?? '', record: row + 1, previousRecord: row === 0 ? null : row }
    const entry = upgradeEntry(stored, row === 0 ? at : { ...at, previousId: tree.ids.textOf(tree.refAtRow(row - 1)) })
    const isSpoilt = crc === 'none' && hasSpoiltSeal(bytes)
    return { row, id, bytes, stored, entry, crc: isSpoilt ? 'mismatch' : crc, clean, error: undefined }
  } catch (error) {
    if (!(error instanceof TreelineError)) throw error
    return { row, id, bytes, stored: undefined, entry: undefined, crc: 'none', clean: false, error }
  }
}
