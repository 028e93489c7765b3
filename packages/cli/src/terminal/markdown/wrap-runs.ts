import { columnsOf, graphemesOf } from '@treeline/core'
import type { StyledLine, StyledRun } from './styled-line.ts'

/** Between these and their neighbours a line may break: they are written without spaces. */
const IDEOGRAPHIC = /^[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3fffd}]/u
/** But none begins with, or ends with, one of these. */
const CLOSING = /^[、。，．！？：；）］｝」』】》〉〕’”…～・ー)\]},.!?:;]/
const OPENING = /^[（［｛「『【《〈〔‘“([{]/
const WIDE_STAND_IN = '?'

export function widthOf(text: string): number {
  let width = 0
  for (const grapheme of graphemesOf(text)) width += columnsOf(grapheme)
  return width
}

/** Rows of at most so many columns, broken at spaces if possible. The spaces at a break go. Line feeds break as well. */
export function wrapRuns(runs: readonly StyledRun[], columns: number): readonly StyledLine[] {
  return breakRuns(runs, columns, true)
}

/** Rows filled to the last column, nothing left out: for code. */
export function fillRuns(runs: readonly StyledRun[], columns: number): readonly StyledLine[] {
  return breakRuns(runs, columns, false)
}

/** A place where the row may end, and where the next would begin then. */
interface Break {
  readonly end: number
  readonly next: number
  /** Of the row up to `next`. */
  readonly width: number
}

function breakRuns(given: readonly StyledRun[], columns: number, atWords: boolean): readonly StyledLine[] {
  const runs = columns < 2 ? given.map(narrow) : given
  // All runs at once: what a person sees as one character may begin in one run and end in the next.
  const text = runs.map((run) => run.text).join('')
  const cut = runCutter(runs)
  const lines: StyledLine[] = []
  let start = 0
  let at = 0
  let width = 0
  let wordEnd = 0
  let previous = ''
  let chance: Break | undefined
  const endLine = (end: number, next: number, nextWidth: number) => {
    lines.push(cut(start, end))
    start = next
    width = nextWidth
    wordEnd = next
    chance = undefined
  }
  for (const grapheme of graphemesOf(text)) {
    const size = columnsOf(grapheme)
    if (grapheme === '\n') {
      endLine(atWords ? wordEnd : at, at + 1, 0)
    } else if (atWords && grapheme === ' ') {
      if (wordEnd === start) {
        // At the start of a row it goes as well.
        start = at + 1
        wordEnd = start
      } else {
        width++
        chance = { end: wordEnd, next: at + 1, width }
      }
    } else {
      if (atWords && previous !== ' ' && isSeam(previous, grapheme)) chance = { end: at, next: at, width }
      while (width + size > columns && at > start) {
        if (chance === undefined) endLine(at, at, 0)
        else endLine(chance.end, chance.next, width - chance.width)
      }
      width += size
      wordEnd = at + grapheme.length
    }
    previous = grapheme
    at += grapheme.length
  }
  lines.push(cut(start, atWords ? wordEnd : at))
  return lines
}

function isSeam(before: string, after: string): boolean {
  if (!IDEOGRAPHIC.test(before) && !IDEOGRAPHIC.test(after)) return false
  return before !== '' && !CLOSING.test(after) && !OPENING.test(before)
}

/** In a single column there is no room for a Chinese character. */
function narrow(run: StyledRun): StyledRun {
  let text = ''
  for (const grapheme of graphemesOf(run.text)) text += columnsOf(grapheme) > 1 ? WIDE_STAND_IN : grapheme
  return { ...run, text }
}

/** Gives stretches of the joined text back as runs. Asked for in order. */
function runCutter(runs: readonly StyledRun[]): (start: number, end: number) => StyledLine {
  let index = 0
  let offset = 0
  return (start, end) => {
    const line: StyledRun[] = []
    for (; index < runs.length; index++) {
      const run = runs[index]!
      const runEnd = offset + run.text.length
      const piece = run.text.slice(Math.max(0, start - offset), Math.max(0, end - offset))
      if (piece !== '') line.push({ ...run, text: piece })
      if (runEnd > end) break
      offset = runEnd
    }
    return line
  }
}
