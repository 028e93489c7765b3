import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { deriveEntryId, type EditRequestOp, encodeLine, ROOT, withOwnLabels } from '@treeline/core'
import type { LogReader } from '../log/log-reader.ts'
import { planFitting } from './fork-operations.ts'
import type { LeftOut } from './left-out.ts'

/** What the edit of a log is called and when it was made, where that has to be the same each time the log is made. */
export interface EditOrigin {
  readonly sessionId: string
  readonly at: string
}

/**
 * The lines of a new log, all told to `reader`, and behind them the operations that fit what they add up to: one line, and
 * one for each label, which other tools know too. The origin is asked for when all lines are there.
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
  const drawn = new Set<string>()
  const newId = (): string => {
    for (let nth = tree.rowCount + drawn.size + 1; ; nth++) {
      // Drawn here: the way that works in a browser too has Node load what nothing else needs.
      const id = sessionId === undefined ? randomBytes(4).toString('hex') : deriveEntryId(sessionId, nth)
      if (tree.ids.find(id) > ROOT || drawn.has(id)) continue
      drawn.add(id)
      return id
    }
  }
  const request = { operations: listed, auto: true, ...(at !== undefined && { at }), id: newId() }
  const entry = planFitting(tree, request, leftOut)?.entry
  if (entry === undefined) return
  const edits = Buffer.concat(withOwnLabels(entry, newId).map((one) => encodeLine(one, crc32)))
  reader.push(edits)
  reader.sync()
  yield [edits]
}
