import { parseArgs } from 'node:util'
import { preview, TreelineError } from '@treeline/core'
import { type Command, commonOptions, type OptionSpecs } from './command.ts'
import { nearest } from './nearest.ts'

export interface ParsedCall {
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, boolean | string | readonly string[] | undefined>>
}

/** The words after the command's name. Throws `bad_request` with what is wrong and how to see what is right. */
export function parseCall(name: string, command: Command, words: readonly string[]): ParsedCall {
  const call = parseOptions({ ...command.options, ...commonOptions }, words, name)
  if (!call.options.help) checkCount(name, command, call.args)
  return call
}

/** Without a name: the options of `treeline` itself. */
export function parseOptions(specs: OptionSpecs, words: readonly string[], name?: string): ParsedCall {
  const { values, positionals } = parse(name, specs, words)
  for (const [key, value] of Object.entries(values)) checkChoice(name, specs, key, value)
  return { args: positionals, options: values as ParsedCall['options'] }
}

function parse(name: string | undefined, specs: OptionSpecs, words: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(specs).map(([key, { type, short, multiple = false }]) => {
      return [key, { type, multiple, ...(short !== undefined && { short }) }]
    }),
  )
  try {
    return parseArgs({ args: fillOptional(specs, words), options, allowPositionals: true, strict: true })
  } catch (error) {
    throw refusal(name, describe(error as Error, Object.keys(specs)))
  }
}

/** An option that needs no value and has none is given an empty one, which the parser takes for one. */
function fillOptional(specs: OptionSpecs, words: readonly string[]): string[] {
  const end = words.indexOf('--')
  const options = end < 0 ? words : words.slice(0, end)
  const filled = options.map((word, at) => {
    const bare = Object.entries(specs).find(([key, { short, optionalValue }]) => {
      return optionalValue === true && (word === `--${key}` || (short !== undefined && word === `-${short}`))
    })
    const next = options[at + 1]
    return bare !== undefined && (next === undefined || next.startsWith('-')) ? `--${bare[0]}=` : word
  })
  return [...filled, ...words.slice(options.length)]
}

function describe(error: Error, known: readonly string[]): string {
  const unknown = /^Unknown option '(--?([^']*))'/.exec(error.message)
  if (unknown === null) return error.message.split('. ')[0]!
  const near = unknown[1]!.startsWith('--') ? nearest(unknown[2]!, known) : undefined
  return `There is no option ${preview(unknown[1]!, 60)}${near === undefined ? '' : `; did you mean --${near}?`}`
}

function checkChoice(name: string | undefined, specs: OptionSpecs, key: string, value: unknown): void {
  const choices = specs[key]?.choices
  if (choices === undefined) return
  for (const one of Array.isArray(value) ? value : [value]) {
    if (!choices.includes(one)) throw refusal(name, `--${key} takes ${choices.join(', ')}; not ${JSON.stringify(one)}`)
  }
}

function checkCount(name: string, { positionals }: Command, given: readonly string[]): void {
  const required = positionals.filter((positional) => !positional.optional)
  const missing = required[given.length]
  if (missing !== undefined) throw refusal(name, `${missing.name} is missing: ${missing.help}`)
  const hasRest = positionals.at(-1)?.rest === true
  if (!hasRest && given.length > positionals.length) {
    throw refusal(name, `${JSON.stringify(given[positionals.length])} is one word too many`)
  }
  for (const [i, { name: word, choices }] of positionals.entries()) {
    const one = given[i]
    if (choices === undefined || one === undefined || choices.includes(one)) continue
    throw refusal(name, `${word} is one of ${choices.join(', ')}; not ${JSON.stringify(one)}`)
  }
}

function refusal(name: string | undefined, what: string): TreelineError {
  const help = name === undefined ? 'treeline --help' : `treeline ${name} --help`
  return new TreelineError('bad_request', `${what}${what.endsWith('?') ? '' : '.'} \`${help}\` shows how it is used.`)
}
