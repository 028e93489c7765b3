import { TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import type { IndexedSession, SessionIndex } from '../session-index/session-index.ts'
import { allSessions } from './all-sessions.ts'
import { daysAgo } from './days-ago.ts'
import { type InspectedLog, inspectLog } from './inspect-log.ts'
import type { Work } from './progress.ts'
import { type TrashedSession, trashSession } from './trash.ts'

export interface RetentionOptions extends Work {
  /** Sessions without any event for so many days go. By what their lines say, not by the time of the file (X72). */
  readonly olderThanDays: number
  /** So many of the latest sessions of every project stay, however old. */
  readonly keepLast?: number | undefined
  /** Only sessions of this project. */
  readonly cwd?: string | undefined
}

/**
 * `pinned`, `open`, `recent`, `latest`: of the last of its project, `generating`: with an answer that was never finished,
 * `unknown`: it cannot be read, or does not say when it was used last.
 */
export type KeepReason = 'pinned' | 'open' | 'recent' | 'latest' | 'generating' | 'unknown'

export interface PlannedRemoval extends Pick<InspectedLog, 'identity' | 'sizeBytes'> {
  readonly path: string
  readonly sessionId: string
  readonly lastActiveAt: string
}

/** What would go, and why everything else stays. Nothing was touched: it is the dry run. */
export interface RetentionPlan {
  readonly remove: readonly PlannedRemoval[]
  readonly keep: readonly { readonly path: string; readonly sessionId: string | undefined; readonly why: KeepReason }[]
  readonly sizeBytes: number
}

export interface RetentionReport {
  readonly trashed: readonly TrashedSession[]
  /** Opened, changed or gone since the plan was made, or not to be moved. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[]
}

/**
 * A session with forks that stay goes like any other: a fork holds everything it was made of. What is planned is decided on
 * the logs themselves; the index only says which to look at.
 */
export async function planRetention(
  home: Home,
  index: SessionIndex,
  { olderThanDays, keepLast = 0, cwd, signal, onProgress }: RetentionOptions,
): Promise<RetentionPlan> {
  const latest = daysAgo(olderThanDays)
  if (!Number.isInteger(keepLast) || keepLast < 0) {
    throw new TreelineError('validation_failed', `${keepLast} is not a number of sessions to keep: use 0, 1, 2 …`)
  }
  const sessions: IndexedSession[] = []
  for await (const session of allSessions(index, { cwd, signal })) sessions.push(session)
  const open = home.presence.openLogs()
  const seen = new Map<string | undefined, number>()
  const remove: PlannedRemoval[] = []
  const keep: { path: string; sessionId: string | undefined; why: KeepReason }[] = []
  for (const [done, session] of sessions.entries()) {
    signal?.throwIfAborted()
    onProgress?.({ done, total: sessions.length })
    const { path, id: sessionId } = session
    const rank = seen.get(session.cwd) ?? 0
    seen.set(session.cwd, rank + 1)
    const why = judge(session, latest, rank < keepLast) ?? (open.has(path) ? 'open' : undefined)
    const judged = why ?? (await judgeLog(home, session))
    if (typeof judged === 'string') keep.push({ path, sessionId, why: judged })
    else remove.push(judged)
  }
  onProgress?.({ done: sessions.length, total: sessions.length })
  return { remove, keep, sizeBytes: remove.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
}

/** Moves to the trash exactly what the plan says, as far as it is still as it was then. */
export async function applyRetention(
  home: Home,
  plan: Pick<RetentionPlan, 'remove'>,
  { signal, onProgress }: Work = {},
): Promise<RetentionReport> {
  const trashed: TrashedSession[] = []
  const skipped: { path: string; why: string }[] = []
  const total = plan.remove.length
  for (const [done, planned] of plan.remove.entries()) {
    signal?.throwIfAborted()
    onProgress?.({ done, total })
    try {
      trashed.push(await trashSession(home, planned.path, { reason: 'retention', expected: planned }))
    } catch (error) {
      skipped.push({ path: planned.path, why: error instanceof Error ? error.message : String(error) })
    }
  }
  onProgress?.({ done: total, total })
  return { trashed, skipped }
}

/** By what the index knows; `undefined` when that is no reason to keep it. */
function judge(session: IndexedSession, latest: number, isLatest: boolean): KeepReason | undefined {
  if (session.isPinned) return 'pinned'
  const lastActive = Date.parse(session.lastActiveAt ?? '')
  if (session.problem !== undefined || session.id === undefined || Number.isNaN(lastActive)) return 'unknown'
  if (lastActive > latest) return 'recent'
  return isLatest ? 'latest' : undefined
}

async function judgeLog(home: Home, session: IndexedSession): Promise<KeepReason | PlannedRemoval> {
  const { path, id: sessionId, lastActiveAt } = session
  let log: InspectedLog
  try {
    log = await inspectLog(home, path)
  } catch {
    // Gone, or not to be read: whatever it is, it stays.
    return 'unknown'
  }
  if (log.isPinned) return 'pinned'
  if (log.isGenerating) return 'generating'
  // It has grown since the index looked at it.
  if (log.sizeBytes !== session.sizeBytes) return 'recent'
  const { identity, sizeBytes } = log
  return { path, sessionId: sessionId ?? '', lastActiveAt: lastActiveAt ?? '', identity, sizeBytes }
}
