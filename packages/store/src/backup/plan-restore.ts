import { basename, dirname, join, relative } from 'node:path'
import type { Home } from '../home.ts'
import { idInName, listLogs } from '../log-files.ts'
import { errnoOf } from '../storage-error.ts'
import { type BackupFile, HISTORY_NAME } from './backup-manifest.ts'
import { hashPrefix } from './copy-bytes.ts'
import { isLog, type OpenBackup, type VerifyReport } from './verify-backup.ts'

export type RestoreAction =
  /** Written to the home, where nothing is in its place. */
  | 'restore'
  /** Written beside a session that differs, as a session of its own with another id. */
  | 'copy'
  /** Prompts that the home does not have are added to its history. */
  | 'merge'
  /** The home has the same. */
  | 'present'
  /** The home has it and more. */
  | 'newer'
  /** The home has something else there, and keeps it. */
  | 'conflict'
  /** Left out because the session it belongs to went on since. */
  | 'outdated'
  /** Not as the manifest says: whatever it is, it is not what was backed up. */
  | 'damaged'

export interface RestoreStep {
  /** In the backup. */
  readonly path: string
  readonly action: RestoreAction
  /** In the home. */
  readonly target: string
  readonly size: number
  readonly reason: string
}

export interface PlannedStep extends RestoreStep {
  readonly file: BackupFile
}

/** What comes first when something is written: blobs before the lines that name them, and a log when all else is there. */
const ORDER = ['blobs', 'terminal-sessions', 'partial', 'trash', 'sessions']

/** What restoring would do, file by file. Changes nothing. */
export async function planRestore(
  backup: OpenBackup,
  home: Home,
  { findings }: VerifyReport,
  onConflict: 'skip' | 'copy',
): Promise<PlannedStep[]> {
  const unsound = new Map(findings.filter(({ type }) => UNUSABLE.has(type)).map(({ path, problem }) => [path, problem]))
  const existing = new Map([...listLogs(home, () => {})].map((path) => [idInName(path), path]))
  const files = backup.manifest.files.toSorted((a, b) => rankOf(a) - rankOf(b))
  const steps: PlannedStep[] = []
  for (const file of files) {
    const { path, size } = file
    const step = (action: RestoreAction, reason: string, target = path): PlannedStep => {
      return { path, action, target, size, reason, file }
    }
    const problem = unsound.get(path)
    if (problem !== undefined) steps.push(step('damaged', problem))
    else if (path === HISTORY_NAME) steps.push(step('merge', 'prompts that are not there are added'))
    else if (isLog(path)) steps.push(await planLog(home, file, existing.get(idInName(path)), onConflict, step))
    else steps.push(await planFile(home, file, step))
  }
  return leaveOutdatedPartials(steps)
}

const UNUSABLE: ReadonlySet<string> = new Set(['missing', 'changed', 'damaged_blob'])

type MakeStep = (action: RestoreAction, reason: string, target?: string) => PlannedStep

async function planFile(home: Home, file: BackupFile, step: MakeStep): Promise<PlannedStep> {
  const found = await compare(home, file, join(home.paths.home, file.path))
  switch (found) {
    case 'absent':
      return step('restore', 'it is not there')
    case 'same':
      return step('present', 'the same is there')
    case 'longer':
      return step('newer', 'what is there begins the same and goes on')
    case 'different':
      // A blob is what its name says: one that is not is of no use to anyone.
      if (file.path.startsWith('blobs/')) return step('restore', 'the one that is there is damaged')
      return step('conflict', 'something else is there and stays')
  }
}

async function planLog(
  home: Home,
  file: BackupFile,
  known: string | undefined,
  onConflict: 'skip' | 'copy',
  step: MakeStep,
): Promise<PlannedStep> {
  const own = join(home.paths.home, file.path)
  // The session may have been moved to another folder or renamed since.
  const path = home.storage.existsSync(own) || known === undefined ? own : known
  const target = relative(home.paths.home, path)
  const found = await compare(home, file, path)
  if (found === 'absent') return step('restore', 'there is no such session')
  if (found === 'same') return step('present', 'the same session is there', target)
  if (found === 'longer') return step('newer', 'the session that is there went on from this', target)
  const original = await findOriginal(home, file, path)
  if (original !== undefined) {
    return step('newer', `the session that is there was made from this, which is kept as ${basename(original)}`, target)
  }
  const reason = 'a session of this id is there that does not begin with the same lines'
  if (onConflict === 'skip') return step('conflict', `${reason}; it stays as it is`, target)
  const copy = join(dirname(file.path), copyName(file))
  if (home.storage.existsSync(join(home.paths.home, copy))) return step('present', `${reason}; a copy is there`, copy)
  return step('copy', `${reason}; this becomes one of its own beside it`, copy)
}

type Comparison = 'absent' | 'same' | 'longer' | 'different'

async function compare({ storage }: Home, file: BackupFile, path: string): Promise<Comparison> {
  let size: number
  try {
    size = storage.statSync(path).size
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 'absent'
    throw error
  }
  if (size < file.size) return 'different'
  try {
    const { sha256 } = await hashPrefix(storage, path, file.size)
    if (sha256 !== file.sha256) return 'different'
  } catch {
    // A folder, a link, or one that cannot be read: not this file, in any case, and it stays.
    return 'different'
  }
  if (size === file.size) return 'same'
  return file.path.startsWith('blobs/') ? 'different' : 'longer'
}

/** Migration and repair rewrite a log and keep what it was beside it. */
async function findOriginal(home: Home, file: BackupFile, path: string): Promise<string | undefined> {
  const beside = home.storage.listFilesSync(dirname(path), '*').filter((name) => name.startsWith(`${path}.`))
  for (const name of beside) if ((await compare(home, file, name)) === 'same') return name
  return undefined
}

/** The same at every try, so that a second run finds what the first one made. */
export function copySuffix({ sha256 }: BackupFile): string {
  return `-restored-${sha256.slice(0, 8)}`
}

function copyName(file: BackupFile): string {
  return `${basename(file.path, '.jsonl')}${copySuffix(file)}.jsonl`
}

/** The text of an answer that was under way belongs to the log as it was then. */
function leaveOutdatedPartials(steps: PlannedStep[]): PlannedStep[] {
  const current = new Set<string>()
  for (const { path, action } of steps) {
    if (isLog(path) && (action === 'restore' || action === 'present')) current.add(idInName(path))
  }
  return steps.map((step) => {
    const [top, sessionId = ''] = step.path.split('/')
    if (top !== 'partial' || step.action !== 'restore' || current.has(sessionId)) return step
    return { ...step, action: 'outdated', reason: 'its session went on since, or is not there' }
  })
}

function rankOf({ path }: BackupFile): number {
  const rank = ORDER.indexOf(path.split('/', 1)[0]!)
  return rank < 0 ? ORDER.length : rank
}
