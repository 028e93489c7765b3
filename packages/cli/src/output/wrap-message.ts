import type { Output } from './output.ts'
import { type Word, wrapWords } from './wrap.ts'

/**
 * What is said at a terminal, in lines of at most so many columns. Lines that are indented are lists and code, and stay;
 * a command in backticks is not torn apart, so that it can be copied.
 */
export function* wrapMessage(text: string, width: number): Generator<string> {
  for (const line of text.split('\n')) {
    if (line.startsWith(' ')) yield line
    else yield* wrapWords(wordsOf(line), width)
  }
}

/** The same where the answer goes to a terminal; for a program as it is. */
export function messageLines({ isTty, columns }: Output, text: string, indent = ''): readonly string[] {
  const lines = isTty ? [...wrapMessage(text, columns - indent.length)] : [text]
  return lines.map((line) => indent + line)
}

function* wordsOf(line: string): Generator<Word> {
  let word: string | undefined
  for (const piece of line.split(' ')) {
    word = word === undefined ? piece : `${word} ${piece}`
    if (word.split('`').length % 2 === 0) continue
    yield { word, gap: ' ' }
    word = undefined
  }
  if (word !== undefined) yield { word, gap: ' ' }
}
