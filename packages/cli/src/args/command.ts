import type { Context } from '../context.ts'

export interface OptionSpec {
  readonly type: 'boolean' | 'string'
  readonly short?: string
  /** May be given several times. */
  readonly multiple?: true
  /** What the value is called in the help, e.g. `DIR`. */
  readonly value?: string
  /** At the end, and before another option, it may do without: it is empty then. */
  readonly optionalValue?: true
  readonly help: string
  /** The values it takes, for help, completion and refusal of others. */
  readonly choices?: readonly string[]
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

type ValueOf<S extends OptionSpec> = S['type'] extends 'boolean'
  ? boolean
  : S['multiple'] extends true
    ? readonly string[]
    : string

export type OptionValues<O extends OptionSpecs> = { readonly [K in keyof O]?: ValueOf<O[K]> }

export interface PositionalSpec {
  readonly name: string
  readonly help: string
  readonly optional?: true
  /** Takes all that follow. */
  readonly rest?: true
  /** The words it takes, for completion and refusal of others. */
  readonly choices?: readonly string[]
  /** What completion offers. */
  readonly completes?: 'file' | 'session' | 'none'
}

export interface CommandOf<O extends OptionSpecs> {
  readonly positionals: readonly PositionalSpec[]
  readonly options: O
  /** What the one line in the catalogue has no room for. */
  readonly details?: string
  /** At least one. `[command line, what it does]`. */
  readonly examples: readonly (readonly [string, string])[]
  /** Says what `--json` prints. */
  readonly json: string
  /** Resolves with the exit code, 0 by default. */
  run(call: Call<O>): Promise<number | undefined>
}

export interface Call<O extends OptionSpecs> {
  readonly args: readonly string[]
  readonly options: OptionValues<O>
  readonly context: Context
}

export type Command = CommandOf<OptionSpecs>

/**
 * @example
 * export const command = defineCommand({ positionals: [], options: { all: { type: 'boolean', help: '…' } }, … })
 */
export function defineCommand<const O extends OptionSpecs>(command: CommandOf<O>): Command {
  return command as unknown as Command
}

/** Known to every command. */
export const commonOptions = {
  json: { type: 'boolean', help: 'print one JSON document instead of text' },
  home: { type: 'string', value: 'DIR', help: 'where Treeline keeps its sessions ($TREELINE_HOME, or ~/.treeline)' },
  color: { type: 'string', value: 'WHEN', choices: ['auto', 'always', 'never'], help: 'colours (also $NO_COLOR)' },
  help: { type: 'boolean', short: 'h', help: 'show this' },
} as const satisfies OptionSpecs
