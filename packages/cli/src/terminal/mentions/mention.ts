import { plainText } from '@treeline/core'

/** A file that is named in a prompt: `@src/a.ts`, or `@"a b.txt"` where its name has blanks. */
export interface Mention {
  /** What it might be called: a sentence may end right behind a name. */
  readonly paths: readonly string[]
}

/** What is being typed: a name with the `@` before it. */
export interface BegunMention {
  readonly begun: string
  /** Offsets in the text. */
  readonly from: number
  readonly to: number
}

const MAX_PATH_CHARS = 1_024
const MENTION = /(?<![^\s(])@(?:"([^"\n]+)(?:"|$)|([^\s"]+))/gm
const BEGUN = /(?<![^\s(])@(?:"([^"\n]*)|([^\s"]*))$/
const PUNCTUATION = /[.,;:!?)\]}'`]{1,8}$/
/** What has no shape of its own, but for what joins emoji. */
const UNSEEN = /(?!\u200d)[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/u

/** Of all words that begin with `@`. */
export function findMentions(text: string): readonly Mention[] {
  return [...text.matchAll(MENTION)].map(([, quoted, bare = '']) => {
    if (quoted !== undefined) return { paths: [quoted] }
    const trimmed = bare.replace(PUNCTUATION, '')
    return { paths: trimmed === bare || trimmed === '' ? [bare] : [bare, trimmed] }
  })
}

/** The one that ends at the cursor, if any does. */
export function findBegunMention(text: string, cursor: number): BegunMention | undefined {
  // This runs with every key, however long the text is.
  const start = Math.max(text.lastIndexOf('\n', cursor - 1) + 1, cursor - MAX_PATH_CHARS)
  const match = BEGUN.exec(text.slice(start, cursor))
  if (match === null) return undefined
  const [, quoted, bare = ''] = match
  const rest =
    (quoted === undefined ? /^[^\s"]*/ : /^[^"\n]*"/).exec(text.slice(cursor, cursor + MAX_PATH_CHARS))?.[0] ?? ''
  return { begun: quoted ?? bare, from: start + match.index, to: cursor + rest.length }
}

/** As it is typed. That of a folder is left open: more of the path follows. */
export function toMention(path: string): string {
  if (!/\s/.test(path)) return `@${path}`
  return path.endsWith('/') ? `@"${path}` : `@"${path}"`
}

/** Whether a name is what it looks like: one that is not cannot be typed, and would be another when it is sent (K4). */
export function isTypeable(path: string): boolean {
  return plainText(path) === path && !/["\n\t]/.test(path) && !UNSEEN.test(path)
}
