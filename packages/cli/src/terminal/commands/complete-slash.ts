import { slashCommands } from './slash-commands.ts'

/** What the editor could hold instead: commands that begin so, or one with what may follow it. Empty where nothing fits. */
export function completeSlash(text: string): readonly string[] {
  const [, name, rest] = /^\/(\S*)(?:\s+(\S*))?$/.exec(text) ?? []
  if (name === undefined) return []
  if (rest === undefined) {
    return slashCommands
      .filter((command) => command.name.startsWith(name.toLowerCase()))
      .map((found) => `/${found.name}`)
  }
  const names = slashCommands.map((command) => command.name)
  const choices = name === 'help' ? names : (slashCommands.find((command) => command.name === name)?.choices ?? [])
  const begun = rest.toLowerCase()
  return choices.filter((choice) => choice.toLowerCase().startsWith(begun)).map((choice) => `/${name} ${choice}`)
}
