import { TreelineError } from '@treeline/core'
import { type Command, commonOptions, type OptionValues } from './args/command.ts'
import { findCommand } from './args/find-command.ts'
import { parseCall, parseOptions } from './args/parse-call.ts'
import { splitWords } from './args/split-words.ts'
import type { Input } from './asking.ts'
import { createContext } from './context.ts'
import { createOutput, type Output } from './output/output.ts'
import { safeJson } from './output/safe-json.ts'
import type { Screen } from './output/screen.ts'
import { VERSION } from './version.ts'

export interface Io {
  /** Opened when first asked for. */
  readonly stdin: () => Input
  readonly stdout: Screen
  readonly stderr: Screen
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly signal: AbortSignal
}

/** Runs one command line. Resolves with the exit code of the error table; never rejects. */
export async function run(words: readonly string[], io: Io): Promise<number> {
  // Known before the words are parsed, because a mistake in them is told in the form asked for.
  const isJson = words.includes('--json')
  const out = createOutput({ ...io, isJson, colour: colourOf(words) })
  try {
    return await runCommand(words, out, io)
  } catch (error) {
    return await tell(error, out, io)
  }
}

async function runCommand(words: readonly string[], out: Output, io: Io): Promise<number> {
  const { command: given, rest } = splitWords(words)
  const name = given ?? (isAlone(words, out, io) ? 'chat' : undefined)
  if (name === undefined) return runWithoutCommand(rest, out)
  const { command } = await findCommand(name).load()
  const call = parseCall(name, command, rest)
  if (call.options.help) return showHelp(out, name)
  const homeDir = typeof call.options.home === 'string' ? call.options.home : io.env.TREELINE_HOME || undefined
  await using context = createContext({ ...io, out, homeDir })
  return (
    (await command.run({ args: call.args, options: call.options as OptionValues<Command['options']>, context })) ?? 0
  )
}

/** `treeline` and no more, at a terminal: somebody wants to talk. */
function isAlone(words: readonly string[], { isTty }: Output, { stdin }: Io): boolean {
  return words.length === 0 && isTty && stdin().isTTY === true
}

async function runWithoutCommand(words: readonly string[], out: Output): Promise<number> {
  const { options } = parseOptions({ ...commonOptions, version: { type: 'boolean', short: 'V', help: '' } }, words)
  if (!options.version) return showHelp(out, undefined)
  out.print(VERSION)
  out.json({ version: VERSION })
  return 0
}

async function tell(error: unknown, out: Output, { stderr, signal }: Io): Promise<number> {
  if (signal.aborted || isAbort(error)) {
    out.note('Stopped.')
    return 130
  }
  const known = error instanceof TreelineError ? error : undefined
  const message = known?.message ?? `Something went wrong that should not have: ${(error as Error)?.stack ?? error}`
  if (out.isJson) {
    const details = known?.details ?? {}
    stderr.write(`${safeJson({ error: { code: known?.code ?? 'internal', message, ...details } })}\n`)
  } else if (stderr.isTTY) {
    const { wrapMessage } = await import('./output/wrap-message.ts')
    for (const line of wrapMessage(`treeline: ${message}`, stderr.columns || out.columns)) out.note(line)
  } else out.note(`treeline: ${message}`)
  return known?.exitCode ?? 1
}

/** Loaded when it is asked for: every other call can do without. */
async function showHelp(out: Output, name: string | undefined): Promise<number> {
  return (await import('./show-help.ts')).showHelp(out, name)
}

/** Ctrl+C at a question is no signal: the terminal hands it over as a key. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function colourOf(words: readonly string[]): boolean | undefined {
  const at = words.findIndex((word) => word === '--color' || word.startsWith('--color='))
  const value = at < 0 ? undefined : words[at] === '--color' ? words[at + 1] : words[at]!.slice('--color='.length)
  return value === 'always' ? true : value === 'never' ? false : undefined
}
