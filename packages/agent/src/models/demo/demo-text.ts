/** The words of a message, without files and the like. */
export function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content
    .filter((part) => part.type === 'text')
    .map((part) => part.text ?? '')
    .join('\n')
}

/** The beginning, on one line, never half a character. */
export function shorten(text: string, maxChars: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= maxChars) return line
  return `${line.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}…`
}
