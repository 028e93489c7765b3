import type { AnyRow, RowResult } from './row.ts'
import { median } from './statistics.ts'

const WARM_UP_MS = 2_000
const MEASURE_MS = 15_000
const MIN_ROUNDS = 5
const MAX_ROUNDS = 100

interface Side {
  readonly run: () => unknown
  /** Stays alive until the next run, as the tree of an open session does; with its last object V8 forgets a class. */
  last?: unknown
  readonly timesMs: number[]
}

/** Verifies, warms up, then lets both sides take turns, who is first alternating too, and gives the medians. */
export function measureRow(row: AnyRow): RowResult {
  const input = row.prepare()
  const ours: Side = { run: () => row.ours(input), timesMs: [] }
  const theirs: Side = { run: () => row.theirs(input), timesMs: [] }
  row.verify(row.ours(input), row.theirs(input), input)
  warmUp(ours)
  warmUp(theirs)
  const start = performance.now()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (round >= MIN_ROUNDS && performance.now() - start > MEASURE_MS) break
    for (const side of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) side.timesMs.push(timeMs(side))
  }
  const result = report(row, median(ours.timesMs), median(theirs.timesMs))
  return row.also ? { ...result, also: row.also(input) } : result
}

function report({ id, target }: AnyRow, ours: number, theirs: number): RowResult {
  const ratio = round(ours / theirs, 3)
  return { id, ours: round(ours, 2), theirs: round(theirs, 2), unit: 'ms', ratio, target, ok: ratio <= target }
}

function warmUp(side: Side): void {
  const start = performance.now()
  for (let runs = 0; runs < 2 || (performance.now() - start < WARM_UP_MS && runs < MAX_ROUNDS); runs++) timeMs(side)
}

/**
 * No forced collection between turns: it empties the compiler's caches and shrinks the young generation, which no program
 * with an open session sees, and bends the ratio by up to a third. Each side pays for the garbage it makes.
 */
function timeMs(side: Side): number {
  const start = performance.now()
  const result = side.run()
  const timeMs = performance.now() - start
  side.last = result
  return timeMs
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
