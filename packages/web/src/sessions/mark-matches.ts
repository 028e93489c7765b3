/** A piece of a text, and whether it was looked for. */
export interface Piece {
  readonly text: string
  readonly isMatch: boolean
}

/** Around what was found, what stands in a text only for how it looks: stars, hashes, the rules of a table. */
const MARKS =
  /`{3,}[\w+#-]*|\*{2,3}|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)|`+|^\s*#{1,6}\s|(?<=\s)#{1,6}\s|\|?(?:\s*:?-{2,}:?\s*\|)+|\|/gu

/** The same without markdown, for a line of a list: of what a tool put out nothing is left away. */
export function withoutMarkdown(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece) => (piece.isMatch ? piece : { ...piece, text: piece.text.replace(MARKS, '') }))
}

/** Cuts a text at what was found in it. Places that make no sense are passed over: they come from elsewhere. */
export function markMatches(text: string, matches: readonly (readonly [number, number])[]): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const [from, to] of [...matches].sort(([a], [b]) => a - b)) {
    if (from < at || to <= from || to > text.length) continue
    if (from > at) pieces.push({ text: text.slice(at, from), isMatch: false })
    pieces.push({ text: text.slice(from, to), isMatch: true })
    at = to
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMatch: false })
  return pieces
}
