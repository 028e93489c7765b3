import { checkHome, fixHome, type HomeDiagnosis, type HomeFixes } from '@treeline/store'
import type { Context } from '../context.ts'
import { counted } from '../output/amount.ts'
import { shellWord } from '../output/shell-word.ts'
import { paint } from '../output/style.ts'
import { wholeEnd } from '../output/whole-end.ts'
import { damagedRange, isDamage, reportOfLog, toWarning } from './file-report.ts'
import { showFindings } from './show-findings.ts'

/** What is damaged comes first; programs get all. */
const MAX_LOGS = 20

export interface HomeOptions {
  readonly deep?: boolean
  readonly fix?: boolean
  readonly yes?: boolean
}

/** Everything under Treeline's own home. Resolves with whether all of it can be read. */
export async function checkWholeHome(context: Context, options: HomeOptions): Promise<boolean> {
  const { out, signal } = context
  const home = await context.home()
  const fixes = options.fix ? await fix(context, options) : undefined
  const bar = context.progress('Checking')
  let diagnosis: HomeDiagnosis
  try {
    diagnosis = await checkHome(home, { deep: options.deep, signal, onProgress: bar.update })
  } finally {
    bar.end()
  }
  const isOk = !diagnosis.findings.some(isDamage) && diagnosis.logs.every((log) => reportOfLog(log).ok)
  out.json(homeJson(diagnosis, isOk, fixes))
  show(context, diagnosis, isOk, home.paths.home)
  return isOk
}

/** Says what it would do, asks, and does it. */
async function fix(context: Context, { yes = false }: HomeOptions): Promise<HomeFixes> {
  const { out } = context
  const home = await context.home()
  const planned = await fixHome(home, { dryRun: true })
  const { closed, removed } = planned
  if (closed.length + removed.length === 0) {
    out.print('There is nothing to fix.\n')
    return planned
  }
  for (const path of closed) out.print(`  close to others  ${path}`)
  for (const path of removed) out.print(`  remove           ${path}`)
  const question = `${counted(closed.length + removed.length, 'thing')} would be fixed. No entry is lost. Go on?`
  if (!yes && !(await context.confirm(question, '--yes'))) {
    out.print('Nothing was changed.\n')
    return { closed: [], removed: [], failed: planned.failed }
  }
  const done = await fixHome(home)
  out.print(`Fixed ${counted(done.closed.length + done.removed.length, 'thing')}.`)
  for (const { path, problem } of done.failed) out.note(`${path}: ${problem}`)
  out.print()
  return done
}

function homeJson({ logs, findings, logCount, unlisted }: HomeDiagnosis, ok: boolean, fixes: HomeFixes | undefined) {
  return {
    ok,
    sessions: logCount,
    logs: logs.map((log) => ({ path: log.path, sessionId: log.sessionId ?? null, ...reportOfLog(log) })),
    damage: findings.filter(isDamage).map((finding) => ({ ...damagedRange(finding), path: finding.path ?? null })),
    warnings: findings.filter((finding) => !isDamage(finding)).map(toWarning),
    unlisted,
    ...(fixes !== undefined && { fixes }),
  }
}

function show({ out }: Context, { logs, findings, logCount }: HomeDiagnosis, isOk: boolean, home: string): void {
  const hasNotes = logs.length > 0 || findings.some(({ severity }) => severity !== 'info')
  const verdict = isOk ? paint('good', hasNotes ? 'Sound, with notes:' : 'Sound:') : paint('bad', 'Damaged:')
  for (const line of wholeEnd(out, `${verdict} ${counted(logCount, 'session')} in`, home)) out.print(line)
  const byDamage = logs.toSorted((a, b) => Number(reportOfLog(a).ok) - Number(reportOfLog(b).ok))
  for (const log of byDamage.slice(0, MAX_LOGS)) {
    const { ok, entries } = reportOfLog(log)
    out.print()
    for (const line of wholeEnd(out, ok ? paint('warn', 'Notes:') : paint('bad', 'Damaged:'), log.path)) out.print(line)
    out.print(`  ${counted(entries, 'entry', 'entries')} can be read`)
    showFindings(out, log.findings)
    const repair = paint('id', `treeline repair ${shellWord(log.path)}`)
    if (!ok) for (const line of wholeEnd(out, '  What to do:', repair)) out.print(line)
  }
  if (logs.length > MAX_LOGS) {
    out.print()
    out.print(paint('faint', `and ${counted(logs.length - MAX_LOGS, 'more session')}; all with --json`))
  }
  if (findings.length > 0) {
    out.print()
    showFindings(out, findings)
  }
  if (logCount === 0) {
    const other = 'Sessions of other tools are checked one at a time:'
    for (const line of wholeEnd(out, other, paint('id', 'treeline doctor FILE'))) out.print(line)
  }
}
