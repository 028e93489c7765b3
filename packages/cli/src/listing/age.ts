import { t } from '../output/language.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Longer ago than this a date says more. */
const DAYS_TOLD = 14

/** How long ago, in as few words as tell it: `5 min ago`, `3 d ago`, `2026-01-31`. */
export function ageText(time: string | undefined, now: number = Date.now()): string {
  const at = Date.parse(time ?? '')
  if (Number.isNaN(at)) return t('unknown')
  const age = now - at
  // A clock may be a little off; what is far in the future is shown as it is.
  if (age < -MINUTE_MS) return dayText(at)
  if (age < MINUTE_MS) return t('just now')
  if (age < HOUR_MS) return t('{count} min ago', { count: Math.floor(age / MINUTE_MS) })
  if (age < DAY_MS) return t('{count} h ago', { count: Math.floor(age / HOUR_MS) })
  return age < DAYS_TOLD * DAY_MS ? t('{count} d ago', { count: Math.floor(age / DAY_MS) }) : dayText(at)
}

/** `2026-01-31`, in this machine's time zone. */
export function dayText(timeMs: number): string {
  const date = new Date(timeMs)
  const part = (value: number, digits: number) => String(value).padStart(digits, '0')
  return `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1, 2)}-${part(date.getDate(), 2)}`
}

/** `2026-01-31 14:05`, in this machine's time zone. */
export function minuteText(time: string | undefined): string {
  const at = Date.parse(time ?? '')
  if (Number.isNaN(at)) return ''
  const date = new Date(at)
  return `${dayText(at)} ${[date.getHours(), date.getMinutes()].map((n) => String(n).padStart(2, '0')).join(':')}`
}
