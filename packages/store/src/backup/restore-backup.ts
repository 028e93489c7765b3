import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import { appendAudit } from '../house/audit.ts'
import { idInName } from '../log-files.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { renameSession } from './copied-header.ts'
import { copyBytes, openSource, UnreadSource } from './copy-bytes.ts'
import { eachOf } from './each-of.ts'
import { countNewPrompts, mergeHistory } from './merge-history.ts'
import { copySuffix, type PlannedStep, planRestore, type RestoreAction, type RestoreStep } from './plan-restore.ts'
import { type BackupFinding, isLog, type OpenBackup, openBackup, verifyOpened } from './verify-backup.ts'

export interface RestoreBackupOptions {
  /** Says what would happen and changes nothing. */
  readonly dryRun?: boolean | undefined
  /**
   * What to do with a session that the home has too, with other lines. Neither touches the home's own: `skip` leaves the
   * one in the backup there, `copy` makes it a session of its own beside the other.
   */
  readonly onConflict?: 'skip' | 'copy' | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined
}

export interface RestoreReport {
  readonly isDryRun: boolean
  /** One for every file of the backup. */
  readonly steps: readonly RestoreStep[]
  readonly counts: Readonly<Record<RestoreAction, number>>
  readonly promptsAdded: number
  /** What is wrong with the backup. Files that are not as the manifest says are not restored; all others are (I7). */
  readonly findings: readonly BackupFinding[]
}

/**
 * Brings back what the home lacks and overwrites nothing in it: a session that went on since the backup stays as it is.
 * A kill in the middle leaves whole files only; a second run does the rest.
 */
export async function restoreBackup(
  folder: string,
  home: Home,
  options: RestoreBackupOptions = {},
): Promise<RestoreReport> {
  const { dryRun: isDryRun = false, onConflict = 'skip', signal, onProgress } = options
  const backup = await openBackup(folder, home.storage)
  const report = await verifyOpened(backup, { signal })
  try {
    const steps = await planRestore(backup, home, report, onConflict)
    const { promptsAdded, done } = isDryRun
      ? await foresee(backup, home, steps)
      : await carryOut(backup, home, steps, { signal, onProgress })
    const shown = done.map(({ file: _file, ...step }) => step)
    return { isDryRun, steps: shown, counts: countActions(shown), promptsAdded, findings: report.findings }
  } catch (error) {
    if (signal?.aborted && error === signal.reason) throw error
    throw storageError(error, 'The backup could not be restored in full', backup.folder)
  }
}

type Run = Pick<RestoreBackupOptions, 'signal' | 'onProgress'>

async function carryOut(backup: OpenBackup, home: Home, steps: readonly PlannedStep[], { signal, onProgress }: Run) {
  const done = [...steps]
  let count = 0
  let promptsAdded = 0
  const perform = async (at: number): Promise<void> => {
    signal?.throwIfAborted()
    const step = steps[at]!
    try {
      if (step.action === 'merge') promptsAdded = await mergeHistory(backup, home, step.file)
      else done[at] = await performStep(backup, home, step, signal)
    } catch (error) {
      done[at] = passOver(step, error)
    }
    onProgress?.({ done: ++count, total: steps.length })
  }
  const isFirst = (at: number) => !isLog(steps[at]!.path)
  const numbers = [...steps.keys()]
  await eachOf(numbers.filter(isFirst), perform)
  // Logs when everything they refer to is in its place.
  await eachOf(
    numbers.filter((at) => !isFirst(at)),
    perform,
  )
  await audit(backup, home, done, promptsAdded)
  return { done, promptsAdded }
}

/** Errors that are about one place: something in the way. All others would come again with the next file. */
const IN_THE_WAY: ReadonlySet<string | undefined> = new Set([
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'EEXIST',
  'ENOTEMPTY',
  'ENAMETOOLONG',
  'EACCES',
])

/** One file that cannot be read or placed hides no other (I7). */
function passOver(step: PlannedStep, error: unknown): PlannedStep {
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof UnreadSource) return { ...step, action: 'damaged', reason }
  const isHistory = step.action === 'merge' && error instanceof TreelineError && error.code !== 'storage_full'
  if (isHistory || IN_THE_WAY.has(errnoOf(error))) return { ...step, action: 'conflict', reason }
  throw error
}

async function audit(
  { folder }: OpenBackup,
  home: Home,
  steps: readonly PlannedStep[],
  promptsAdded: number,
): Promise<void> {
  const written = steps.filter(({ action }) => WRITING.has(action))
  if (written.length === 0 && promptsAdded === 0) return
  const bytes = written.reduce((sum, { size }) => sum + size, 0)
  const event = { action: 'restore', paths: [folder], count: written.length, bytes } as const
  await appendAudit(home, { ...event, reason: 'from a backup' })
}

const WRITING: ReadonlySet<RestoreAction> = new Set(['restore', 'copy'])

async function performStep(
  backup: OpenBackup,
  home: Home,
  step: PlannedStep,
  signal: AbortSignal | undefined,
): Promise<PlannedStep> {
  const target = join(home.paths.home, step.target)
  // Its line may be about to be restored: it counts as new, so that nobody takes it for unused.
  if (step.action === 'present' && step.path.startsWith('blobs/')) await home.storage.touch(target)
  if (!WRITING.has(step.action)) return step
  const isPlaced = await writeFile(backup, home, step, target, signal)
  return isPlaced
    ? step
    : { ...step, action: 'conflict', reason: 'something else came to be there meanwhile, and stays' }
}

/** False when something is in its place by now. The name never shows half a file. */
async function writeFile(
  { folder }: OpenBackup,
  { storage, locks }: Home,
  { file, action }: PlannedStep,
  target: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const path = join(folder, file.path)
  const temp = `${target}.${randomBytes(6).toString('hex')}.tmp`
  storage.ensureDirSync(dirname(target))
  const source = openSource(storage, path)
  try {
    const instead = action === 'copy' ? await renameSession(source, (id) => id + copySuffix(file)) : undefined
    const { sha256 } = await copyBytes(storage, { file: source, path, end: file.size }, temp, { signal, instead })
    if (instead === undefined && sha256 !== file.sha256) {
      throw new UnreadSource(path, new Error('it has changed since it was verified'))
    }
    // A blob has one content, whoever writes it, and a damaged one is to be replaced.
    if (file.path.startsWith('blobs/')) storage.renameSync(temp, target)
    // Under the lock: of two who make the same session one is told.
    else if (!(await locks.run(idInName(target), () => renameUnlessThere(storage, temp, target)))) {
      await storage.unlink(temp)
      return false
    }
    return true
  } catch (error) {
    // What failed first is what the caller hears; a temp file that cannot be removed either does no harm.
    await storage.unlink(temp).catch(() => {})
    throw error
  } finally {
    source.closeSync()
  }
}

function renameUnlessThere(storage: Home['storage'], from: string, to: string): boolean {
  if (storage.existsSync(to)) return false
  storage.renameSync(from, to)
  return true
}

async function foresee(backup: OpenBackup, home: Home, steps: readonly PlannedStep[]) {
  const at = steps.findIndex(({ action }) => action === 'merge')
  if (at < 0) return { done: steps, promptsAdded: 0 }
  try {
    return { done: steps, promptsAdded: await countNewPrompts(backup, home, steps[at]!.file) }
  } catch (error) {
    return { done: steps.with(at, passOver(steps[at]!, error)), promptsAdded: 0 }
  }
}

function countActions(steps: readonly RestoreStep[]): Record<RestoreAction, number> {
  const counts = { restore: 0, copy: 0, merge: 0, present: 0, newer: 0, conflict: 0, outdated: 0, damaged: 0 }
  for (const { action } of steps) counts[action]++
  return counts
}
