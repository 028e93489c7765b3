import { commonOptions, type OptionSpec } from './command.ts'

export interface SplitWords {
  /** The first word that is no option; `undefined` when there is none. */
  readonly command: string | undefined
  /** All the others, in order. */
  readonly rest: readonly string[]
}

/** Options that every command has may also stand before its name: `treeline --json ls`. */
export function splitWords(words: readonly string[]): SplitWords {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (!word.startsWith('-')) return { command: word, rest: words.toSpliced(at, 1) }
    if (word === '--') break
    if (takesValue(word)) at++
  }
  return { command: undefined, rest: words }
}

function takesValue(word: string): boolean {
  const name = word.slice(2)
  return Object.hasOwn(commonOptions, name) && (commonOptions as Record<string, OptionSpec>)[name]!.type === 'string'
}
