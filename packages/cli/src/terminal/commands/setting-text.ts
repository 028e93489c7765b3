import { preview } from '@treeline/core'
import { t } from '../../output/language.ts'

const MAX_CHARS = 200

/** A value as it is shown. Headers often carry a key, and the screen may be seen by others. */
export function settingText(key: string, value: unknown): string {
  if (value === undefined) return t('not set')
  if (/(^|\.)headers\b/.test(key)) return t('(hidden)')
  const text =
    typeof value === 'string' ? value : JSON.stringify(value, (name, part) => (name === 'headers' ? '…' : part))
  return preview(text, MAX_CHARS)
}

/** What somebody may have meant by what was typed: as JSON where it is some, then as text, with commas also as a list. */
export function parseSetting(typed: string): readonly unknown[] {
  const list = typed.includes(',') ? [typed.split(',').map((item) => item.trim())] : []
  try {
    return [JSON.parse(typed) as unknown, typed, ...list]
  } catch {
    // Text is what most values are.
    return [typed, ...list]
  }
}
