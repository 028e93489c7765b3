import { t } from '../output/language.ts'

/** What an entry is, for a person. Kinds that are seldom met keep the name that they have on disk. */
const WORDS: Readonly<Record<string, () => string>> = {
  user: () => t('user'),
  assistant: () => t('assistant'),
  system: () => t('system'),
  message: () => t('message'),
  tool: () => t('tool'),
  toolResult: () => t('toolResult'),
  bashExecution: () => t('bashExecution'),
  custom: () => t('custom'),
  custom_message: () => t('custom_message'),
  compaction: () => t('compaction'),
  branch_summary: () => t('branch_summary'),
  model_change: () => t('model_change'),
  thinking_level_change: () => t('thinking_level_change'),
  mode_change: () => t('mode_change'),
  session_info: () => t('session_info'),
  label: () => t('label'),
  leaf: () => t('leaf'),
  other: () => t('other'),
}

/** The word that `wordOf` gives, in the language of this terminal. */
export function entryWord(word: string): string {
  return Object.hasOwn(WORDS, word) ? WORDS[word]!() : word
}
