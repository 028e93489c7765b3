import { ageText } from '../../listing/age.ts'
import { t } from '../language.ts'

const AGO = /^(\d+) (min|h|d) ago$/

/** How long ago, in the language of this terminal. */
export function shownAge(time: string | undefined): string {
  const text = ageText(time)
  const [, count = '', unit] = AGO.exec(text) ?? []
  if (unit === 'min') return t('{count} min ago', { count })
  if (unit === 'h') return t('{count} h ago', { count })
  if (unit === 'd') return t('{count} d ago', { count })
  if (text === 'just now') return t('just now')
  return text === 'unknown' ? t('unknown') : text
}
