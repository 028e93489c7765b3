import { LOG_VERSION, type RunCrc, type Tree } from '@treeline/core'
import type { LogReader } from '../log/log-reader.ts'
import type { LogView } from '../log/session-log.ts'
import { orLeaveOut, upgradedLine } from './copy-line.ts'
import type { ForkPlan } from './fork.ts'
import { type ForkedLines, takenAt } from './fork-runs.ts'
import type { LeftOut } from './left-out.ts'
import { NewLines } from './new-lines.ts'
import { RecordWindow } from './record-window.ts'
import { type Copying, RunCopy } from './run-copy.ts'

const ROWS_PER_READ = 2048
/** More is not gathered: lines that were made anew are in no window that could be full. */
const BATCH_BYTES = 1024 * 1024

export interface ForkSource {
  readonly view: LogView
  readonly plan: ForkPlan
  /** What lines are copied through: it must be nobody else's until all of them are written. */
  readonly runCrc: RunCrc | undefined
}

/**
 * The lines of a fork, ready to write, in batches of pieces; each is good until the one after the next is asked for.
 * Bodies are copied; only what is old, or has no checksum that holds, is parsed as well. What cannot be read is left out.
 * `reader` takes in what is copied.
 */
export function forkLines(
  { view, plan, runCrc }: ForkSource,
  leftOut: LeftOut,
  reader: LogReader,
): AsyncGenerator<readonly Uint8Array[]> {
  const copying = { view, finders: plan.finders, leftOut, runCrc }
  const copied = copyLines({ ...copying, lines: new NewLines(reader) }, plan)
  const { late } = plan
  return late.rows.length === 0 ? copied : afterAll(copyLines({ ...copying, lines: new NewLines() }, late), copied)
}

/** Whoever hangs under one of the first has to know beforehand whether it is there. */
async function* afterAll<T>(first: AsyncIterable<unknown>, then: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const _ of first);
  yield* then
}

async function* copyLines(copying: Copying, wanted: ForkedLines): AsyncGenerator<readonly Uint8Array[]> {
  const { view, lines, runCrc } = copying
  const { rows, counts } = wanted
  const window = new RecordWindow(view, runCrc)
  const copy = new RunCopy(copying, wanted, window)
  function* handOver(): Generator<readonly Uint8Array[]> {
    copy.settle()
    if (lines.size === 0) window.clear()
    else {
      yield lines.take()
      window.swap()
    }
  }
  for (let run = 0; run < rows.length; ) {
    if (isOld(view.tree, rows[run]!)) {
      copy.settle()
      run = await copyOld(copying, wanted, run)
      if (lines.size >= BATCH_BYTES) yield* handOver()
      continue
    }
    const end = rows[run]! + counts[run]!
    for (let row = rows[run]!; row < end; ) {
      const next = copy.take(run, row, end)
      if (next === row || lines.size >= BATCH_BYTES) yield* handOver()
      row = next
    }
    run++
  }
  yield* handOver()
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
  const old = rows.slice(run, end)
  const records = await view.readRecords(old)
  const entries = await view.readEntries(old)
  for (const [i, entry] of entries.entries()) {
    const taken = takenAt(tree, wanted, run + i, rows[run + i]!)
    orLeaveOut(tree, copying.leftOut, taken, (linked) => {
      lines.add(upgradedLine({ ...copying, tree, taken: linked }, entry, records[i]!))
    })
  }
  return end
}
