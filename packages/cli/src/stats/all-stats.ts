import type { UsageReport } from '@treeline/store'
import { sessionJson } from '../listing/session-json.ts'
import type { NameOf } from '../listing/session-names.ts'
import { titleOf } from '../listing/session-table.ts'
import { counted, numberText } from '../output/amount.ts'
import type { Output } from '../output/output.ts'
import { messageLines } from '../output/wrap-message.ts'
import { section } from './show-session-stats.ts'
import { modelsJson, newestFirst, usedJson } from './stats-json.ts'
import { addTally, emptyTally, type Tally, TallyBy, usageTally } from './tally.ts'
import { totalText, usageTable } from './usage-table.ts'

export interface AllFigures {
  readonly totals: Tally
  readonly models: TallyBy<string | undefined>
  readonly days: TallyBy<string | undefined>
  readonly tools: TallyBy<string>
  readonly report: UsageReport
}

/** The sums of many sessions, from what the index knows. */
export function sumUp(report: UsageReport): AllFigures {
  const totals = emptyTally()
  const models = new TallyBy<string | undefined>()
  const days = new TallyBy<string | undefined>()
  const tools = new TallyBy<string>()
  for (const { source, model, day, answers, usage } of report.groups) {
    const tally = usageTally(answers, usage)
    addTally(totals, tally)
    models.add(model, tally)
    days.add(day, tally)
    tools.add(source, tally)
  }
  return { totals, models, days, tools, report }
}

export function allStatsJson({ totals, models, days, tools, report }: AllFigures) {
  return {
    totals: { sessions: report.sessionCount, ...usedJson(totals) },
    models: modelsJson(models),
    days: newestFirst(days).map(([day, tally]) => ({ day: day ?? null, ...usedJson(tally) })),
    tools: tools.byCost().map(([tool, tally]) => ({ tool, ...usedJson(tally) })),
    sessions: report.sessions.map(({ session, answers, usage }) => {
      const { id, tool, path, cwd, name, firstPrompt, lastActiveAt } = sessionJson(session)
      return { id, tool, path, cwd, name, firstPrompt, lastActiveAt, ...usedJson(usageTally(answers, usage)) }
    }),
  }
}

/** Of days and sessions, how many are shown beside other tables. */
const FEW = 10

export function showAllStats(out: Output, figures: AllFigures, by: string | undefined, nameOf: NameOf): void {
  const { totals, models, days, tools, report } = figures
  const few = by === undefined ? FEW : undefined
  if (by === undefined) {
    out.print(`${counted(report.sessionCount, 'session')}, ${counted(totals.answers, 'answer')}`)
    for (const line of messageLines(out, totalText(totals))) out.print(line)
  }
  const show = (name: string, title: string, rows: readonly (readonly [string, Tally])[], all = rows.length): void => {
    if (by !== undefined && by !== name) return
    const shown = rows.slice(0, few)
    const about = shown.length < all ? `${shown.length} of ${numberText(all)}; more with --by ${name}` : ''
    section(out, by, title, about)
    for (const line of usageTable(name, shown, out.columns)) out.print(line)
  }
  show('tool', 'Tools', tools.byCost())
  show('model', 'Models', named(models.byCost(), 'not said'))
  show('day', 'Days, newest first', named(newestFirst(days), 'unknown'))
  const sessions = report.sessions.map(({ session, answers, usage }) => {
    return [`${nameOf(session.id)}  ${titleOf(session)}`, usageTally(answers, usage)] as const
  })
  show('session', 'Sessions that cost most', sessions, report.sessionCount)
  if (by === 'session' && sessions.length < report.sessionCount) {
    out.print(`\n${sessions.length} of ${counted(report.sessionCount, 'session')}; more with --limit N`)
  }
}

function named(
  rows: readonly (readonly [string | undefined, Tally])[],
  unknown: string,
): readonly (readonly [string, Tally])[] {
  return rows.map(([name, tally]) => [name ?? unknown, tally] as const)
}
