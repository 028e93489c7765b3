import { columnsOf, graphemesOf, plainText } from '@treeline/core'

/** One character as it is drawn. */
export interface Cell {
  readonly text: string
  readonly columns: number
  /** Where the character stands in the text. */
  readonly start: number
  /** Ends the line; it is not drawn. */
  readonly isLineEnd: boolean
}

/** Stands for what has no shape of its own or does not fit. */
const STAND_IN = '\ufffd'
/** Drawn by the layout, which knows how far the next stop is. */
export const TAB = '\t'

/** Every character of a text, each safe to draw (K4). None is without columns: the cursor can be seen on all of them. */
export function* cellsOf(text: string): Generator<Cell> {
  const isPlain = plainText(text) === text
  let start = 0
  for (const grapheme of isPlain ? graphemesByLine(text) : graphemesOf(text)) {
    const shown = isPlain ? grapheme : plainText(grapheme)
    if (shown === '\n') yield { text: '', columns: 0, start, isLineEnd: true }
    else if (shown === TAB) yield { text: TAB, columns: 1, start, isLineEnd: false }
    else yield visibleCell(shown, start)
    start += grapheme.length
  }
}

/** The same characters. Line feeds alone make `graphemesOf` slow, and this runs with every key. */
function* graphemesByLine(text: string): Generator<string> {
  for (const piece of text.split(/(\n)/)) {
    if (piece === '\n') yield piece
    else yield* graphemesOf(piece)
  }
}

function visibleCell(shown: string, start: number): Cell {
  const columns = shown === '' ? 0 : columnsOf(shown)
  return columns === 0 ? standIn(start) : { text: shown, columns, start, isLineEnd: false }
}

export function standIn(start: number): Cell {
  return { text: STAND_IN, columns: 1, start, isLineEnd: false }
}
