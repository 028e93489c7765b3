import type { Entry } from '@treeline/core'
import type { EventBody } from './edit-events.ts'
import { objectOr, textOr } from './json.ts'

/** Written when something that was begun for a client came to nothing: its end is no node, and it must be seen. */
export const FAILURE_TYPE = 'treeline/failure'

export const JOBS = ['summarize', 'merge', 'compact'] as const
export type JobName = (typeof JOBS)[number]

/** `undefined` for a line that tells of no failure. */
export function jobEvent(entry: Entry): EventBody | undefined {
  if (entry.customType !== FAILURE_TYPE) return undefined
  const { job, code, detail } = objectOr(entry.data)
  const known = JOBS.find((one) => one === job)
  if (known === undefined) return undefined
  const retryable = code === 'provider_error' || code === 'rate_limited'
  return { type: 'job.failed', job: known, problem: { code: textOr(code), detail: textOr(detail), retryable } }
}
