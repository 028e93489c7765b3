import fc from 'fast-check'

/**
 * `npm test` tries the same cases every time, so that a red run says something about the change.
 * `npm run torture` looks for new ones; a failure prints its seed, and `TREELINE_SEED=…` makes it again.
 */
const isTorture = process.env.TREELINE_RUNS_FACTOR !== undefined
const seed = process.env.TREELINE_SEED ?? (isTorture ? undefined : '1')
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) })

// As in Node. Vitest asks for a hundred, which costs time where a test makes errors by the thousand.
Error.stackTraceLimit = 10
