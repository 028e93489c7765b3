import { TreelineError } from '@treeline/core'

const DAY_MS = 86_400_000

/** In milliseconds since 1970. */
export function daysAgo(days: number | undefined): number {
  if (typeof days === 'number' && days >= 0 && days < 1e6) return Date.now() - days * DAY_MS
  throw new TreelineError('validation_failed', `${days} is not a number of days: use one from 0 on.`)
}
