import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import {
  deriveEntryId,
  type EditRequestOp,
  encodeLine,
  ownEntry,
  ROOT,
  type Tree,
  withOwnEntries,
} from '@treeline/core'
import type { LogReader } from '../log/log-reader.ts'
import { type Label, type Name, planFitting } from './fork-operations.ts'
import type { LeftOut } from './left-out.ts'

/** What nobody has looked at keeps all rows of the source in memory: not for the sake of a few. */
const MAX_KEPT_ROWS_PER_ROW = 4

/** What the edit of a log is called and when it was made, where that has to be the same each time the log is made. */
export interface EditOrigin {
  readonly sessionId: string
  readonly at: string
}

/**
 * The lines of a new log, all told to `reader`, and behind them the operations that fit what they add up to: one line, and
 * one for each label and the name, which other tools know too. The origin is asked for when all lines are there.
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
  const newId = newIds(tree, sessionId)
  const request = { operations: listed, auto: true, ...(at !== undefined && { at }), id: newId() }
  const entry = planFitting(tree, request, leftOut)?.entry
  if (entry === undefined) return
  const edits = Buffer.concat(withOwnEntries(entry, newId).map((one) => encodeLine(one, crc32)))
  reader.push(edits)
  reader.sync()
  yield [edits]
}

export interface LabelledPath {
  readonly labels: readonly Label[]
  /** What the session is called. */
  readonly name: string | undefined
  readonly leafId: string | null
  /** Has all ids of the path. */
  readonly source: Tree
}

/**
 * The same of a path with nothing but labels and a name. The tree that the lines add up to is not needed for that, and left to whoever
 * looks at it.
 */
export async function* withLabels(
  lines: AsyncIterable<readonly Uint8Array[]>,
  reader: LogReader,
  { labels, name, leafId, source }: LabelledPath,
  leftOut: LeftOut,
): AsyncGenerator<readonly Uint8Array[]> {
  yield* lines
  if (source.rowCount > MAX_KEPT_ROWS_PER_ROW * reader.rowCount) reader.lookAtUnseen()
  const said = labels.filter(({ nodeId }) => !leftOut.has(nodeId))
  if (said.length === 0 && name === undefined) return
  const newId = newIds(source)
  const at = { parentId: leftOut.above(leafId), timestamp: new Date().toISOString() }
  const say = (op: Label | Name, back: Label | Name) => ownEntry({ id: newId(), ...at }, op, [back], { auto: true })
  const entries = said.map((op) => say(op, { ...op, label: null }))
  if (name !== undefined) entries.push(say({ op: 'name', name }, { op: 'name' }))
  const own = Buffer.concat(entries.map((entry) => encodeLine(entry, crc32)))
  reader.pushKept(own, entries.length)
  yield [own]
}

/** Ids that are new among those of a tree; of a session's id always the same. */
function newIds(tree: Tree, sessionId?: string): () => string {
  const drawn = new Set<string>()
  const draw = drawIds()
  return () => {
    for (let nth = tree.rowCount + drawn.size + 1; ; nth++) {
      const id = sessionId === undefined ? draw.next().value : deriveEntryId(sessionId, nth)
      if (tree.ids.find(id) > ROOT || drawn.has(id)) continue
      drawn.add(id)
      return id
    }
  }
}

/** Several at a time. By Node: the way that works in a browser too has it load what nothing else needs. */
function* drawIds(): Generator<string, never> {
  for (;;) {
    const digits = randomBytes(256).toString('hex')
    for (let at = 0; at < digits.length; at += 8) yield digits.slice(at, at + 8)
  }
}
