/** Controls that JSON leaves as they are and a terminal may obey, and those that reorder what is read. */
const UNSAFE = /[\u007f-\u009f]|\p{Bidi_Control}|[\u2028\u2029]/gu

/** JSON that says the same and drives no terminal (K4): what could is written as an asEscape. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, asEscape)
}

function asEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
