/** A piece of a text, and whether it is what was searched for. */
export interface Piece {
  readonly text: string
  readonly isFound: boolean
}

/** A text parted at all places where one of the words stands. The words are in lower case. */
export function foundPieces(text: string, words: readonly string[]): readonly Piece[] {
  const lowered = text.toLowerCase()
  const whole = [{ text, isFound: false }]
  // A few letters are longer in lower case: then no place in the one is a place in the other.
  if (words.length === 0 || lowered.length !== text.length) return whole
  const isFound = new Uint8Array(text.length)
  for (const word of words) {
    for (let at = lowered.indexOf(word); at >= 0; at = lowered.indexOf(word, at + word.length)) {
      isFound.fill(1, at, at + word.length)
    }
  }
  const pieces: Piece[] = []
  for (let start = 0, end = 0; start < text.length; start = end) {
    while (end < text.length && isFound[end] === isFound[start]) end++
    pieces.push({ text: text.slice(start, end), isFound: isFound[start] === 1 })
  }
  return pieces
}
