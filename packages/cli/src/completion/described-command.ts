import { commonOptions, type OptionSpec, type PositionalSpec } from '../args/command.ts'
import { catalogue } from '../catalogue.ts'

/** All that a shell has to know of a command. */
export interface DescribedCommand {
  readonly name: string
  readonly summary: string
  readonly options: readonly DescribedOption[]
  readonly positionals: readonly PositionalSpec[]
}

export interface DescribedOption extends OptionSpec {
  readonly name: string
  /** What its value is, where that is something a shell can complete. */
  readonly completes: 'choice' | 'folder' | 'file' | 'none' | undefined
}

/** Loads every command: only scripts for a shell need that. */
export async function describeCommands(): Promise<readonly DescribedCommand[]> {
  return Promise.all(
    Object.entries(catalogue).map(async ([name, { summary, load }]) => {
      const { command } = await load()
      const options = Object.entries({ ...command.options, ...commonOptions }).map(([option, spec]) => {
        return { name: option, ...(spec as OptionSpec), completes: completesOf(spec as OptionSpec) }
      })
      return { name, summary, options, positionals: command.positionals }
    }),
  )
}

function completesOf({ type, choices, value }: OptionSpec): DescribedOption['completes'] {
  if (type === 'boolean') return undefined
  if (choices !== undefined) return 'choice'
  return value === 'DIR' ? 'folder' : value === 'FILE' ? 'file' : 'none'
}
