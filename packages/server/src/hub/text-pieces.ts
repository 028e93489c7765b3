/** Characters of one frame: escaped, one can take six bytes. */
export const CHARS_OF_FRAME = 160_000

/** A text in pieces that fit into frames. No character is split. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + CHARS_OF_FRAME)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end--
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}
