import type { PlannedRemoval } from '@treeline/store'
import { bytesText, counted } from '../output/amount.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'
import { table } from '../output/table.ts'
import type { GcPlan, GcReport } from './plan-gc.ts'
import type { Titles } from './space-report.ts'

const MAX_LISTED = 50

/** What could go, and why the rest stays. */
export function* planLines({ retention, blobs }: GcPlan, titles: Titles, width: number): Generator<string> {
  yield ''
  yield paint('title', 'What could go')
  if (retention !== undefined) {
    yield `${counted(retention.remove.length, 'session')}, ${bytesText(retention.sizeBytes)}`
    if (retention.remove.length > 0) yield* removalTable(retention.remove, titles, width)
    const kept = Object.entries(countKept(retention)).map(([why, count]) => `${count} ${why}`)
    if (kept.length > 0) yield paint('faint', `Stay: ${kept.join(', ')}`)
  } else yield paint('faint', 'Sessions: none, unless you say how old: --older-than 6m')
  yield `${counted(blobs.unused.length, 'unused blob')}, ${bytesText(blobs.sizeBytes)}`
  if (blobs.recentCount > 0) yield paint('faint', `${counted(blobs.recentCount, 'more', 'more')} too new to be sure`)
  if (blobs.damaged.length > 0)
    yield paint('warn', `${counted(blobs.damaged.length, 'unused blob')} damaged, and left alone`)
}

function removalTable(remove: readonly PlannedRemoval[], titles: Titles, width: number): Generator<string> {
  return table(
    [
      { title: 'id', style: 'id' },
      { title: 'last used' },
      { title: 'size', align: 'right', spare: 1 },
      { title: 'session', flexible: true },
    ],
    remove
      .slice(0, MAX_LISTED)
      .map((one) => [
        shortId(one.sessionId),
        one.lastActiveAt.slice(0, 10),
        bytesText(one.sizeBytes),
        titles.get(one.path) ?? '',
      ]),
    width,
  )
}

/** What became of the plan. */
export function* doneLines({ retention, blobs }: GcPlan, done: GcReport | undefined): Generator<string> {
  const planned = (retention?.remove.length ?? 0) + blobs.unused.length + blobs.wanted.length
  if (done === undefined) {
    yield planned === 0 ? 'Nothing has to go.' : 'Nothing was changed. `--apply` moves it to the trash.'
    return
  }
  const sessions = done.retention?.trashed.length ?? 0
  const moved = done.blobs.moved.length
  yield `${paint('good', 'In the trash')}: ${counted(sessions, 'session')}, ${counted(moved, 'blob')}. \`treeline restore\` lists it.`
  if (done.blobs.broughtBack.length > 0)
    yield `Brought back, being needed: ${counted(done.blobs.broughtBack.length, 'blob')}.`
}

function countKept({ keep }: NonNullable<GcPlan['retention']>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { why } of keep) counts[why] = (counts[why] ?? 0) + 1
  return counts
}

export function planJson({ retention, blobs }: GcPlan) {
  return {
    sessions: (retention?.remove ?? []).map(({ path, sessionId, lastActiveAt, sizeBytes }) => ({
      sessionId,
      path,
      lastActiveAt,
      sizeBytes,
    })),
    kept: retention === undefined ? {} : countKept(retention),
    unusedBlobs: blobs.unused.map(({ hash }) => hash),
    unusedBlobBytes: blobs.sizeBytes,
    recentBlobs: blobs.recentCount,
    damagedBlobs: blobs.damaged,
  }
}

export function doneJson({ retention, blobs }: GcReport) {
  return { trashed: retention?.trashed ?? [], skipped: retention?.skipped ?? [], blobs }
}
