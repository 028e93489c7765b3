import { columnsOf, graphemesOf, plainText } from '@treeline/core'
import type { Snippet } from '@treeline/store'
import { paint } from '../output/style.ts'

const ELLIPSIS = '…'

interface Piece {
  readonly text: string
  readonly isMatch: boolean
}

/** A snippet on one line of at most so many columns, with its matches painted. */
export function paintSnippet(snippet: Snippet, columns: number): string {
  const pieces = snippetPieces(snippet, columns)
  return pieces.map(({ text, isMatch }) => (isMatch ? paint('match', text) : text)).join('')
}

/** The same in plain pieces, for whoever paints otherwise. */
export function snippetPieces(snippet: Snippet, columns: number): readonly Piece[] {
  const pieces = piecesOf(snippet)
  const whole = take(pieces, columns)
  if (!whole.isCut) return whole.pieces
  return [...take(pieces, columns - 1).pieces, { text: ELLIPSIS, isMatch: false }]
}

function piecesOf({ text, matches }: Snippet): readonly Piece[] {
  const pieces: Piece[] = []
  const add = (from: number, to: number, isMatch: boolean): void => {
    const plain = plainText(text.slice(from, to)).replace(/\s+/g, ' ')
    if (plain !== '') pieces.push({ text: plain, isMatch })
  }
  let done = 0
  for (const [from, to] of matches) {
    add(done, from, false)
    add(from, to, true)
    done = to
  }
  add(done, text.length, false)
  return pieces
}

function take(
  pieces: readonly Piece[],
  columns: number,
): { readonly pieces: readonly Piece[]; readonly isCut: boolean } {
  const taken: Piece[] = []
  let left = columns
  for (const { text, isMatch } of pieces) {
    let end = 0
    for (const grapheme of graphemesOf(text)) {
      left -= columnsOf(grapheme)
      if (left < 0) return { pieces: [...taken, { text: text.slice(0, end), isMatch }], isCut: true }
      end += grapheme.length
    }
    taken.push({ text, isMatch })
  }
  return { pieces: taken, isCut: false }
}
