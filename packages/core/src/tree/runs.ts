import { refuseSaved } from './saved-json.ts'

/**
 * Pairs for a column in which nearly every value follows from the one before: the places where it does not, each with
 * what is there. Place 0 never does.
 */
export function listRuns(count: number, follows: (at: number) => boolean, valueAt: (at: number) => number): number[] {
  const pairs: number[] = []
  for (let at = 0; at < count; at++) if (at === 0 || !follows(at)) pairs.push(at, valueAt(at))
  return pairs
}

/** The other way: goes along a column from run to run. */
export class RunReader {
  /** Where the run that was entered last begins, and with what. */
  start = 0
  value = 0
  /** Where the next run begins; the length of the column after the last one. */
  next = 0
  private readonly pairs: Int32Array | Float64Array
  private readonly count: number
  private at = 0

  constructor(pairs: Int32Array | Float64Array, count: number) {
    this.pairs = pairs
    this.count = count
    if (pairs.length % 2 !== 0 || (count > 0 && pairs[0] !== 0)) refuseSaved('a list of runs is incomplete')
  }

  /** To be called when `next` is reached. */
  enter(): void {
    const { pairs, count, next } = this
    this.start = next
    this.value = pairs[this.at + 1]!
    this.at += 2
    this.next = pairs[this.at] ?? count
    if (!(this.next > next && this.next <= count && Number.isInteger(this.next))) refuseSaved('runs are out of order')
  }
}

/** Single places below `count`, each with a value. */
export function eachPair(
  pairs: Int32Array | Float64Array,
  count: number,
  take: (at: number, value: number) => void,
): void {
  if (pairs.length % 2 !== 0) refuseSaved('a list of pairs is incomplete')
  for (let i = 0; i < pairs.length; i += 2) {
    const at = pairs[i]!
    if (!(at >= 0 && at < count && Number.isInteger(at))) refuseSaved('a number out of range')
    take(at, pairs[i + 1]!)
  }
}
