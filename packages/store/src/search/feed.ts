import { fold } from './fold.ts'
import { keysOfTexts, splitHumps } from './short-keys.ts'

/** What the table `words` is given for a node's text: all that terms of one or two characters are found by. */
export function wordsFeed(text: string): string {
  const split = splitHumps(text)
  const texts = split.length === text.length ? [fold(text)] : [fold(text), fold(split)]
  return keysOfTexts(texts).join(' ')
}

/** What the table `grams` is given for a node's text. */
export function gramsFeed(text: string): string {
  return fold(text)
}
