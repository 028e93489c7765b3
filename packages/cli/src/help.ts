import { type Command, commonOptions, type OptionSpecs } from './args/command.ts'
import { catalogue, type Listed } from './catalogue.ts'
import { paint } from './output/style.ts'
import { wrap, wrapBeside } from './output/wrap.ts'

const DEFAULT_COLUMNS = 80
/** Longer lines are hard to read. */
const MAX_COLUMNS = 100
const TERM_COLUMNS = 25
const NAME_COLUMNS = 17

/** The overview that `treeline` and `treeline --help` show. */
export function* overview(columns: number = DEFAULT_COLUMNS): Generator<string> {
  yield `${paint('strong', 'treeline')}  Every conversation is a tree. Every prompt is a line through it.`
  yield ''
  yield `Usage: treeline ${paint('id', '<command>')} [options]`
  const groups = new Map<Listed['group'], [string, Listed][]>()
  for (const item of Object.entries(catalogue)) {
    const group = groups.get(item[1].group) ?? []
    groups.set(item[1].group, group)
    group.push(item)
  }
  for (const [group, items] of groups) {
    yield ''
    yield paint('title', group)
    for (const [name, { summary }] of items) {
      const [first = '', ...others] = wrapBeside(`  ${name}`, NAME_COLUMNS, summary, Math.min(columns, MAX_COLUMNS))
      yield first.replace(name, () => paint('id', name))
      yield* others
    }
  }
  yield ''
  yield 'A session is named by its path, its id, or the beginning or end of its id.'
  yield 'Start with: treeline ls --all    More: treeline <command> --help'
}

/** The page of one command, for a terminal of so many columns. */
export function* commandHelp(
  name: string,
  { summary }: Listed,
  command: Command,
  columns: number = DEFAULT_COLUMNS,
): Generator<string> {
  const width = Math.min(columns, MAX_COLUMNS)
  const [first = '', ...more] = wrap(`treeline ${name}: ${summary}`, width)
  yield* [first.replace(`treeline ${name}`, (title) => paint('strong', title)), ...more]
  yield ''
  yield `Usage: ${usageOf(name, command)}`
  if (command.details !== undefined) yield* ['', ...wrap(command.details, width)]
  if (command.positionals.length > 0) {
    yield ''
    for (const { name: word, help, choices } of command.positionals) {
      yield* describe(`  ${word}`, help, choices, width)
    }
  }
  yield ''
  yield paint('title', 'Options')
  yield* optionLines(command.options, width)
  yield* optionLines(commonOptions, width)
  yield ''
  yield paint('title', 'Examples')
  for (const [line, what] of command.examples) yield* [`  ${line}`, `      ${paint('faint', what)}`]
  yield ''
  yield paint('title', 'With --json')
  for (const line of wrap(command.json, width - 2)) yield `  ${line}`
}

/** A command line of it, as it is typed. */
export function usageOf(name: string, { positionals }: Command): string {
  const words = positionals.map(({ name: word, optional, rest }) => {
    const shown = rest ? `${word}…` : word
    return optional ? `[${shown}]` : shown
  })
  return ['treeline', name, ...words, '[options]'].join(' ')
}

function* optionLines(options: OptionSpecs, width: number): Generator<string> {
  for (const [name, { short, type, value = 'VALUE', optionalValue, help, choices }] of Object.entries(options)) {
    const given = type === 'boolean' ? '' : optionalValue ? ` [${value}]` : ` ${value}`
    const flag = `${short === undefined ? '    ' : `-${short}, `}--${name}${given}`
    yield* describe(`  ${flag}`, help, choices, width)
  }
}

function* describe(
  term: string,
  help: string,
  choices: readonly string[] | undefined,
  width: number,
): Generator<string> {
  const text = choices === undefined ? help : `${help} (${choices.join(', ')})`
  const [first = '', ...others] = wrapBeside(term, TERM_COLUMNS, text, width)
  yield first.replace(term, () => paint('id', term))
  yield* others
}
