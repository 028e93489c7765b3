import type { PositionalSpec } from '../args/command.ts'
import type { DescribedCommand, DescribedOption } from './described-command.ts'

export function zshScript(commands: readonly DescribedCommand[]): string {
  const described = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary.replaceAll(':', '\\:')}`)}`)
  return `#compdef treeline
# Completion of treeline for zsh. In ~/.zshrc, after compinit:  eval "$(treeline completion zsh)"
_treeline_sessions() {
  local -a found
  found=(\${(f)"$(treeline completion sessions 2>/dev/null | sed -e 's/:/\\\\:/g' -e $'s/\\t/:/')"})
  _describe 'session' found
  _files
}
_treeline() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(commandCase).join('\n')}
  esac
}
compdef _treeline treeline
`
}

function commandCase({ name, options, positionals }: DescribedCommand): string {
  const specs = [...options.flatMap(optionSpecs), ...positionals.map(positionalSpec)]
  return `    ${name}) _arguments ${specs.map((spec) => `\\\n      ${quote(spec)}`).join(' ')} ;;`
}

function optionSpecs(option: DescribedOption): string[] {
  const { name, short, help, multiple } = option
  const text = `[${describe(help)}]${valueSpec(option)}`
  const names = short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`]
  return names.map((spelling) => {
    const sign = option.type === 'string' && spelling.startsWith('--') ? '=' : ''
    return `${multiple ? '*' : ''}${spelling}${sign}${text}`
  })
}

function valueSpec({ type, completes, choices = [], value = 'value' }: DescribedOption): string {
  if (type === 'boolean') return ''
  const action = { choice: `(${choices.join(' ')})`, folder: '_files -/', file: '_files', none: ' ' }[
    completes ?? 'none'
  ]
  return `:${value}:${action}`
}

function positionalSpec({ name, completes = 'none', optional, rest, choices }: PositionalSpec): string {
  const action =
    choices === undefined
      ? { session: '_treeline_sessions', file: '_files', none: ' ' }[completes]
      : `(${choices.join(' ')})`
  return `${rest ? '*' : ''}${optional && !rest ? ':' : ''}:${name}:${action}`
}

/** Within the brackets of a spec. */
function describe(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
