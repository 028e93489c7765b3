import { graphemesOf } from '@treeline/core'

// A line feed never joins with its neighbours, so characters are looked for in one line only: a long text costs no more.

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** Where the character before the cursor begins, as a person sees characters. */
export function borderBefore(text: string, at: number): number {
  const start = lineStart(text, at)
  if (at === start) return Math.max(0, at - 1)
  let border = start
  for (const grapheme of graphemesOf(text.slice(start, lineEnd(text, at)))) {
    if (border + grapheme.length >= at) break
    border += grapheme.length
  }
  return border
}

/** Where the character behind the cursor ends. */
export function borderAfter(text: string, at: number): number {
  return at >= text.length ? text.length : nearestBorder(text, at + 1)
}

/** The offset itself, or the end of the character it would cut in two. */
export function nearestBorder(text: string, at: number): number {
  let border = lineStart(text, at)
  if (border === at) return at
  for (const grapheme of graphemesOf(text.slice(border, lineEnd(text, at)))) {
    border += grapheme.length
    if (border >= at) break
  }
  return border
}
