import { commonOptions } from './args/command.ts'
import { findCommand } from './args/find-command.ts'
import { catalogue } from './catalogue.ts'
import { commandHelp, overview } from './help.ts'
import type { Output } from './output/output.ts'

/** The page of a command, or the overview of all. */
export async function showHelp(out: Output, name: string | undefined): Promise<number> {
  if (name === undefined) {
    const commands = Object.entries(catalogue).map(([known, { group, summary }]) => ({ name: known, group, summary }))
    out.json({ commands })
    for (const line of overview(out.columns)) out.print(line)
    return 0
  }
  const listed = findCommand(name)
  const { command } = await listed.load()
  const { positionals, options, details, examples, json } = command
  const { group, summary } = listed
  out.json({ name, group, summary, details, positionals, options: { ...options, ...commonOptions }, examples, json })
  for (const line of commandHelp(name, listed, command, out.columns)) out.print(line)
  return 0
}
