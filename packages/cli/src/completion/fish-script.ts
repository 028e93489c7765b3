import type { DescribedCommand, DescribedOption } from './described-command.ts'

export function fishScript(commands: readonly DescribedCommand[]): string {
  const lines = [
    '# Completion of treeline for fish. Once:  treeline completion fish > ~/.config/fish/completions/treeline.fish',
    'complete -c treeline -f',
    'complete -c treeline -n __fish_use_subcommand -l help -d "show help"',
    'complete -c treeline -n __fish_use_subcommand -l version -d "show the version"',
    ...commands.map(
      ({ name, summary }) => `complete -c treeline -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ),
    ...commands.flatMap(commandLines),
  ]
  return `${lines.join('\n')}\n`
}

function commandLines({ name, options, positionals }: DescribedCommand): string[] {
  const start = `complete -c treeline -n '__fish_seen_subcommand_from ${name}'`
  const lines = options.map((option) => `${start} ${optionWords(option)}`)
  for (const { completes, choices } of positionals) {
    if (choices !== undefined) lines.push(`${start} -a ${quote(choices.join(' '))}`)
    else if (completes === 'session') lines.push(`${start} -F -a '(treeline completion sessions 2>/dev/null)'`)
    else if (completes === 'file') lines.push(`${start} -F`)
  }
  return [...new Set(lines)]
}

function optionWords({ name, short, help, type, completes, choices = [] }: DescribedOption): string {
  const words = [`-l ${name}`]
  if (short !== undefined) words.push(`-s ${short}`)
  if (type === 'string') words.push('-r')
  if (completes === 'choice') words.push(`-f -a ${quote(choices.join(' '))}`)
  else if (completes === 'folder') words.push("-f -a '(__fish_complete_directories)'")
  else if (completes === 'file') words.push('-F')
  return [...words, `-d ${quote(help)}`].join(' ')
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
