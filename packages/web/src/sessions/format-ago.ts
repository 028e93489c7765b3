import { language } from '../words/language.ts'

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** How long ago, in the largest unit that fits. */
export function formatAgo(ms: number, now: number = Date.now()): string {
  const past = Math.max(0, now - ms)
  const [unit, length] = UNITS.find(([, unitMs]) => past >= unitMs) ?? (['second', past + 1] as const)
  const said = formatIn(language.get()).format(-Math.floor(past / length), unit)
  // As everywhere here, a blank between Chinese and what is not.
  return said.replace(/(?<=\d)(?=\p{sc=Han})/u, ' ')
}

let format: Intl.RelativeTimeFormat | undefined
let formatLanguage = ''

/** Made once for a language: each takes longer than the row it is for. */
function formatIn(name: string): Intl.RelativeTimeFormat {
  if (format === undefined || formatLanguage !== name) {
    format = new Intl.RelativeTimeFormat(name, { numeric: 'auto', style: 'narrow' })
    formatLanguage = name
  }
  return format
}
