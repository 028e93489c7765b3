const PLAIN = /^[\w./@:+,%=-]+$/
/** Controls and what reorders what is read: a terminal is not to get them, and a shell only as escapes. */
const HIDDEN = /\p{Cc}|\p{Bidi_Control}/u
const ESCAPED = /\p{Cc}|\p{Bidi_Control}|[\\']/gu

/** A word as it can be typed in a shell, for commands that are suggested. Whatever a name holds, it stays one word. */
export function shellWord(word: string): string {
  if (PLAIN.test(word) && !word.startsWith('-')) return word
  if (!HIDDEN.test(word)) return `'${word.replaceAll("'", "'\\''")}'`
  return `$'${word.replace(ESCAPED, asEscape)}'`
}

function asEscape(character: string): string {
  if (character === '\\' || character === "'") return `\\${character}`
  return Array.from(Buffer.from(character), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
}
