import { crc32 } from 'node:zlib'
import {
  checkCrc,
  type Entry,
  encodeLine,
  Kind,
  LOG_VERSION,
  parseRecord,
  ROOT,
  type RunCrc,
  storedPath,
  type Tree,
  TreelineError,
} from '@treeline/core'
import type { CopiedRun, LogReader } from '../log/log-reader.ts'
import type { LogView } from '../log/session-log.ts'
import { type ForkedLines, type ForkPlan, parentOf, type Taken, takenAt } from './fork.ts'
import type { KeptFinder } from './kept-finder.ts'
import type { LeftOut } from './left-out.ts'
import { NewLines } from './new-lines.ts'
import { RecordWindow } from './record-window.ts'
import { relinkInPlace, rewritten, sealed, withHead } from './relink.ts'

const ROWS_PER_READ = 2048
/** More is not gathered: lines that were made anew are in no window that could be full. */
const BATCH_BYTES = 1024 * 1024

export interface ForkSource {
  readonly view: LogView
  readonly plan: ForkPlan
  /** What lines are copied through: it must be nobody else's until all of them are written. */
  readonly runCrc: RunCrc | undefined
}

interface Copying {
  readonly view: LogView
  readonly finders: ForkPlan['finders']
  readonly leftOut: LeftOut
  readonly lines: NewLines
}

/**
 * The lines of a fork, ready to write, in batches of pieces; each is good until the one after the next is asked for.
 * Bodies are copied; only what is old, or has no checksum that holds, is parsed as well. What cannot be read is left out.
 * `reader` takes in what is copied.
 */
export async function* forkLines(
  { view, plan, runCrc }: ForkSource,
  leftOut: LeftOut,
  reader: LogReader,
): AsyncGenerator<readonly Uint8Array[]> {
  const { finders, late } = plan
  // Whoever hangs under one of these has to know beforehand whether it is there.
  if (late.rows.length > 0) {
    const lines = new NewLines()
    for await (const _ of copyLines({ view, finders, leftOut, lines }, late, new RecordWindow(view, late, runCrc)));
  }
  const lines = new NewLines(reader)
  yield* copyLines({ view, finders, leftOut, lines }, plan, new RecordWindow(view, plan, runCrc))
}

async function* copyLines(
  copying: Copying,
  wanted: ForkedLines,
  window: RecordWindow,
): AsyncGenerator<readonly Uint8Array[]> {
  const { view, lines } = copying
  const { rows, counts } = wanted
  const runs = new RunCopy(copying, wanted, window)
  for (let run = 0; run < rows.length; ) {
    if (isOld(view.tree, rows[run]!)) {
      run = await copyOld(copying, wanted, run)
      if (lines.size < BATCH_BYTES) continue
      yield lines.take()
      window.swap()
      continue
    }
    const end = rows[run]! + counts[run]!
    for (let row = rows[run]!; row < end; ) {
      const isFull = lines.size >= BATCH_BYTES || !(window.holds(row) || window.fetch(run, row))
      if (isFull && lines.size > 0) {
        yield lines.take()
        window.swap()
      } else if (isFull) window.clear()
      if (isFull) window.fetch(run, row)
      row = runs.copy(run, row, end)
    }
    run++
  }
  if (lines.size > 0) yield lines.take()
}

/** Copies lines that a window holds. Class: it goes along the list of those that hang elsewhere. */
class RunCopy {
  private readonly copying: Copying
  private readonly wanted: ForkedLines
  private readonly window: RecordWindow
  /** How many of `wanted.moved` are passed. */
  private passed = 0

  constructor(copying: Copying, wanted: ForkedLines, window: RecordWindow) {
    this.copying = copying
    this.wanted = wanted
    this.window = window
  }

  /** At least the line of `row`, and of a plain run those after it as far as the window goes. Returns the row after them. */
  copy(run: number, row: number, end: number): number {
    const { window } = this
    if (this.wanted.isPlain[run] !== 1) {
      this.copyOne(run, row)
      return row + 1
    }
    // What hung under an entry that is left out has another parent now.
    const stop = this.copying.leftOut.hasEntries ? row : window.stopOf(row, end)
    if (window.areSound(row, stop)) return this.copyRun(run, row, stop)
    // Where one does not hold, each is looked at: once, and not again for every other that does not.
    const last = Math.max(stop, row + 1)
    for (let at = row; at < last; at++) this.copyOne(run, at)
    while (this.isMoved(row, last)) this.passed++
    return last
  }

  /** Returns the row after those it took: all of them, or up to one that had to be left out. */
  private copyRun(run: number, first: number, end: number): number {
    let from = first
    let moved: { readonly row: number; readonly parentId: string }[] = []
    while (this.isMoved(first, end)) {
      const row = this.wanted.moved[this.passed++]!
      const parentId = this.relink(run, row)
      if (parentId !== undefined) {
        moved.push({ row, parentId })
        continue
      }
      this.addRun(from, row, moved)
      this.copyOne(run, row)
      from = row + 1
      moved = []
      if (this.copying.leftOut.hasEntries) return from
    }
    this.addRun(from, end, moved)
    return end
  }

  /** Puts a sound line under its new parent where it is. Nothing when that cannot be. */
  private relink(run: number, row: number): string | undefined {
    const { tree } = this.copying.view
    const { ref, id, parentId } = takenAt(tree, this.wanted, run, row)
    const stated = tree.columns.rawParent[ref]!
    if (typeof parentId !== 'string' || stated === ROOT) return undefined
    return relinkInPlace(this.window.recordAt(row), id, tree.ids.textOf(stated), parentId) ? parentId : undefined
  }

  private isMoved(first: number, end: number): boolean {
    const row = this.wanted.moved[this.passed]
    return row !== undefined && row >= first && row < end
  }

  private addRun(first: number, end: number, moved: CopiedRun['moved']): void {
    if (first === end) return
    const { view, lines } = this.copying
    const { heads } = view.tree
    // Saved columns do not say what a line itself says, and notes are about lines the scan looked into.
    const isKnown = first >= heads.savedRows && !view.hasNotes
    lines.addLines(this.window.linesOf(first, end), isKnown ? { from: heads, first, end, moved } : undefined)
  }

  private copyOne(run: number, row: number): void {
    const { view, lines, ...copying } = this.copying
    const { tree } = view
    orLeaveOut(tree, copying.leftOut, takenAt(tree, this.wanted, run, row), (taken) => {
      addCopy(lines, { ...copying, tree, taken }, this.window.recordAt(row))
    })
  }
}

function isOld(tree: Tree, row: number): boolean {
  return tree.options.version < LOG_VERSION || tree.heads.hasId[row] === 0
}

/** Old lines, each a run of its own. Returns the run after the last of them that was taken. */
async function copyOld({ view, lines, ...copying }: Copying, wanted: ForkedLines, run: number): Promise<number> {
  const { tree } = view
  const { rows } = wanted
  const limit = Math.min(rows.length, run + ROWS_PER_READ)
  let end = run
  while (end < limit && isOld(tree, rows[end]!)) end++
  const entries = await view.readEntries(rows.slice(run, end))
  for (const [i, entry] of entries.entries()) {
    const taken = takenAt(tree, wanted, run + i, rows[run + i]!)
    orLeaveOut(tree, copying.leftOut, taken, (linked) => {
      lines.add(upgradedLine({ ...copying, tree, taken: linked }, entry))
    })
  }
  return end
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
  if (parentId === undefined) lines.add(sealed(record))
  else lines.add(withHead(record, id, parentId) ?? rewritten(record, id, parentId))
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
