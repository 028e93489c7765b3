/** Scripts that terminals give two columns a character, with their punctuation and full-width forms. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}\u115f\u1160]+$/u

/** How many columns of a terminal one grapheme cluster takes: what a person sees as one character. */
export function columnsOf(grapheme: string): number {
  if (grapheme.length === 1 && grapheme < '\u0300') return 1
  if (INVISIBLE.test(grapheme)) return 0
  return WIDE.test(grapheme) || EMOJI.test(grapheme) ? 2 : 1
}
