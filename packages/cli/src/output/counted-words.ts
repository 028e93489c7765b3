import { numberText } from './amount.ts'
import { t } from './language.ts'

/** Numbers with what they count, in the language of this terminal; `counted` is for the command line, in English. */

export function nodesText(count: number): string {
  return count === 1 ? t('1 node') : t('{count} nodes', { count: numberText(count) })
}

export function messagesText(count: number): string {
  return count === 1 ? t('1 message') : t('{count} messages', { count: numberText(count) })
}

export function entriesText(count: number): string {
  return count === 1 ? t('1 entry') : t('{count} entries', { count: numberText(count) })
}

export function sessionsText(count: number): string {
  return count === 1 ? t('1 session') : t('{count} sessions', { count: numberText(count) })
}
