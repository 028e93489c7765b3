import type { ModelListing } from '@treeline/agent/models'
import { type Column, table } from '../output/table.ts'
import { tokensText } from '../stats/figures.ts'

const COLUMNS: readonly Column[] = [
  { title: 'model', style: 'id' },
  { title: 'context', align: 'right', spare: 3 },
  { title: '$/M in/out', align: 'right', spare: 2 },
  { title: 'thinking', spare: 4 },
  { title: 'key or place', style: 'faint', flexible: true, spare: 1 },
]

export function modelTable(
  models: readonly ModelListing[],
  defaultRef: string | undefined,
  width: number,
): Generator<string> {
  const rows = models.map(({ ref, info, where, isUsable }) => [
    `${ref}${ref === defaultRef ? ' (default)' : ''}`,
    tokensText(info.contextWindow),
    priceText(info.prices),
    thinkingText(info.thinking),
    `${isUsable ? '' : '✗ '}${where}`,
  ])
  return table(COLUMNS, rows, width)
}

function priceText(prices: ModelListing['info']['prices']): string {
  if (prices === undefined) return '?'
  return prices.input === 0 && prices.output === 0 ? 'free' : `${prices.input} / ${prices.output}`
}

/** The lowest and the highest level; whether it can be left off is the lowest. */
function thinkingText(levels: readonly string[]): string {
  const [first = '', last = ''] = [levels[0], levels.at(-1)]
  if (first === last) return first === 'off' ? '-' : first
  return `${first}–${last}`
}
