const factor = Number(process.env.TREELINE_RUNS_FACTOR ?? 1)

/** True in `npm run torture`. */
export const isTorture = factor > 1

/** The two columns of RELIABILITY's table; a factor other than torture's 60 scales the second. */
export function amount(ci: number, torture: number): number {
  return isTorture ? Math.ceil((torture * factor) / 60) : ci
}

/** For `test`: long enough for the amount it is about. */
export const TIMEOUT = { timeout: isTorture ? 24 * 3_600_000 : 60_000 }

/** `TREELINE_SEED=123` starts elsewhere; a failure prints the seed that makes it again. */
export const FIRST_SEED = Number(process.env.TREELINE_SEED ?? 1)

/** Runs `work` for so many seeds in a row, after those it is told to `skip`; what fails says which one it was. */
export async function forSeeds(
  count: number,
  work: (seed: number) => Promise<void> | void,
  { skip = 0 }: { readonly skip?: number } = {},
): Promise<void> {
  const first = FIRST_SEED + skip
  for (let seed = first; seed < first + count; seed++) {
    try {
      await work(seed)
    } catch (error) {
      const message = `seed ${seed}: ${error instanceof Error ? error.message : String(error)}`
      throw new Error(message, { cause: error })
    }
  }
}
