import { TreelineError } from '@treeline/core'

const DAYS: Readonly<Record<string, number>> = { '': 1, d: 1, w: 7, m: 30, y: 365 }

/** `30d`, `2w`, `6m` (of 30 days), `1y`, or a number of days. */
export function parseDays(option: string, text: string): number {
  const found = /^(\d{1,6})([dwmy]?)$/.exec(text.trim().toLowerCase())
  if (found !== null) return Number(found[1]) * DAYS[found[2]!]!
  const message = `--${option} takes a number of days, or 30d, 2w, 6m, 1y; not ${JSON.stringify(text)}.`
  throw new TreelineError('bad_request', message)
}
