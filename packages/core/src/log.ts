import type { LogNote, SkippedRange } from './codec/findings.ts'
import { parseRecord } from './codec/parse-record.ts'
import { scanLog } from './codec/scan.ts'
import { buildContext, type Context } from './context/context.ts'
import type { Dialect } from './context/dialect.ts'
import type { Entry, SessionHeader, TitleSlot } from './entry/entry.ts'
import { TreelineError } from './errors.ts'
import { buildLine, type Line, type LineOptions } from './line/line.ts'
import { logVersion, type RawRecord, upgradeEntry, upgradeHeader } from './migrate/migrate.ts'
import { runSteps } from './steps.ts'
import { attachedLeaf } from './tree/leaf.ts'
import { linePath, storedPath, type TreePath } from './tree/path.ts'
import { Tree } from './tree/tree.ts'

/** A log held in memory: its tree, and its entries read from the bytes when asked for. */
export interface Log {
  /** As version 3 says it; `undefined` when the log has none that is usable, in which case its entries are read anyway. */
  readonly header: SessionHeader | undefined
  readonly titleSlot: TitleSlot | undefined
  readonly tree: Tree
  /** Byte ranges that hold no record, and why (I2). */
  readonly skipped: readonly SkippedRange[]
  readonly notes: readonly LogNote[]
  /** Entries whose bytes turned out damaged when they were read. Grows as bodies are read. */
  readonly damaged: readonly TreelineError[]
  /** The entry behind a ref, brought to version 3; `undefined` while it is generating or when its bytes are damaged. */
  readEntry(ref: number): Entry | undefined
}

/**
 * Reads a whole log from memory, of any version from 1 to 3, leniently. For a browser, a test, a small file; the store
 * does the same from disk without holding the bytes.
 *
 * @example
 * const log = readLog(bytes)
 * const { messages } = lineOf(log)
 */
export function readLog(bytes: Uint8Array): Log {
  const scan = scanLog(bytes)
  const stored = scan.header?.value as SessionHeader | undefined
  const titleSlot = scan.titleSlot?.value as TitleSlot | undefined
  const version = logVersion(stored)
  const sessionId = stored?.id ?? ''
  const tree = new Tree(scan.heads, { sessionId, version })
  const damaged: TreelineError[] = []

  function readRow(row: number): Entry | undefined {
    const { offset, line, hasId } = tree.heads
    const start = offset[row]!
    const id = version >= 2 && hasId[row] ? tree.ids.textOf(tree.refAtRow(row)) : undefined
    try {
      const record = bytes.subarray(start, start + tree.heads.lengthOf(row))
      const { entry } = parseRecord(record, { id, line: line[row], offset: start })
      return upgrade(entry, row)
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error
      damaged.push(error)
      return undefined
    }
  }

  function upgrade(entry: RawRecord, row: number): Entry {
    const place = { version, sessionId, record: row + 1, previousRecord: row === 0 ? null : row }
    return upgradeEntry(entry, row === 0 ? place : { ...place, previousId: tree.ids.textOf(tree.refAtRow(row - 1)) })
  }

  return {
    header: stored && upgradeHeader(stored, titleSlot),
    titleSlot,
    tree,
    skipped: scan.skipped,
    notes: scan.notes,
    damaged,
    readEntry: (ref) => {
      const row = tree.bodyRow(ref)
      return row < 0 ? undefined : readRow(row)
    },
  }
}

/** What the model will see, and why, for the log's own leaf or another one. */
export function lineOf(log: Log, leaf: number = attachedLeaf(log.tree), options: LineOptions = {}): Line {
  const path = linePath(log.tree, leaf)
  return runSteps(buildLine(log.tree, leaf, options, path), reader(log, path))
}

/** The messages of a path as stored, as one of the field's tools would read them. */
export function contextOf(log: Log, leaf: number = log.tree.leaf, dialect: Dialect = 'treeline'): Context {
  const path = storedPath(log.tree, leaf)
  return runSteps(buildContext(path, dialect), reader(log, path))
}

function reader(log: Log, path: TreePath) {
  return (positions: readonly number[]) => positions.map((position) => log.readEntry(path.refs[position]!))
}
