import { CharClass, charClass } from './char-class.ts'

/**
 * Trigrams find what has three characters. For shorter terms the table `words` holds keys: of every word its first and
 * its first two characters, of scripts without spaces every character and every pair, and every sign. A key is one token
 * to SQLite whatever it knows of the characters: those other than ASCII letters and digits are numbers behind `ǃ`.
 */
const CODED = 'ǃ'
const DIGITS_PER_CHAR = 4
/** More than any character; the first of two is multiplied by it. */
const PAIR = 0x200000
const HUMP = /[\p{Ll}\p{N}](?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu

/** A camelCase name as several words. Wants text as it was stored: folded text has no humps. */
export function splitHumps(text: string): string {
  return text.replace(HUMP, '$& ')
}

/** The offset in the text of an offset in `splitHumps(text)`. */
export function unsplitOffset(text: string, splitOffset: number): number {
  let added = 0
  for (const { index, 0: before } of text.matchAll(HUMP)) {
    if (index + before.length + added >= splitOffset) break
    added++
  }
  return splitOffset - added
}

/** Keys under which short terms find these texts, each once, as tokens. */
export function keysOfTexts(folded: readonly string[]): string[] {
  const keys = new Set<number>()
  for (const text of folded) collectKeys(text, keys)
  return Array.from(keys, keyText)
}

/** Keys that a text has which contains this term of one or two characters; none when only reading it can tell. */
export function keysOfTerm(folded: string): string[] {
  const chars = Array.from(folded, (char) => char.codePointAt(0) as number)
  const [first = 0, second] = chars
  const firstClass = charClass(first)
  if (second === undefined) return isKeyed(firstClass) ? [keyText(first)] : []
  const secondClass = charClass(second)
  const isPair = firstClass === CharClass.unspaced && secondClass === CharClass.unspaced
  if (isPair || (firstClass === CharClass.word && isInWord(secondClass))) return [keyText(pairOf(first, second))]
  const keys: string[] = []
  // Before a script without spaces a letter may be anywhere in its word; behind a vowel sign it begins none.
  if (isKeyed(firstClass) && !(firstClass === CharClass.word && secondClass === CharClass.unspaced)) {
    keys.push(keyText(first))
  }
  if (isKeyed(secondClass) && !(secondClass === CharClass.word && firstClass === CharClass.mark)) {
    keys.push(keyText(second))
  }
  return keys
}

function collectKeys(folded: string, keys: Set<number>): void {
  let before: CharClass = CharClass.gap
  let last = 0
  /** How many characters of a word have been passed. */
  let inWord = 0
  for (let at = 0; at < folded.length; ) {
    const char = folded.codePointAt(at) as number
    const now = charClass(char)
    if (now === CharClass.unspaced || now === CharClass.sign) keys.add(char)
    if (now === CharClass.unspaced && before === CharClass.unspaced) keys.add(pairOf(last, char))
    inWord = now === CharClass.word || (now === CharClass.mark && inWord > 0) ? inWord + 1 : 0
    if (inWord === 1) keys.add(char)
    if (inWord === 2) keys.add(pairOf(last, char))
    before = now
    last = char
    at += char > 0xffff ? 2 : 1
  }
}

/** Whether a short term has to stand at the beginning of a word: it begins with a letter of a script with spaces. */
export function beginsWords(term: string): boolean {
  if (term.length > 4) return false
  const chars = Array.from(term, (char) => char.codePointAt(0) as number)
  // Ahead of their classes: to tell the first of a script takes longer than to look through many texts.
  if (chars.length >= 3) return false
  const classes = chars.map(charClass)
  return classes[0] === CharClass.word && !classes.includes(CharClass.unspaced)
}

export function isWordStart(folded: string, at: number): boolean {
  if (at === 0) return true
  const unit = folded.charCodeAt(at - 1)
  const isPair = unit >= 0xdc00 && unit <= 0xdfff && at > 1
  return !isInWord(charClass(isPair ? (folded.codePointAt(at - 2) as number) : unit))
}

function isInWord(charClass: CharClass): boolean {
  return charClass === CharClass.word || charClass === CharClass.mark
}

function isKeyed(charClass: CharClass): boolean {
  return charClass === CharClass.word || charClass === CharClass.unspaced || charClass === CharClass.sign
}

/** One number for two characters. */
function pairOf(first: number, second: number): number {
  return first * PAIR + second
}

function keyText(key: number): string {
  const first = Math.floor(key / PAIR)
  const second = key % PAIR
  if (first === 0) return isPlain(second) ? String.fromCharCode(second) : CODED + digits(second)
  return isPlain(first) && isPlain(second) ? String.fromCharCode(first, second) : CODED + digits(first) + digits(second)
}

/** ASCII letters and digits. */
function isPlain(char: number): boolean {
  return (char >= 0x61 && char <= 0x7a) || (char >= 0x30 && char <= 0x39)
}

function digits(char: number): string {
  return char.toString(36).padStart(DIGITS_PER_CHAR, '0')
}
