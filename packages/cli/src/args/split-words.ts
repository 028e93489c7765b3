import { catalogue } from '../catalogue.ts'
import { commonOptions, type OptionSpec } from './command.ts'

export interface SplitWords {
  /** The name of a command, or what stands in its place; `undefined` when there is none. */
  readonly command: string | undefined
  /** All the others, in order. */
  readonly rest: readonly string[]
}

/** What talks to a model: `treeline -p "why?"` and `treeline "why is that?"` are `treeline chat …`. */
const CHAT = 'chat'
/** Its options, any of which may lead; the command itself is not loaded to find out. A test compares them. */
export const CHAT_OPTIONS: readonly string[] = [
  'print',
  'output',
  'continue',
  'resume',
  'session',
  'fork',
  'no-session',
  'model',
  'thinking',
  'mode',
  'cwd',
]
const CHAT_LETTERS = /^-[pcrm]/

/**
 * Finds the command: the first word that is no option. Options that every command has may also stand before its name:
 * `treeline --json ls`. Where an option of the chat leads, or the first word is a sentence, somebody wants to talk.
 */
export function splitWords(words: readonly string[]): SplitWords {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (!word.startsWith('-')) {
      const isSaid = !Object.hasOwn(catalogue, word) && (/\s/.test(word) || isAsked(words))
      return isSaid ? { command: CHAT, rest: words } : { command: word, rest: words.toSpliced(at, 1) }
    }
    if (word === '--') break
    if (takesValue(word)) at++
    else if (isChatOption(word)) return { command: CHAT, rest: words }
    else if (!isCommon(word)) break
  }
  return { command: undefined, rest: words }
}

function isAsked(words: readonly string[]): boolean {
  return words.some((word) => word === '-p' || word === '--print')
}

function isChatOption(word: string): boolean {
  const [name = ''] = word.slice(2).split('=')
  return word.startsWith('--') ? CHAT_OPTIONS.includes(name) : CHAT_LETTERS.test(word)
}

function isCommon(word: string): boolean {
  const [name = ''] = word.slice(2).split('=')
  return word === '-h' || (word.startsWith('--') && Object.hasOwn(commonOptions, name))
}

function takesValue(word: string): boolean {
  const name = word.slice(2)
  return (
    word.startsWith('--') &&
    Object.hasOwn(commonOptions, name) &&
    (commonOptions as Record<string, OptionSpec>)[name]!.type === 'string'
  )
}
