/** How often a property is tried: `n` in CI, many times that in `npm run torture`, which sets the factor. */
export function runs(n: number): number {
  const factor = Number(process.env.TREELINE_RUNS_FACTOR ?? 1)
  return Math.ceil(n * (factor > 0 ? factor : 1))
}

/** The two columns of a table of amounts; a factor other than torture's 60 scales the second. */
export function amount(ci: number, torture: number): number {
  const factor = Number(process.env.TREELINE_RUNS_FACTOR ?? 1)
  return factor > 1 ? Math.ceil((torture * factor) / 60) : ci
}
