const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for an element or a quoted attribute. Line ends of other scripts are named too, for whoever copies from the file. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\u2028\u2029]/g, (char) => ENTITIES[char] ?? `&#${char.charCodeAt(0)};`)
}

/**
 * JSON for a script element that is data: with these escaped no text in it can end the element, begin a comment, or be
 * more than a string to any program that reads it.
 */
export function embedJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
