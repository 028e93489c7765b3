/** English as it stands in the code → what is said instead. */
export type Words = Readonly<Record<string, string>>

export interface Speech {
  /** Nothing for English. */
  readonly words?: Words
  /** Without it every character of ours is ASCII. */
  readonly isUnicode: boolean
}

/** One terminal speaks one language: set once, when the chat starts. */
let speech: Speech = { isUnicode: true }

export function speak(given: Speech): void {
  speech = given
}

/**
 * A text of Treeline's own in the language of this terminal. Values are put in as they are: they are sanitised where they
 * are shown, as everything is.
 *
 * @example
 * t('{count} waiting', { count: 2 })
 */
export function t(english: string, values: Readonly<Record<string, string | number>> = {}): string {
  const { words = {}, isUnicode } = speech
  const said = Object.hasOwn(words, english) ? words[english]! : english
  const shown = isUnicode ? said : toAscii(said)
  return shown.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}

const ASCII: Readonly<Record<string, string>> = { '…': '...', '“': '"', '”': '"', '→': '->', '–': '-', '·': '|' }

function toAscii(text: string): string {
  return text.replace(/[…“”→–·]/g, (character) => ASCII[character] ?? character)
}

/** Simplified Chinese where the locale says so, English everywhere else. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): 'en' | 'zh' {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return /^zh([-_.@]|$)/i.test(locale) ? 'zh' : 'en'
}

/** By the locale, as other programs do; the bare console of Linux draws only few characters. */
export function isUnicodeIn(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return /utf-?8/i.test(locale) && env.TERM !== 'linux'
}
