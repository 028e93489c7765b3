import { crc32 } from 'node:zlib'
import {
  addToRun,
  checkCrc,
  type Entry,
  encodeLine,
  type Heads,
  Kind,
  LOG_VERSION,
  parseRecord,
  storedPath,
  type Tree,
  TreelineError,
} from '@treeline/core'
import type { LogReader } from '../log/log-reader.ts'
import type { LogView } from '../log/session-log.ts'
import { type ForkedLines, type ForkPlan, parentOf, type Taken, takenAt } from './fork.ts'
import type { KeptFinder } from './kept-finder.ts'
import type { LeftOut } from './left-out.ts'
import { NewLines } from './new-lines.ts'
import { RecordWindow } from './record-window.ts'
import { isSealed, relinked } from './relink.ts'

const LINE_END = 0x0a
const ROWS_PER_READ = 2048
/** More lines than a window holds. */
const MAX_RUN = 1024 * 1024

interface Copying {
  readonly view: LogView
  readonly finders: ForkPlan['finders']
  readonly leftOut: LeftOut
  readonly lines: NewLines
}

/**
 * The lines of a fork, ready to write, a mebibyte at a time; each piece is good until the next is asked for. Bodies are
 * copied; only what is old, or has no checksum that holds, is parsed as well. What cannot be read is left out. `reader`
 * takes in what is copied.
 */
export async function* forkLines(
  view: LogView,
  plan: ForkPlan,
  leftOut: LeftOut,
  reader: LogReader,
): AsyncGenerator<Uint8Array> {
  const { finders } = plan
  // Whoever hangs under one of these has to know beforehand whether it is there.
  if (plan.late.rows.length > 0) {
    for await (const _ of copyLines({ view, finders, leftOut, lines: new NewLines() }, plan.late));
  }
  yield* copyLines({ view, finders, leftOut, lines: new NewLines(reader) }, plan)
}

async function* copyLines(copying: Copying, wanted: ForkedLines): AsyncGenerator<Uint8Array> {
  const { view, lines, leftOut } = copying
  const { rows, isPlain } = wanted
  const window = new RecordWindow(view, rows)
  let maxRun = MAX_RUN
  for (let place = 0; place < rows.length; ) {
    // What hung under an entry that is left out has another parent now.
    if (isPlain[place] === 1 && !leftOut.hasEntries) {
      const { next, isWhole } = copyRun(copying, wanted, window, place, maxRun)
      // Where many lines do not hold, all that follow would be checked again for each of them.
      maxRun = isWhole ? Math.min(MAX_RUN, maxRun * 2) : 1
      if (next === place) copyOne(copying, takenAt(view.tree, wanted, place), window.recordAt(place))
      place = Math.max(next, place + 1)
    } else if (isOld(view.tree, rows[place]!)) place = await copyOld(copying, wanted, place)
    else copyOne(copying, takenAt(view.tree, wanted, place), window.recordAt(place++))
    if (lines.isFull) yield lines.take()
  }
  const rest = lines.take()
  if (rest.length > 0) yield rest
}

/**
 * Takes lines as they are, `max` of them at most, as far as they follow each other in the source and their checksums hold,
 * without looking further into them. Says which place comes after them, and whether all held that were looked at.
 */
function copyRun(
  { view, lines }: Copying,
  wanted: ForkedLines,
  window: RecordWindow,
  place: number,
  max: number,
): { readonly next: number; readonly isWhole: boolean } {
  window.moveTo(place)
  const { heads } = view.tree
  const first = wanted.rows[place]!
  const limit = endOfRun(heads, wanted, window, place, max)
  const end = soundFrom(heads, first, limit, window)
  const isWhole = end === limit
  if (end === first) return { next: place, isWhole }
  const start = heads.offset[first]! - window.start
  const records = window.bytes.subarray(start, heads.offset[end - 1]! - window.start + heads.lengthOf(end - 1))
  // Saved columns do not say what a line itself says, and notes are about lines the scan looked into.
  if (first < heads.savedRows || view.hasNotes) lines.addKept(records)
  else lines.addCopied(records, heads, first, end)
  return { next: place + end - first, isWhole }
}

/** The row after those that are in the window, follow each other without a gap, and can be taken as they are. */
function endOfRun(
  heads: Heads,
  { rows, isPlain }: ForkedLines,
  window: RecordWindow,
  place: number,
  max: number,
): number {
  const { offset, length: lengths } = heads
  const { bytes, start, length } = window
  const first = rows[place]!
  let row = first
  let before = -1
  const stop = Math.min(rows.length, place + max)
  for (let at = place; at < stop && isPlain[at] === 1 && rows[at] === row; at++, row++) {
    const from = offset[row]! - start
    if (row > first && (from !== before + 1 || bytes[before] !== LINE_END)) break
    before = from + lengths[row]!
    if (before > length) break
  }
  return row
}

/** Rows from the first on up to one whose checksum does not hold, or is none. */
function soundFrom(heads: Heads, first: number, end: number, { bytes, start }: RecordWindow): number {
  const { offset, length } = heads
  let crc: number | undefined
  let row = first
  for (; row < end; row++) {
    const from = offset[row]! - start
    const next = addToRun(crc, bytes, from, from + length[row]!)
    if (next === undefined) break
    crc = next
  }
  if (row === first) return first
  const stop = offset[row - 1]! - start + length[row - 1]!
  if (crc32(bytes.subarray(offset[first]! - start, stop)) === crc) return row
  const isSound = (at: number): boolean => {
    const from = offset[at]! - start
    return checkCrc(bytes, from, from + length[at]!, crc32) === 'ok'
  }
  for (let at = first; at < row; at++) if (!isSound(at)) return at
  return row
}

function isOld(tree: Tree, row: number): boolean {
  return tree.options.version < LOG_VERSION || tree.heads.hasId[row] === 0
}

/** Returns the place after the last of them that was taken. */
async function copyOld({ view, lines, ...copying }: Copying, wanted: ForkedLines, place: number): Promise<number> {
  const { tree } = view
  const { rows } = wanted
  const limit = Math.min(rows.length, place + ROWS_PER_READ)
  let end = place
  while (end < limit && isOld(tree, rows[end]!)) end++
  const entries = await view.readEntries(Array.from(rows.subarray(place, end)))
  for (const [i, entry] of entries.entries()) {
    const taken = takenAt(tree, wanted, place + i)
    orLeaveOut(tree, copying.leftOut, taken, (linked) => {
      lines.add(upgradedLine({ ...copying, tree, taken: linked }, entry))
    })
  }
  return end
}

function copyOne({ view, lines, ...copying }: Copying, taken: Taken, record: Uint8Array): void {
  const { tree } = view
  orLeaveOut(tree, copying.leftOut, taken, (linked) => addCopy(lines, { ...copying, tree, taken: linked }, record))
}

/** Hands over the entry with the parent it has now, and tells of it when there is none in its bytes. */
function orLeaveOut(tree: Tree, leftOut: LeftOut, taken: Taken, copy: (taken: Taken) => void): void {
  try {
    copy(relink(tree, taken, leftOut))
  } catch (error) {
    if (!(error instanceof TreelineError)) throw error
    leftOut.addEntry(taken.id, parentOf(tree, taken), taken.row, error)
  }
}

interface CopyingOne {
  readonly tree: Tree
  readonly finders: ForkPlan['finders']
  readonly leftOut: LeftOut
  readonly taken: Taken
}

function upgradedLine(copying: CopyingOne, entry: Entry | undefined): Uint8Array {
  const { tree, leftOut, taken } = copying
  const [line, offset] = [tree.heads.line[taken.row]!, tree.heads.offset[taken.row]!]
  if (entry === undefined) {
    const message = `Line ${line} (byte ${offset}) is damaged and is left out of the fork.`
    throw new TreelineError('damaged', message, { line, offset })
  }
  const parentId = taken.parentId === undefined ? leftOut.above(entry.parentId) : taken.parentId
  return encodeLine({ ...entry, ...keptBy(copying, entry), id: taken.id, parentId })
}

/** Throws `damaged` when there is no entry in the record. */
function addCopy(lines: NewLines, copying: CopyingOne, record: Uint8Array): void {
  const { tree, taken } = copying
  const { id, row, parentId } = taken
  const isSound = checkCrc(record, 0, record.length, crc32) === 'ok'
  const isCompaction = tree.columns.kind[tree.refAtRow(row)] === Kind.compaction
  if (!isSound || isCompaction) {
    const { line, offset } = tree.heads
    const expected = { id: tree.ids.textOf(tree.refAtRow(row)), line: line[row], offset: offset[row] }
    const { entry, clean } = parseRecord(record, expected)
    const kept = keptBy(copying, entry)
    if (!clean || kept !== undefined) {
      lines.add(encodeLine({ ...entry, ...kept, id, parentId: parentId === undefined ? entry.parentId : parentId }))
      return
    }
  }
  if (parentId === undefined && (isSound || isSealed(record))) lines.addKept(record)
  else lines.add(relinked(record, taken))
}

/** A compaction names what it keeps by the id that has in the fork: of a copy, or of what is left of the stretch. */
function keptBy({ tree, finders, leftOut, taken }: CopyingOne, entry: Entry): { firstKeptEntryId: string } | undefined {
  const first = entry.type === 'compaction' ? entry.firstKeptEntryId : undefined
  if (typeof first !== 'string') return undefined
  const finder: KeptFinder | undefined = finders.get(taken.ref)
  let firstKeptEntryId: string | undefined
  if (finder !== undefined) {
    const below = finder.positionOf(taken.ref)!
    let at = finder.find(taken.ref, first) ?? below
    while (at < below && leftOut.has(finder.path.idAt(at))) at++
    if (at < below) firstKeptEntryId = finder.path.idAt(at)
  } else if (leftOut.has(first)) {
    const { refs } = storedPath(tree, tree.columns.rawParent[tree.refAtRow(taken.row)]!)
    const ids = Array.from(refs.subarray(refs.indexOf(tree.ids.find(first)) + 1), (ref) => tree.ids.textOf(ref))
    firstKeptEntryId = ids.find((id) => !leftOut.has(id))
  }
  return firstKeptEntryId === undefined || firstKeptEntryId === first ? undefined : { firstKeptEntryId }
}

function relink(tree: Tree, taken: Taken, leftOut: LeftOut): Taken {
  if (!leftOut.hasEntries) return taken
  const parentId = parentOf(tree, taken)
  return leftOut.has(parentId) ? { ...taken, parentId: leftOut.above(parentId) } : taken
}
