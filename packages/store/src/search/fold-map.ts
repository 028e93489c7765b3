import { fold, isEven } from './fold.ts'

const BLANK = /^[\s\p{Cc}]/u
/** Begins a character that folding joins with nothing before it. */
const STARTER = /^(?!\p{Default_Ignorable_Code_Point})[^\s\p{M}\p{C}\u1160-\u11ff]/u
const PIECES = [8192, 512] as const
const MAX_GUESSES = 5

/** Where folded offsets are in the text they come from. Made for a stretch of text: each of its units is looked at. */
export interface FoldMap {
  readonly folded: string
  /** The unit that a folded offset is in: where it begins and ends in the text. */
  unitAt(offset: number): readonly [number, number]
}

export function mapFolding(text: string): FoldMap {
  const whole = fold(text)
  if (isEven(text, whole)) {
    return { folded: whole, unitAt: (offset) => [offset, offset + 1] }
  }
  return mapUnits(text)
}

function mapUnits(text: string): FoldMap {
  const starts: number[] = []
  const foldedStarts: number[] = []
  let folded = ''
  for (let at = 0; at < text.length; ) {
    const end = boundaryFrom(text, at + 1)
    starts.push(at)
    foldedStarts.push(folded.length)
    const unit = text.slice(at, end)
    folded += end === at + 1 && isPlain(text.charCodeAt(at)) ? unit.toLowerCase() : fold(unit)
    at = end
  }
  const unitAt = (offset: number): readonly [number, number] => {
    const unit = findLast(foldedStarts, offset)
    return [starts[unit] ?? 0, starts[unit + 1] ?? text.length]
  }
  return { folded, unitAt }
}

/** The offset in the text of an offset in `fold(text)`: folds large pieces up to it, then smaller ones. */
export function unfoldOffset(text: string, foldedOffset: number): number {
  let from = 0
  let to = text.length
  let left = foldedOffset
  for (const size of PIECES) {
    for (;;) {
      const end = Math.min(to, boundaryFrom(text, from + size))
      const { length } = fold(text.slice(from, end))
      if (left < length || end === to) {
        to = end
        break
      }
      left -= length
      from = end
    }
  }
  return from + unfoldInPiece(text.slice(from, to), left)
}

/** Most text is folded evenly: then it is found by a few guesses, each better than the one before. */
function unfoldInPiece(piece: string, foldedOffset: number): number {
  let guess = foldedOffset
  for (let i = 0; i < MAX_GUESSES && guess >= 0 && guess <= piece.length; i++) {
    const at = boundaryFrom(piece, guess)
    const off = foldedOffset - fold(piece.slice(0, at)).length
    if (off === 0) return at
    guess = at + off
  }
  return mapUnits(piece).unitAt(foldedOffset)[0]
}

function boundaryFrom(text: string, from: number): number {
  let at = from
  while (at < text.length && !isBoundary(text, at)) at++
  return Math.min(at, text.length)
}

/** Whether the text before and the text from here on can be folded apart. */
function isBoundary(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (isPlain(unit)) return true
  if (BLANK.test(text.charAt(at))) return isEnd(text.slice(Math.max(0, at - 4), at))
  const isHigh = unit >= 0xd800 && unit < 0xdc00
  return isHigh ? isStarter(text.codePointAt(at) as number) : isKnownStarter(unit)
}

/** Of the characters below U+10000, filled as they are asked for. */
const starters = new Uint8Array(0x10000)
const YES = 1
const NO = 2

function isKnownStarter(unit: number): boolean {
  if (starters[unit] === 0) starters[unit] = isStarter(unit) ? YES : NO
  return starters[unit] === YES
}

function isStarter(codePoint: number): boolean {
  return STARTER.test(String.fromCodePoint(codePoint).normalize('NFKD'))
}

/** Whether folding leaves something of these last characters, and no blank at their end. */
function isEnd(before: string): boolean {
  if (isPlain(before.charCodeAt(before.length - 1))) return true
  const folded = fold(before.replace(/^[\udc00-\udfff]/, ''))
  return folded !== '' && !folded.endsWith(' ')
}

/** ASCII that can be seen. */
function isPlain(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f
}

/** Index of the last number that is not above the value; the numbers do not decrease. */
function findLast(numbers: readonly number[], value: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
