/** The most that a menu holds: nobody reads on. */
const MAX_OFFERED = 20

/** What was typed of an argument: whole words, and the one that is being typed. */
export interface Begun {
  /** With the blanks behind them. */
  readonly before: string
  readonly words: readonly string[]
  readonly word: string
}

export function splitBegun(begun: string): Begun {
  const before = /^[\s\S]*\s/.exec(begun)?.[0] ?? ''
  return { before, words: before.split(/\s+/).filter((word) => word !== ''), word: begun.slice(before.length) }
}

/** Of what is offered for the last word, that which begins so and was not said before; each with all that stands before it. */
export function beginWith({ before, words, word }: Begun, offered: Iterable<string>): readonly string[] {
  const found = new Set<string>()
  const start = word.toLowerCase()
  for (const one of offered) {
    if (found.size === MAX_OFFERED) break
    if (one.toLowerCase().startsWith(start) && !words.includes(one)) found.add(one)
  }
  return Array.from(found, (one) => `${before}${one}`)
}
