import { checkHome, checkLog, type Finding, type LogDiagnosis } from '@treeline/store'
import { isDamage, reportOfLog } from '../../doctor/file-report.ts'
import { bytesText, numberText } from '../../output/amount.ts'
import { entriesText, sessionsText } from '../../output/counted-words.ts'
import { t } from '../../output/language.ts'
import { shellWord } from '../../output/shell-word.ts'
import { shortId } from '../../output/short-id.ts'
import type { ChatActions } from '../chat-actions.ts'
import { isKept } from './is-kept.ts'
import type { SlashCommand } from './slash-command.ts'

/** The rest is for `treeline doctor`. */
const MAX_TOLD = 5

/** As `treeline doctor`, in short: this session first, which is quick, then all of the home. Changes nothing. */
export const doctorCommand: SlashCommand = {
  name: 'doctor',
  help: () => t('check this session and all others for damage'),
  async run(actions) {
    await checkSession(actions)
    actions.show(t('Checking all sessions … Esc stops.'))
    await checkAll(actions)
  },
}

async function checkSession(actions: ChatActions): Promise<void> {
  const { context, session, signal } = actions
  if (!isKept(session)) return actions.show(t('This chat keeps nothing (--no-session), so it has no file to check.'))
  const log = await checkLog(await context.home(), session.path, { signal })
  const { ok, entries } = reportOfLog(log)
  const values = { entries: entriesText(entries), size: bytesText(log.sizeBytes) }
  const told = findingLines(log.findings)
  if (ok) {
    const what = t('This session is sound: {entries} can be read, {size}.', values)
    return actions.show([what, ...told].join('\n'))
  }
  const what = t('This session is damaged: {entries} can be read, {size}.', values)
  actions.warn([what, ...told, repairLine(log)].join('\n'))
}

async function checkAll(actions: ChatActions): Promise<void> {
  const { context, signal } = actions
  const home = await context.home()
  const { logs, findings, logCount } = await checkHome(home, { signal })
  const damaged = logs.filter((log) => !reportOfLog(log).ok)
  const noted = logs.length - damaged.length
  const values = { sessions: sessionsText(logCount), home: home.paths.home }
  const told = [
    ...damaged.slice(0, MAX_TOLD).map((log) => `  ${repairLine(log)}`),
    ...(noted > 0 ? [`  ${t('With notes: {sessions}.', { sessions: sessionsText(noted) })}`] : []),
    ...findingLines(findings),
  ]
  const rest = told.length > 0 ? [t('All of it: `treeline doctor`.')] : []
  if (damaged.length === 0 && !findings.some(isDamage)) {
    return actions.show([t('Sound: {sessions} in {home}.', values), ...told, ...rest].join('\n'))
  }
  actions.warn([t('Damaged: {sessions} in {home}.', values), ...told, ...rest].join('\n'))
}

function repairLine({ path, sessionId }: LogDiagnosis): string {
  const id = sessionId === undefined ? shellWord(path) : shortId(sessionId)
  return t('`treeline repair {id}` writes a sound copy and keeps the original.', { id })
}

/** Damage first; each kind once. What is merely worth knowing is for `treeline doctor`. */
function findingLines(findings: readonly Finding[]): readonly string[] {
  const told = findings.filter(({ severity }) => severity !== 'info')
  const kinds = [...Map.groupBy(told, ({ code }) => code).values()]
  const lines = kinds
    .sort(([a], [b]) => Number(isDamage(b!)) - Number(isDamage(a!)))
    .slice(0, MAX_TOLD)
    .map((same) => `  ${same.length > 1 ? `${numberText(same.length)} x ` : ''}${same[0]!.message}`)
  return lines
}
