import { counted, numberText } from '../output/amount.ts'
import type { Output } from '../output/output.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'
import { type Column, table } from '../output/table.ts'
import { messageLines } from '../output/wrap-message.ts'
import { costText, tokensText } from './figures.ts'
import type { BranchFigures, SessionFigures } from './measure-session.ts'
import { newestFirst } from './stats-json.ts'
import { type Tally, tokensOf } from './tally.ts'
import { totalText, usageTable } from './usage-table.ts'

const right = (title: string, spare: number): Column => ({ title, align: 'right', spare })
const COLUMNS: readonly Column[] = [
  { title: 'branch', flexible: true },
  right('nodes', 4),
  right('msgs', 3),
  right('calls', 5),
  right('in', 1),
  right('out', 2),
  right('cache', 6),
  { title: 'cost', align: 'right' },
  right('whole path', 7),
]

const MAX_ID = 12
/** Beside other tables. */
const FEW = 20

/** What one session amounts to: in all, by branch, model and day. */
export function showSessionStats(out: Output, figures: SessionFigures, by: string | undefined): void {
  const { totals, branches, models, days } = figures
  if (by === undefined) {
    const said = [counted(totals.messages, 'message'), counted(totals.toolCalls, 'tool call')]
    const ends = counted(branches.length, 'branch', 'branches')
    const all = [[...said, counted(totals.answers, 'answer'), ends].join(', '), totalText(totals)].join('\n')
    for (const line of messageLines(out, all)) out.print(line)
  }
  if (by === undefined || by === 'branch') {
    const rows = branchRows(figures)
    const shown = rows.slice(0, by === undefined ? FEW : undefined)
    const some = shown.length < rows.length ? ` ${shown.length} of ${rows.length}; all with --by branch` : ''
    section(out, by, 'Branches', `What branches share is counted for the first of them.${some}`)
    for (const line of table(COLUMNS, shown, out.columns)) out.print(line)
  }
  if (by === 'model' || (by === undefined && models.sums.size > 0)) {
    section(out, by, 'Models')
    const rows = models.byCost().map(([model, tally]) => [model ?? 'not said', tally] as const)
    for (const line of usageTable('model', rows, out.columns)) out.print(line)
  }
  if (by === 'day' || (by === undefined && days.sums.size > 1)) {
    section(out, by, 'Days')
    const rows = newestFirst(days).map(([day, tally]) => [day ?? 'unknown', tally] as const)
    for (const line of usageTable('day', rows, out.columns)) out.print(line)
  }
}

/** A heading, unless one table alone was asked for. */
export function section(out: Output, by: string | undefined, title: string, about = ''): void {
  if (by === undefined) out.print(`\n${paint('title', title)}${about === '' ? '' : `  ${paint('faint', about)}`}`)
}

function branchRows({ branches, elsewhere }: SessionFigures): string[][] {
  const rows = branches.map(({ branch, own, path }) => row(nameOf(branch), numberText(branch.length), own, path))
  const isElsewhere = elsewhere.messages > 0 || tokensOf(elsewhere) > 0 || elsewhere.cost > 0
  return isElsewhere ? [...rows, row('on no branch', '', elsewhere, undefined)] : rows
}

function row(name: string, nodes: string, own: Tally, path: Tally | undefined): string[] {
  return [
    name,
    nodes,
    numberText(own.messages),
    numberText(own.toolCalls),
    tokensText(own.inputTokens),
    tokensText(own.outputTokens),
    tokensText(own.cacheReadTokens + own.cacheWriteTokens),
    costText(own.cost),
    path === undefined ? '' : path.cost > 0 ? costText(path.cost) : tokensText(tokensOf(path)),
  ]
}

function nameOf({ leafId, label, isTrunk }: BranchFigures['branch']): string {
  // The end of a long one names it as well.
  const shown = leafId.length > MAX_ID ? shortId(leafId) : leafId
  return `${shown}${isTrunk ? ' (trunk)' : ''}${label === undefined ? '' : ` ${label}`}`
}
