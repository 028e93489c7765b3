import { randomUUID } from 'node:crypto'
import { TreelineError } from '@treeline/core'
import type { Home } from '../../home.ts'
import { appendAudit } from '../../house/audit.ts'
import { storageError } from '../../storage-error.ts'
import { completeScrub, finishScrub } from './finish-scrub.ts'
import { PreparedScrub } from './prepare-scrub.ts'
import { removeFromHistory } from './scrub-history.ts'
import { journalFile, writeJournal } from './scrub-journal.ts'
import { cannotScrub, type KnownSecret, planScrub, type ScrubPlan, secretOf } from './scrub-plan.ts'

export interface ApplyScrubOptions {
  /** Has to be `true`: what a scrub removes is gone, and no original is kept. */
  readonly confirm: boolean
  readonly signal?: AbortSignal | undefined
}

export interface ScrubReport {
  /** Files that were written anew or removed. */
  readonly files: number
  readonly prompts: number
  readonly sessionIds: readonly string[]
  /** What was found when looking again afterwards: nothing but what cannot be reached. */
  readonly left: ScrubPlan
}

/** Somebody may say it again while it is being removed. */
const MAX_ROUNDS = 3

/**
 * Removes a secret for good: from logs, blobs, kept originals, partial answers, trash, saved columns, index and history.
 * The one exception to "the original is kept" and "entries are immutable". Interrupted at any moment, it has changed
 * nothing but the history, or is finished by the next one who looks (`finishScrub`).
 */
export async function applyScrub(home: Home, plan: ScrubPlan, options: ApplyScrubOptions): Promise<ScrubReport> {
  const known = secretOf(plan)
  if (options.confirm !== true) {
    throw new TreelineError('bad_request', 'A scrub cannot be taken back and keeps no original: say `confirm: true`.')
  }
  if (plan.refusals.length > 0) throw cannotScrub(plan.refusals)
  await finishScrub(home)
  const sessionIds = new Set<string>()
  let files = 0
  let prompts = 0
  let left = plan
  // What came meanwhile and cannot be scrubbed is in the report.
  for (let round = 1; round <= MAX_ROUNDS && (round === 1 || (!left.isEmpty && left.refusals.length === 0)); round++) {
    const done = await scrubOnce(home, known, left.historyCount, options.signal)
    files += done.files
    prompts += done.prompts
    for (const id of done.sessionIds) sessionIds.add(id)
    left = await planScrub(home, known.secret, { force: true, signal: options.signal })
  }
  return { files, prompts, sessionIds: [...sessionIds], left }
}

async function scrubOnce(
  home: Home,
  { secret, pattern }: KnownSecret,
  promptCount: number,
  signal?: AbortSignal,
): Promise<Omit<ScrubReport, 'left'>> {
  const prepared = new PreparedScrub(home, pattern)
  const { replacements, removals } = prepared
  const path = journalFile(home, randomUUID())
  try {
    await prepared.prepare(signal)
    const sessionIds = [...prepared.sessionIds]
    const files = replacements.length + removals.length
    await appendAudit(home, { action: 'scrub', sessionIds, count: files + promptCount })
    // Ahead of the journal: whoever finishes that has to do without knowing the secret.
    const prompts = await removeFromHistory(home, secret, pattern)
    const journal = { replacements, removals, sessionIds }
    await writeJournal(home, path, journal)
    await completeScrub(home, path, journal, prepared.edit)
    return { files, prompts, sessionIds }
  } catch (error) {
    // With a journal, what is prepared belongs to whoever finishes it.
    if (!home.storage.existsSync(path)) await prepared.discard()
    signal?.throwIfAborted()
    throw storageError(error, 'The scrub could not be done', home.paths.home)
  }
}
