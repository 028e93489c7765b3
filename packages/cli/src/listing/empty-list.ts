import { existsSync } from 'node:fs'
import type { ListOptions, SessionIndex } from '@treeline/store'
import type { Context } from '../context.ts'
import { counted } from '../output/amount.ts'
import { paint } from '../output/style.ts'
import { type LookedAt, placesLookedAt } from './known-tools.ts'

/** What to say when there is nothing to list: what was looked for, where, and what to try. */
export async function emptyList(
  context: Context,
  index: SessionIndex,
  { cwd, source, match, since, until, after }: ListOptions,
): Promise<readonly string[]> {
  if (after !== undefined) return ['There are no more.']
  const where = cwd === undefined ? '' : ` of ${cwd}`
  const isFiltered = source !== undefined || match !== undefined || since !== undefined || until !== undefined
  const { sessions: known } = await index.totals()
  if (known > 0) {
    const head = isFiltered ? `No session${where} fits.` : `There is no session${where} yet.`
    const all =
      cwd === undefined ? 'treeline ls --all' : `treeline ls --all${isFiltered ? ' with the same options' : ''}`
    return [
      head,
      `${counted(known, 'session is', 'sessions are')} known in all. Try ${paint('id', all)}`,
      `To find words anywhere in what was said: ${paint('id', 'treeline search WORDS')}`,
    ]
  }
  const places = await placesLookedAt(context)
  return [
    'No sessions were found on this machine. These places were looked at:',
    ...places.map(placeLine),
    '',
    `Sessions somewhere else? Look at one by its path: ${paint('id', 'treeline tree FILE')}`,
    `or take them in: ${paint('id', 'treeline import FILE…')}`,
  ]
}

function placeLine({ tool, folder }: LookedAt): string {
  return `  ${tool.padEnd(12)} ${folder}${existsSync(folder) ? '' : paint('faint', '  (not there)')}`
}
