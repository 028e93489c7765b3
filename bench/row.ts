/** One comparison: the same work on the same input, done by Treeline and the way tools do it today. */
export interface Row<Input, Ours, Theirs> {
  readonly id: string
  readonly what: string
  /** The ratio ours ÷ theirs must not exceed this. */
  readonly target: number
  /** Makes the input, once and untimed. */
  prepare(): Input
  ours(input: Input): Ours
  theirs(input: Input): Theirs
  /** Throws unless both computed the same; called on results of the very functions that are timed. */
  verify(ours: Ours, theirs: Theirs, input: Input): void
  /** Figures without a target, taken when the row itself has been measured. */
  also?(input: Input): Readonly<Record<string, number>>
}

export type AnyRow = Row<unknown, unknown, unknown>

export type Unit = 'ms' | 'MB' | 'entries/s' | 'bytes/entry' | 'µs/entry'

export interface RowResult {
  readonly id: string
  readonly ours: number
  readonly theirs: number
  readonly unit: Unit
  readonly ratio: number
  readonly target: number
  readonly ok: boolean
  /** True where larger is better: `ok` if the ratio is at least the target. */
  readonly atLeast?: true
  /** Figures without a target, to know more. */
  readonly also?: Readonly<Record<string, number>>
}
