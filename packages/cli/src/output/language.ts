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

/** Sentences of ours, one behind the other. Between Chinese ones there is no blank. */
export function inOneLine(sentences: readonly string[]): string {
  return sentences.reduce((text, next) => `${text}${/[。！？]$/.test(text) ? '' : ' '}${next}`)
}

const SIGNS = '…“”’‘«»→←–·↑↓▸◂●○★⋮─│├└⟨⟩'
const ASCII = ['...', '"', '"', "'", "'", '"', '"', '->', '<-', '-', '|', 'Up', 'Down', '>', '<', '*', 'o', '*', ':']
const LINES = ['-', '|', '|', '`', '<', '>']
const IN_ASCII = new Map([...SIGNS].map((sign, index) => [sign, [...ASCII, ...LINES][index]]))
const ANY_SIGN = new RegExp(`[${SIGNS}]`, 'g')

/** The signs of ours in a text that is put together, for a terminal that cannot show them. */
export function toAscii(text: string): string {
  return text.replace(ANY_SIGN, (sign) => IN_ASCII.get(sign) ?? sign)
}

/**
 * Simplified Chinese where the locale says so, English everywhere else. LANGUAGE is a list of wishes that comes first where
 * there is a locale at all, as gettext has it. Who reads traditional characters gets English, unless Simplified is wished for.
 */
export function languageOf(env: Readonly<Record<string, string | undefined>>): 'en' | 'zh' {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || 'C'
  const wishes = /^(C|POSIX)([.@]|$)/.test(locale) ? [] : [...(env.LANGUAGE ?? '').split(':'), locale]
  const known = wishes.find((wish) => /^en([-_.@]|$)/i.test(wish) || isSimplified(wish))
  return known !== undefined && isSimplified(known) ? 'zh' : 'en'
}

function isSimplified(locale: string): boolean {
  if (!/^zh([-_.@]|$)/i.test(locale)) return false
  return /[-_]hans/i.test(locale) || !/[-_](hant|tw|hk|mo)([-_.@]|$)/i.test(locale)
}

/** By the locale, as other programs do; the bare console of Linux draws only few characters. */
export function isUnicodeIn(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return /utf-?8/i.test(locale) && env.TERM !== 'linux'
}
