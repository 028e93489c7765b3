const MAX_BETWEEN = 2
/** Shorter ones would be found everywhere. */
const MIN_FUZZY = 3

/** Whether a text has all of these words, given in lower case, wherever they stand. */
export function hasWords(text: string, words: readonly string[], isFuzzy = false): boolean {
  if (words.length === 0) return true
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word) || (isFuzzy && hasLetters(lower, word)))
}

/** The letters of a word in order, with few others between two of them. */
function hasLetters(text: string, word: string): boolean {
  if (word.length < MIN_FUZZY) return false
  let ends: number[] = []
  for (let at = text.indexOf(word[0]!); at >= 0; at = text.indexOf(word[0]!, at + 1)) ends.push(at)
  for (let i = 1; i < word.length && ends.length > 0; i++) {
    const next: number[] = []
    let last = -1
    for (const end of ends) {
      // They ascend, so what was looked at for the one before need not be again.
      for (let at = Math.max(end, last) + 1; at <= end + 1 + MAX_BETWEEN; at++) {
        if (text[at] !== word[i]) continue
        next.push(at)
        last = at
      }
    }
    ends = next
  }
  return ends.length > 0
}
