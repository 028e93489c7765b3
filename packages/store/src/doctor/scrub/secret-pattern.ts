import { TreelineError } from '@treeline/core'

export const REPLACEMENT = '[removed]'
const MIN_CHARS = 6
const MAX_CHARS = 16_384
/** JSON in a string of JSON in a string of JSON: each level doubles the backslashes before an escape and adds one. */
const MAX_BACKSLASHES = 7
/** Longer regular expressions overflow the engine's stack. */
const PART_CHARS = 64

/** Finds a secret however it is spelled: as it is, or with any of its characters escaped as in JSON, also JSON in JSON. */
export interface SecretPattern {
  /** In decoded text. */
  isIn(text: string): boolean
  replaceIn(text: string): string
  /** In bytes, handed over as latin1: the secret as UTF-8. */
  isInBytes(latin1: string): boolean
  /** The same length and the same lines, with `*`, or another mark, in place of every byte of it. */
  starOut(latin1: string, mark?: string): string
  /** Whether it can go over several lines where it is not part of JSON. */
  readonly spansLines: boolean
  /** Whether a number is written exactly as the secret. */
  isNumber(token: string): boolean
}

export function secretPattern(secret: string, { force = false }: { readonly force?: boolean } = {}): SecretPattern {
  if (secret.trim() === '') throw refused('is empty', 'Give the text that is to go')
  if (secret.length < MIN_CHARS && !force) {
    const why = `is shorter than ${MIN_CHARS} characters and may be part of anything`
    throw refused(why, 'Look at the dry run with `force`, then decide')
  }
  if (secret.length > MAX_CHARS) {
    throw refused(`is longer than ${MAX_CHARS} characters`, 'Give a part of it that is nowhere else')
  }
  const inText = compile(secret, literalText)
  const inBytes = compile(secret, literalBytes)
  const pattern: SecretPattern = {
    isIn: (text) => !findAll(inText, text).next().done,
    replaceIn: (text) => replaceAll(inText, text, () => REPLACEMENT),
    isInBytes: (latin1) => !findAll(inBytes, latin1).next().done,
    starOut: (latin1, mark = '*') => replaceAll(inBytes, latin1, (found) => found.replace(/[^\r\n]/g, mark)),
    spansLines: /[\r\n]/.test(secret.trim()),
    isNumber: (token) => token === secret,
  }
  if (pattern.isIn(REPLACEMENT)) {
    throw refused(`is part of "${REPLACEMENT}", which stands for what was removed`, 'Give more of it')
  }
  return pattern
}

/** The parts of a secret, to be found one right behind the other. The first is looked for anywhere. */
type Parts = readonly [first: RegExp, ...rest: RegExp[]]

function compile(secret: string, literal: (char: string) => string | undefined): Parts {
  const parts: string[] = []
  let part = ''
  let count = 0
  for (const [char] of secret.matchAll(/\\+|./gsu)) {
    part += char.startsWith('\\') ? backslashRun(char.length) : spellings(char, literal(char))
    // Not behind a backslash, of which nobody could say whether it belongs to the next part.
    if (++count < PART_CHARS || char.startsWith('\\')) continue
    parts.push(part)
    part = ''
    count = 0
  }
  if (part !== '') parts.push(part)
  const [first = '', ...rest] = parts
  return [new RegExp(first, 'g'), ...rest.map((source) => new RegExp(source, 'y'))]
}

function* findAll([first, ...rest]: Parts, text: string): Generator<{ readonly start: number; readonly end: number }> {
  first.lastIndex = 0
  for (let found = first.exec(text); found !== null; found = first.exec(text)) {
    const start = found.index
    let end = first.lastIndex
    const isWhole = rest.every((part) => {
      part.lastIndex = end
      const isNext = part.test(text)
      end = part.lastIndex
      return isNext
    })
    if (isWhole) yield { start, end }
    first.lastIndex = isWhole ? end : start + 1
  }
}

function replaceAll(parts: Parts, text: string, replace: (found: string) => string): string {
  let done = 0
  let replaced = ''
  for (const { start, end } of findAll(parts, text)) {
    replaced += text.slice(done, start) + replace(text.slice(start, end))
    done = end
  }
  return done === 0 ? text : replaced + text.slice(done)
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }

function spellings(char: string, literal: string | undefined): string {
  const backslashes = `\\\\{1,${MAX_BACKSLASHES}}`
  const forms = [
    unitsOf(char)
      .map((unit) => `${backslashes}u${hexDigits(unit)}`)
      .join(''),
  ]
  const short = SHORT_ESCAPES[char]
  if (short !== undefined) forms.push(`${backslashes}${short}`)
  // These two are escaped by some, and then the plain form has backslashes before it.
  if (char === '"' || char === '/') forms.push(`\\\\{0,${MAX_BACKSLASHES}}${literal}`)
  else if (literal !== undefined) forms.push(literal)
  return `(?:${forms.reverse().join('|')})`
}

/** A run of them is one piece: taken one by one there would be countless ways to share out those of a long run. */
function backslashRun(count: number): string {
  const escaped = `(?:\\\\{1,${MAX_BACKSLASHES}}u005[cC]){${count}}`
  return `(?:\\\\{${count},${count * (MAX_BACKSLASHES + 1)}}|${escaped})`
}

function literalText(char: string): string {
  return unitsOf(char)
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')
}

/** UTF-8 has no form for half a surrogate pair. */
function literalBytes(char: string): string | undefined {
  if (!char.isWellFormed()) return undefined
  return Array.from(Buffer.from(char), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
}

function unitsOf(char: string): number[] {
  return Array.from({ length: char.length }, (_, index) => char.charCodeAt(index))
}

/** Either case of every digit. */
function hexDigits(unit: number): string {
  const digits = unit.toString(16).padStart(4, '0')
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

/** Without a word of the secret itself. */
function refused(problem: string, remedy: string): TreelineError {
  return new TreelineError('validation_failed', `The text to remove ${problem}. ${remedy}.`)
}
