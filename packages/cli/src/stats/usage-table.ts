import { numberText } from '../output/amount.ts'
import { t } from '../output/language.ts'
import { type Column, table } from '../output/table.ts'
import { costText, tokensText } from './figures.ts'
import type { Tally } from './tally.ts'

/** Rows of tokens and cost by something, which the first column names. */
export function* usageTable(
  title: string,
  rows: readonly (readonly [name: string, tally: Tally])[],
  width: number,
): Generator<string> {
  const right = (name: string, spare?: number): Column => ({
    title: name,
    align: 'right',
    ...(spare !== undefined && { spare }),
  })
  const columns: Column[] = [
    { title, flexible: true },
    right(t('answers'), 3),
    right(t('in'), 1),
    right(t('out'), 2),
    right(t('cache read'), 4),
    right(t('written'), 5),
    right(t('cost')),
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
  return t('{in} tokens in, {out} out, {read} read from cache, {written} written to it; {price}', {
    in: tokensText(inputTokens),
    out: tokensText(outputTokens),
    read: tokensText(cacheReadTokens),
    written: tokensText(cacheWriteTokens),
    price: cost === 0 ? t('no cost recorded') : costText(cost),
  })
}
