import type { SessionFigures } from './measure-session.ts'
import type { Tally, TallyBy } from './tally.ts'

/** Of answers: how many, their tokens, their cost. */
export function usedJson({ answers, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cost }: Tally) {
  return { answers, usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }, cost }
}

/** Also what was said, where that was counted. */
function countedJson(tally: Tally) {
  const { messages, toolCalls } = tally
  return { messages, toolCalls, ...usedJson(tally) }
}

export function modelsJson(models: TallyBy<string | undefined>) {
  return models.byCost().map(([model, tally]) => ({ model: model ?? null, ...usedJson(tally) }))
}

export function sessionStatsJson({ totals, branches, elsewhere, models, days }: SessionFigures) {
  return {
    totals: countedJson(totals),
    branches: branches.map(({ branch, own, path }) => ({
      leafId: branch.leafId,
      label: branch.label ?? null,
      trunk: branch.isTrunk,
      nodes: branch.length,
      ...countedJson(own),
      path: countedJson(path),
    })),
    elsewhere: countedJson(elsewhere),
    models: modelsJson(models),
    days: newestFirst(days).map(([day, tally]) => ({ day: day ?? null, ...countedJson(tally) })),
  }
}

/** Days that nobody knows come last. */
export function newestFirst(
  days: TallyBy<string | undefined>,
): readonly (readonly [day: string | undefined, tally: Tally])[] {
  return [...days.sums].sort(([a = ''], [b = '']) => (a < b ? 1 : a > b ? -1 : 0))
}
