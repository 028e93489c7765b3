import { widthOf } from './table.ts'

/**
 * Text in lines of at most so many columns. Lines it has already stay apart; words longer than a line are broken after
 * commas, where they have any.
 */
export function* wrap(text: string, width: number): Generator<string> {
  for (const paragraph of text.split('\n')) yield* wrapWords(wordsOf(paragraph, width), width)
}

export interface Word {
  readonly word: string
  /** Between it and the one before, on one line. */
  readonly gap: string
}

/** One paragraph. */
export function* wrapWords(words: Iterable<Word>, width: number): Generator<string> {
  let line = ''
  for (const { word, gap } of words) {
    const longer = line === '' ? word : `${line}${gap}${word}`
    if (line !== '' && widthOf(longer) > width) {
      yield line
      line = word
    } else line = longer
  }
  yield line
}

/** A term and what it means, beside each other; a long term has its meaning on the next line. */
export function* wrapBeside(term: string, termWidth: number, text: string, width: number): Generator<string> {
  const indent = ' '.repeat(termWidth + 1)
  const isLong = widthOf(term) > termWidth
  if (isLong) yield term
  let start = isLong ? indent : `${term}${' '.repeat(termWidth - widthOf(term))} `
  for (const line of wrap(text, Math.max(20, width - termWidth - 1))) {
    yield `${start}${line}`
    start = indent
  }
}

function* wordsOf(paragraph: string, width: number): Generator<Word> {
  for (const word of paragraph.split(' ')) {
    if (word.length <= width) yield { word, gap: ' ' }
    else for (const [i, piece] of word.split(/(?<=,)/).entries()) yield { word: piece, gap: i === 0 ? ' ' : '' }
  }
}
