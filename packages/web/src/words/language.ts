import { createStore, useStore } from '../state/store.ts'
import { zh } from './zh/index.ts'

export type Language = 'en' | 'zh'

const KEPT = 'treeline.language'

export const language = createStore<Language>(firstLanguage())

export function chooseLanguage(next: Language): void {
  localStorage.setItem(KEPT, next)
  language.set(next)
}

/**
 * A text of ours, in the reader's language. The first argument is the English text itself, written out where it is used;
 * `words.test.ts` collects them all and fails when one has no translation.
 */
export function t(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  const said = language.get() === 'zh' ? (zh[text] ?? text) : text
  return said.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** Draws a component anew when the language changes. */
export function useLanguage(): Language {
  return useStore(language)
}

function firstLanguage(): Language {
  if (typeof localStorage === 'undefined') return 'en'
  const kept = localStorage.getItem(KEPT)
  if (kept === 'en' || kept === 'zh') return kept
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}
