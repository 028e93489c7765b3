import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { deriveEntryId, type EditRequestOp, encodeLine, ROOT } from '@treeline/core'
import { knownEdit } from '../log/known-line.ts'
import type { LogReader } from '../log/log-reader.ts'
import { planFitting } from './fork-operations.ts'
import type { LeftOut } from './left-out.ts'

/** What the edit of a log is called and when it was made, where that has to be the same each time the log is made. */
export interface EditOrigin {
  readonly sessionId: string
  readonly at: string
}

/**
 * The lines of a new log, all told to `reader`, and behind them one with the operations that fit what they add up to. The
 * origin is asked for when all lines are there.
 */
export async function* withEdit(
  lines: AsyncIterable<readonly Uint8Array[]> | undefined,
  reader: LogReader,
  listed: readonly EditRequestOp[],
  leftOut: LeftOut,
  origin?: () => EditOrigin,
): AsyncGenerator<readonly Uint8Array[]> {
  if (lines !== undefined) yield* lines
  // Built in any case by whoever opens the log; here the disk is at work meanwhile.
  const { tree } = reader
  if (listed.length === 0) return
  const { sessionId, at } = origin?.() ?? {}
  // Drawn here: the way that works in a browser too has Node load what nothing else needs.
  const id = sessionId === undefined ? randomBytes(4).toString('hex') : deriveEntryId(sessionId, tree.rowCount + 1)
  const isFree = tree.ids.find(id) <= ROOT
  const request = { operations: listed, auto: true, ...(at !== undefined && { at }), ...(isFree && { id }) }
  const entry = planFitting(tree, request, leftOut)?.entry
  if (entry === undefined) return
  const line = encodeLine(entry, crc32)
  reader.pushLines([{ start: 0, end: line.length, edit: knownEdit(entry), message: undefined }], line)
  reader.sync()
  yield [line]
}
