/** Characters that cannot be seen, or that turn what follows around; lines and tabs are seen by what they do. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A text in which nothing can hide: whoever allows it has seen it. */
export function showInvisible(text: string): string {
  return text.replace(
    INVISIBLE,
    (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}
