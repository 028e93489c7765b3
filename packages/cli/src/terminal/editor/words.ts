import { lineEnd, lineStart, nearestBorder } from './line-borders.ts'

/** Made when first needed. It knows words of languages that are written without spaces. */
let segmenter: Intl.Segmenter | undefined

interface Word {
  readonly start: number
  readonly end: number
}

function wordsOfLine(text: string, at: number): Word[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  const start = lineStart(text, at)
  return [...segmenter.segment(text.slice(start, lineEnd(text, at)))]
    .filter((piece) => piece.isWordLike)
    .map(({ index, segment }) => ({ start: start + index, end: start + index + segment.length }))
}

/** Where the word before the cursor begins, in an earlier line if need be. */
export function wordStartBefore(text: string, cursor: number): number {
  for (let at = cursor; at > 0; at = lineStart(text, at) - 1) {
    const word = wordsOfLine(text, at).findLast(({ start }) => nearestBorder(text, start) < cursor)
    if (word !== undefined) return nearestBorder(text, word.start)
  }
  return 0
}

/** Where the word behind the cursor ends, in a later line if need be. */
export function wordEndAfter(text: string, cursor: number): number {
  for (let at = cursor; at < text.length; at = lineEnd(text, at) + 1) {
    const word = wordsOfLine(text, at).find(({ end }) => end > cursor)
    if (word !== undefined) return nearestBorder(text, word.end)
  }
  return text.length
}
