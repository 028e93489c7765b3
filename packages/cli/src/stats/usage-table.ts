import { numberText } from '../output/amount.ts'
import { type Column, table } from '../output/table.ts'
import { costText, tokensText } from './figures.ts'
import type { Tally } from './tally.ts'

/** Rows of tokens and cost by something, which the first column names. */
export function* usageTable(
  title: string,
  rows: readonly (readonly [name: string, tally: Tally])[],
  width: number,
): Generator<string> {
  const right = (name: string): Column => ({ title: name, align: 'right' })
  const columns: Column[] = [
    { title, flexible: true },
    right('answers'),
    right('in'),
    right('out'),
    right('cache read'),
    right('written'),
    right('cost'),
  ]
  const cells = rows.map(([name, tally]) => [
    name,
    numberText(tally.answers),
    tokensText(tally.inputTokens),
    tokensText(tally.outputTokens),
    tokensText(tally.cacheReadTokens),
    tokensText(tally.cacheWriteTokens),
    costText(tally.cost),
  ])
  yield* table(columns, cells, width)
}

/** All of it in one line. */
export function totalText(tally: Tally): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cost } = tally
  const cache = `${tokensText(cacheReadTokens)} read from cache, ${tokensText(cacheWriteTokens)} written to it`
  const price = cost === 0 ? 'no cost recorded' : costText(cost)
  return `${tokensText(inputTokens)} tokens in, ${tokensText(outputTokens)} out, ${cache}; ${price}`
}
