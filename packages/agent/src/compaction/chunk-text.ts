/**
 * Puts pieces of text together to as few chunks as possible of at most `maxTokens` each. A piece that is more by itself is
 * divided.
 */
export function chunkTexts(
  pieces: readonly string[],
  maxTokens: number,
  tokensOf: (text: string) => number,
): readonly string[] {
  const chunks: string[] = []
  let chunk: string[] = []
  let tokens = 0
  const close = (): void => {
    if (chunk.length > 0) chunks.push(chunk.join('\n\n'))
    chunk = []
    tokens = 0
  }
  for (const piece of pieces) {
    const own = tokensOf(piece) + 1
    if (tokens + own > maxTokens) close()
    if (own > maxTokens) {
      chunks.push(...divide(piece, Math.ceil(own / maxTokens)))
      continue
    }
    chunk.push(piece)
    tokens += own
  }
  close()
  return chunks
}

/** As many parts of about the same length; never through a character of two units. */
export function divide(text: string, count: number): readonly string[] {
  const parts: string[] = []
  let start = 0
  for (let left = count; left > 0 && start < text.length; left--) {
    let end = start + Math.ceil((text.length - start) / left)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++
    parts.push(text.slice(start, end))
    start = end
  }
  return parts
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}
