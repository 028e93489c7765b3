import { preview, TreelineError } from '@treeline/core'

const DAY_MS = 24 * 60 * 60 * 1000
const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: DAY_MS,
  w: 7 * DAY_MS,
  y: 365 * DAY_MS,
}
const AGO = /^(\d{1,6})\s*([mhdwy])$/
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/
const MAX_DATE_MS = 8.64e15

/** For the help of `--since` and `--until`. */
export const MOMENT_HELP = 'a day (2026-01-31), a time (ISO 8601), today, yesterday, or an age like 12h, 3d, 2w'

/**
 * The moment that a person means, in ISO 8601. Days are those of this machine's time zone; `until` a day means until it is
 * over.
 */
export function parseMoment(option: 'since' | 'until', text: string, now: number = Date.now()): string {
  const found = momentOf(text.trim(), option === 'until', now)
  if (found !== undefined && Math.abs(found) <= MAX_DATE_MS) return new Date(found).toISOString()
  throw new TreelineError('bad_request', `--${option} takes ${MOMENT_HELP}; not ${JSON.stringify(preview(text, 40))}.`)
}

function momentOf(text: string, isEnd: boolean, now: number): number | undefined {
  const ago = AGO.exec(text)
  if (ago !== null) return now - Number(ago[1]) * UNITS_MS[ago[2]!]!
  if (text === 'today') return startOfDay(new Date(now), isEnd ? 1 : 0)
  if (text === 'yesterday') return startOfDay(new Date(now), isEnd ? 0 : -1)
  const day = DAY.exec(text)
  if (day !== null) return dayOf(Number(day[1]), Number(day[2]), Number(day[3]), isEnd)
  const time = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

function dayOf(year: number, month: number, day: number, isEnd: boolean): number | undefined {
  const date = new Date(year, month - 1, day)
  // Years before 100 would be taken for 19xx, and the 31st of June for the 1st of July.
  date.setFullYear(year)
  if (date.getMonth() !== month - 1 || date.getDate() !== day) return undefined
  return startOfDay(date, isEnd ? 1 : 0)
}

function startOfDay(date: Date, plusDays: number): number {
  const start = new Date(date)
  start.setHours(0, 0, 0, 0)
  start.setDate(start.getDate() + plusDays)
  return start.getTime()
}
