import type { Facts, Job, Sample } from './child/job.ts'
import type { Workspace } from './inputs/workspace.ts'
import type { RowResult, Unit } from './row.ts'

/** A comparison in which every measurement is a process of its own. */
export interface ProcessRow {
  readonly id: string
  readonly what: string
  /** Makes the input, once and untimed. */
  plan(work: Workspace): Plan
}

export interface Plan {
  /** Read once, so that the page cache has them. */
  readonly warms?: readonly string[]
  /** One measurement of each side; they take turns. */
  readonly sides: Readonly<Record<string, () => Turn>>
  /** Where a measurement takes long: fewer than five of each side. */
  readonly minRounds?: number
  /** What the facts of every sample must say, where it has them; a turn may know more. */
  readonly expected: Facts
  /** Undoes what a measurement left. */
  after?(): void
  parts(samples: Samples): readonly Part[]
}

export interface Turn {
  /** Runs before, in a process of its own, unmeasured. */
  readonly before?: Job
  /** Several start together. */
  readonly jobs: readonly Job[]
  readonly expected?: Facts
}

/** Of each side, its measurements; of each of those, its processes. */
export type Samples = Readonly<Record<string, readonly (readonly Sample[])[]>>

/** A row that must hold in more than one respect has several. */
export interface Part {
  /** Follows the id of the row. Empty if there is but one. */
  readonly suffix: string
  readonly ours: number
  readonly theirs: number
  readonly unit: Unit
  readonly bound: 'at most' | 'at least'
  readonly target: number
  readonly also?: RowResult['also']
}

/** One result for each part and, last, one with the plain id: the part nearest to failing, `ok` only if all are. */
export function resultsOf(id: string, parts: readonly Part[]): RowResult[] {
  const results = parts.map((part) => resultOf(id, part))
  if (results.length === 1) return results
  const worst = parts
    .map((part, i) => ({ margin: marginOf(part), result: results[i]! }))
    .sort((a, b) => a.margin - b.margin)
  return [...results, { ...worst[0]!.result, id, ok: results.every(({ ok }) => ok) }]
}

function resultOf(id: string, part: Part): RowResult {
  const { suffix, unit, target, bound, also } = part
  const [ours, theirs] = [round(part.ours, 2), round(part.theirs, 2)]
  const ratio = round(part.ours / part.theirs, 4)
  const common = { id: id + suffix, ours, theirs, unit, ratio, target: round(target, 4) }
  const notes = also && { also }
  if (bound === 'at least') return { ...common, ok: ratio >= target, atLeast: true, ...notes }
  return { ...common, ok: ratio <= target, ...notes }
}

/** How far it is from its target, as a factor: under 1 is failure. */
function marginOf({ ours, theirs, target, bound }: Part): number {
  return bound === 'at most' ? target / (ours / theirs) : ours / theirs / target
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
