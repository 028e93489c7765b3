/** A word as it can be typed in a shell, for commands that are suggested. */
export function shellWord(word: string): string {
  return /^[\w./@:+,%=-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", "'\\''")}'`
}
