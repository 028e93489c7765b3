import { preview } from '@treeline/core'
import { paint } from '../output/style.ts'

/** Options that leave things out, as they were given. */
type Given = Readonly<Record<string, unknown>>

const NARROWING = ['role', 'called', 'error', 'path', 'cwd', 'tool', 'session', 'since', 'until', 'muted'] as const

/** What to say when nothing was found: what was asked for, and what to try. */
export function noHits(query: string, options: Given): readonly string[] {
  if (options.after !== undefined) return ['There are no more.']
  const given = NARROWING.filter((name) => options[name] !== undefined).map((name) => `--${name}`)
  const lines = [
    `Nothing says ${JSON.stringify(preview(query, 60))}${given.length > 0 ? ` with ${given.join(', ')}` : ''}.`,
  ]
  if (/\s/.test(query)) lines.push('All words have to be in the same node. Try fewer of them, or one that is rarer.')
  if (given.length > 0) lines.push('Every option leaves something out. Try without some of them.')
  lines.push(`Which sessions there are: ${paint('id', 'treeline ls --all')}`)
  return lines
}
