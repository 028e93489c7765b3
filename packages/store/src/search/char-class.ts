/** What a character of folded text is to a search for one or two characters. */
export const CharClass = {
  /** Blanks and the punctuation of ASCII: in no index. */
  gap: 1,
  /** Letters and digits of a script that puts spaces between words. */
  word: 2,
  /** A vowel sign or the like, part of the word it is in. */
  mark: 3,
  /** Of a script without spaces, where a word may begin anywhere. */
  unspaced: 4,
  /** Emoji and other signs. */
  sign: 5,
} as const
export type CharClass = (typeof CharClass)[keyof typeof CharClass]

const UNSPACED =
  /[\u30fc\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\u3099\u309a]/u
const WORD = /[\p{L}\p{N}\p{Co}]/u
const MARK = /\p{M}/u
const BLANK = /[\s\p{C}]/u

/** Of the characters below U+10000, filled as they are asked for. */
const known = new Uint8Array(0x10000)

export function charClass(codePoint: number): CharClass {
  if (codePoint > 0xffff) return classify(codePoint)
  if (known[codePoint] === 0) known[codePoint] = classify(codePoint)
  return known[codePoint] as CharClass
}

function classify(codePoint: number): CharClass {
  const char = String.fromCodePoint(codePoint)
  if (UNSPACED.test(char)) return CharClass.unspaced
  if (WORD.test(char)) return CharClass.word
  if (MARK.test(char)) return CharClass.mark
  return codePoint < 0x80 || BLANK.test(char) ? CharClass.gap : CharClass.sign
}
