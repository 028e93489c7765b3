import { TreelineError } from '@treeline/core'
import { sumOf } from './answers.ts'
import type { IndexDatabase } from './index-database.ts'
import { checkTime } from './list.ts'
import type { Usage, UsageOptions, UsageReport } from './session-index.ts'
import { number, SESSION_COLUMNS, textOr, toSession, toUsage } from './session-row.ts'
import type { Sources } from './sources.ts'

const USUAL_LIMIT = 50
const MAX_LIMIT = 10_000
const TOKENS = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'] as const
const SUMS = `count(*), ${TOKENS.map((name) => sumOf(`answers.${name}`)).join(', ')}, total(answers.cost)`
/** A day as the person who asks knows it. */
const DAY = "CASE WHEN time = 0 THEN NULL ELSE date(time / 1000, 'unixepoch', 'localtime') END"

export function readUsageReport(db: IndexDatabase, sources: Sources, options: UsageOptions): UsageReport {
  const limit = checkLimit(options.limit)
  const { where, values } = conditionsOf(sources, options)
  const groups = db.selectLists(
    `SELECT source, model, ${DAY} AS day, ${SUMS} FROM answers JOIN files USING (file_id) WHERE ${where}
     GROUP BY source, model, day ORDER BY source, model, day`,
    values,
  )
  const [count] = db.selectLists(
    `SELECT count(DISTINCT file_id) FROM answers JOIN files USING (file_id) WHERE ${where}`,
    values,
  )
  return {
    groups: groups.map((row) => ({
      source: textOr(row[0]) ?? '',
      model: textOr(row[1]),
      day: textOr(row[2]),
      ...usedAt(row, 3),
    })),
    sessions: readSessions(db, where, values, limit),
    sessionCount: number(count![0]),
  }
}

function readSessions(db: IndexDatabase, where: string, values: readonly (string | number)[], limit: number) {
  const rows = db.selectLists(
    `SELECT file_id, ${SUMS} FROM answers JOIN files USING (file_id) WHERE ${where} GROUP BY file_id
     ORDER BY total(answers.cost) DESC, total(answers.input_tokens) + total(answers.output_tokens) DESC, path LIMIT ?`,
    [...values, limit],
  )
  return rows.map((row) => {
    const [found] = db.selectLists(`SELECT ${SESSION_COLUMNS} FROM files WHERE file_id = ?`, [number(row[0])])
    return { session: toSession(found!), ...usedAt(row, 1) }
  })
}

function conditionsOf(
  sources: Sources,
  { cwd, source, since, until }: UsageOptions,
): { readonly where: string; readonly values: readonly (string | number)[] } {
  const names = source === undefined ? [...sources.keys()] : [source].filter((name) => sources.has(name))
  const conditions = ['is_own = 1', `source IN (${names.map(() => '?').join(', ')})`]
  const values: (string | number)[] = [...names]
  const add = (condition: string, value: string | number): void => {
    conditions.push(condition)
    values.push(value)
  }
  if (cwd !== undefined) add('cwd = ?', cwd)
  if (since !== undefined) add('time >= ?', checkTime('since', since))
  if (until !== undefined) add('time < ?', checkTime('until', until))
  return { where: conditions.join(' AND '), values }
}

function usedAt(row: readonly unknown[], at: number): { readonly answers: number; readonly usage: Usage } {
  return { answers: number(row[at]), usage: toUsage(row, at + 1) }
}

function checkLimit(limit = USUAL_LIMIT): number {
  if (Number.isInteger(limit) && limit > 0 && limit <= MAX_LIMIT) return limit
  throw new TreelineError('bad_request', `A report tells of 1 to ${MAX_LIMIT} sessions, not ${limit}.`)
}
