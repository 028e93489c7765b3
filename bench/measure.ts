import type { AnyRow, RowResult } from './row.ts'

const WARM_UP_MS = 2_000
const MEASURE_MS = 18_000
const MIN_ROUNDS = 5
const MAX_ROUNDS = 100

/** Verifies, warms up, then lets both sides take turns, who is first alternating too, and gives the medians. */
export function measureRow(row: AnyRow): RowResult {
  const input = row.prepare()
  const sides = { ours: () => row.ours(input), theirs: () => row.theirs(input) }
  row.verify(sides.ours(), sides.theirs(), input)
  warmUp(sides.ours)
  warmUp(sides.theirs)
  const timesMs = { ours: [] as number[], theirs: [] as number[] }
  const start = performance.now()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (round >= MIN_ROUNDS && performance.now() - start > MEASURE_MS) break
    const order = round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const)
    for (const side of order) timesMs[side].push(timeMs(sides[side]))
  }
  const ours = median(timesMs.ours)
  const theirs = median(timesMs.theirs)
  const ratio = round(ours / theirs, 3)
  const { id, target } = row
  return { id, ours: round(ours, 2), theirs: round(theirs, 2), unit: 'ms', ratio, target, ok: ratio <= target }
}

function warmUp(side: () => unknown): void {
  const start = performance.now()
  for (let runs = 0; runs < 2 || (performance.now() - start < WARM_UP_MS && runs < MAX_ROUNDS); runs++) timeMs(side)
}

/** The garbage of one run is not collected in the next one's time; what a run collects of its own is. */
function timeMs(side: () => unknown): number {
  globalThis.gc?.()
  const start = performance.now()
  const result = side()
  const timeMs = performance.now() - start
  keepAlive(result)
  return timeMs
}

let kept: unknown
/** Stops the compiler from leaving out work whose result nobody reads. */
function keepAlive(result: unknown): void {
  kept = result
  if (kept === keepAlive) throw new Error('unreachable')
  kept = undefined
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >>> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
