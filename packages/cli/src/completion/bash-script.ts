import type { DescribedCommand, DescribedOption } from './described-command.ts'

/** What a word of a command line is completed with. Words in it are ours alone: letters, digits and dashes. */
export function bashScript(commands: readonly DescribedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  return `# Completion of treeline for bash. In ~/.bashrc:  eval "$(treeline completion bash)"
_treeline() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  local valued= options= place=1 i
  COMPREPLY=()
  # Bash splits --option=value at the sign.
  if [[ $cur == '=' ]]; then
    cur=
  elif [[ $prev == '=' ]] && (( COMP_CWORD > 2 )); then
    prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W '${names} --help --version' -- "$cur"))
    return
  fi
  case $command in
${commands.map(optionCase).join('\n')}
  esac
  case "$command $prev" in
${commands.flatMap(valueCases).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  for (( i = 2; i < COMP_CWORD; i++ )); do
    if [[ \${COMP_WORDS[i]} == -* ]]; then
      if [[ \${COMP_WORDS[i+1]} == '=' ]]; then
        (( i += 2 ))
      elif [[ " $valued " == *" \${COMP_WORDS[i]} "* ]]; then
        (( i++ ))
      fi
    else
      (( place++ ))
    fi
  done
  case "$command $place" in
${commands.flatMap(positionalCases).join('\n')}
  esac
}
_treeline_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY+=($(compgen "$1" -- "$2"))
}
_treeline_sessions() {
  COMPREPLY+=($(compgen -W "$(treeline completion sessions 2>/dev/null | cut -f 1)" -- "$1"))
}
complete -F _treeline treeline
`
}

function optionCase({ name, options }: DescribedCommand): string {
  const all = options.flatMap(spellings).join(' ')
  const valued = options
    .filter(({ type }) => type === 'string')
    .flatMap(spellings)
    .join(' ')
  return `    ${name}) options='${all}' valued='${valued}' ;;`
}

function valueCases({ name, options }: DescribedCommand): string[] {
  return options.flatMap((option) => {
    const work = valueWork(option)
    if (work === undefined) return []
    const patterns = spellings(option).map((spelling) => `'${name} ${spelling}'`)
    return [`    ${patterns.join('|')}) ${work}return ;;`]
  })
}

function valueWork({ completes, choices = [] }: DescribedOption): string | undefined {
  switch (completes) {
    case 'choice':
      return `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur")); `
    case 'folder':
      return '_treeline_files -d "$cur"; '
    case 'file':
      return '_treeline_files -f "$cur"; '
    case 'none':
      return ''
    case undefined:
      return undefined
  }
}

function positionalCases({ name, positionals }: DescribedCommand): string[] {
  return positionals.flatMap(({ completes = 'none', rest, choices }, i) => {
    const pattern = rest ? `'${name} '*` : `'${name} ${i + 1}'`
    if (choices !== undefined) return [`    ${pattern}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur")) ;;`]
    if (completes === 'none') return []
    const sessions = completes === 'session' ? '_treeline_sessions "$cur"; ' : ''
    return [`    ${pattern}) ${sessions}_treeline_files -f "$cur" ;;`]
  })
}

function spellings({ name, short }: DescribedOption): string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`]
}
