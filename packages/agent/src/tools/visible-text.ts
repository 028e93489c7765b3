/** Controls, what reorders or hides text, other line separators, halves of characters. Line feed and tab are none of it. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu
/** Parts of emoji, where they follow one. */
const JOINED = /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)[\u200d\ufe0f]$/u
const BREAKS = /[\n\t]/g

/**
 * Text with everything a reader would not see spelled out: what is asked about must be what runs (K4). A sanitiser finds
 * nothing to remove in it.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (found, at: number) => (isPartOfEmoji(text, at, found) ? found : spell(found)))
}

/** The same on one line, for names of files. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(BREAKS, spell)
}

function isPartOfEmoji(text: string, at: number, found: string): boolean {
  if (found !== '\u200d' && found !== '\ufe0f') return false
  return JOINED.test(text.slice(Math.max(0, at - 5), at + 1))
}

function spell(found: string): string {
  return `⟨U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
