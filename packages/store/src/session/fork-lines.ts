import { crc32 } from 'node:zlib'
import {
  checkCrc,
  type Entry,
  encodeLine,
  Kind,
  LOG_VERSION,
  parseRecord,
  type Role,
  sealRecord,
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
import { isSealed, rewritten, withHead } from './relink.ts'

const ROWS_PER_READ = 2048

/** Places in a fork. */
interface Range {
  readonly first: number
  readonly end: number
}

interface Taking {
  readonly next: number
  readonly isTaken: boolean
}

interface Copying {
  readonly view: LogView
  readonly finders: ForkPlan['finders']
  readonly leftOut: LeftOut
  readonly lines: NewLines
}

/**
 * The lines of a fork, ready to write, a piece at a time; each piece is good until the next is asked for. Bodies are
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
  const { view, lines } = copying
  const { rows } = wanted
  const window = new RecordWindow(view, rows)
  for (let place = 0; place < rows.length; ) {
    if (isOld(view.tree, rows[place]!)) place = await copyOld(copying, wanted, place)
    else place = copyNear(copying, wanted, window, place)
    if (lines.isFull) yield lines.take()
  }
  const rest = lines.take()
  if (rest.length > 0) yield rest
}

/** Takes the lines that are read together, without giving anybody else a turn. Returns the place after the last of them. */
function copyNear(copying: Copying, wanted: ForkedLines, window: RecordWindow, first: number): number {
  const { view, leftOut } = copying
  const end = window.fetch(first)
  let place = first
  while (place < end && !isOld(view.tree, wanted.rows[place]!)) {
    // What hung under an entry that is left out has another parent now.
    const range = { first: place, end: leftOut.hasEntries ? place : end }
    const { next, isTaken } = copyPlain(copying, wanted, window, range)
    const stop = Math.max(next, place + 1)
    // Where one does not hold, each is looked at: once, and not again for every other that does not.
    if (!isTaken)
      for (; place < stop; place++) copyOne(copying, takenAt(view.tree, wanted, place), window.recordAt(place))
    place = stop
  }
  return place
}

/**
 * Takes lines as they are, as far as that can be, if the checksums of all of them hold: one over what was copied tells.
 * Says which place comes after them.
 */
function copyPlain(
  { view, lines }: Copying,
  { rows, isPlain }: ForkedLines,
  window: RecordWindow,
  range: Range,
): Taking {
  const { heads } = view.tree
  const { offset, length } = heads
  const { bytes, start, checker } = window
  const { first, end } = range
  if (checker === undefined) return { next: first, isTaken: false }
  const before = lines.length
  const stretches: number[] = []
  let place = first
  for (let isRoom = true; isRoom && place < end && isPlain[place] === 1; ) {
    const stretch = rows[place]!
    const from = offset[stretch]! - start
    let [row, at] = [stretch, from]
    for (; place < end && isPlain[place] === 1 && rows[place] === row && offset[row]! - start === at; place++, row++) {
      const stop = at + length[row]!
      isRoom = stop <= window.length && checker.place(place - first, at, stop)
      if (!isRoom) break
      at = stop + 1
    }
    if (row === stretch) break
    stretches.push(stretch, row)
    lines.addKept(bytes.subarray(from, at - 1))
  }
  const isTaken = place > first && checker.expected(place - first) === crc32(lines.from(before))
  if (!isTaken) lines.dropFrom(before)
  // Saved columns do not say what a line itself says, and notes are about lines the scan looked into.
  else if (rows[first]! >= heads.savedRows && !view.hasNotes) lines.tellCopied(before, heads, stretches)
  return { next: place, isTaken }
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
  const { hasNotes } = view
  orLeaveOut(tree, copying.leftOut, taken, (linked) => {
    addCopy(lines, { ...copying, tree, hasNotes, taken: linked }, record)
  })
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
function addCopy(lines: NewLines, copying: CopyingOne & { readonly hasNotes: boolean }, record: Uint8Array): void {
  const { tree, taken } = copying
  const { heads } = tree
  const { id, row, parentId } = taken
  const isSound = checkCrc(record, 0, record.length, crc32) === 'ok'
  const isCompaction = tree.columns.kind[tree.refAtRow(row)] === Kind.compaction
  if (!isSound || isCompaction) {
    const { line, offset } = heads
    const expected = { id: tree.ids.textOf(tree.refAtRow(row)), line: line[row], offset: offset[row] }
    const { entry, clean } = parseRecord(record, expected)
    const kept = keptBy(copying, entry)
    if (!clean || kept !== undefined) {
      lines.add(encodeLine({ ...entry, ...kept, id, parentId: parentId === undefined ? entry.parentId : parentId }))
      return
    }
  }
  if (parentId === undefined) {
    if (isSound || isSealed(record)) lines.addKept(record)
    else lines.add(sealRecord(record, crc32))
    return
  }
  const line = withHead(record, id, parentId)
  if (line === undefined) lines.add(rewritten(record, id, parentId))
  // Nothing but its head is new, and of that it is known what it says.
  else if (isSound && heads.kind[row] === Kind.message && !copying.hasNotes) {
    lines.addMessage(line, { id, parentId, timeMs: heads.timeMs[row]!, role: heads.role[row]! as Role })
  } else lines.add(line)
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
