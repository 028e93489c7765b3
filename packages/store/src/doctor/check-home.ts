import { dirname } from 'node:path'
import { blobRef } from '../blobs/blob-ref.ts'
import type { Home } from '../home.ts'
import { columnsKey } from '../log/columns-key.ts'
import { idInName, listLogs } from '../log-files.ts'
import { storageError } from '../storage-error.ts'
import { checkDatabases } from './check-databases.ts'
import { checkLog, type LogDiagnosis, type Verdict } from './check-log.ts'
import { isTempName, judgeMode, modeOf, TEMP_AGE_MS, walkModes } from './file-mode.ts'
import { type Finding, Findings } from './finding.ts'
import { finishScrub } from './scrub/finish-scrub.ts'

/** As those who read it: more is no `item.json` of ours. */
const MAX_ITEM_BYTES = 64 * 1024

export interface HomeCheckOptions {
  /** Also hashes every blob and looks through every page of the history. */
  readonly deep?: boolean | undefined
  readonly onProgress?: ((logsDone: number, logsTotal: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface HomeDiagnosis {
  readonly verdict: Exclude<Verdict, 'unreadable'>
  readonly logCount: number
  /** Those that are not sound. */
  readonly logs: readonly LogDiagnosis[]
  /** What is not about one log. */
  readonly findings: readonly Finding[]
  readonly unlisted: number
}

/**
 * Looks at everything under a home: each log as `checkLog` does, one after the other, and none hides another (I7); modes,
 * links, leftovers, blobs, databases, trash. Changes nothing, but for a scrub that was interrupted: that is finished.
 */
export async function checkHome(home: Home, options: HomeCheckOptions = {}): Promise<HomeDiagnosis> {
  const findings = new Findings()
  await addScrubs(home, findings)
  const { logs, paths, ids } = await checkLogs(home, findings, options)
  const told = new Set(logs.flatMap((log) => log.findings.map(({ code, path }) => `${code} ${path}`)))
  addModes(home, findings, told)
  addStray(home, findings, paths, ids)
  await addTrash(home, findings)
  if (options.deep) await addBlobs(home, findings, options.signal)
  checkDatabases(home, findings, options.deep ?? false)
  const isDamaged = findings.worst === 'damage' || logs.some(({ verdict }) => verdict !== 'notes')
  const isNoted = findings.worst === 'note' || logs.length > 0
  const { list, unlisted } = findings
  const verdict = isDamaged ? 'damaged' : isNoted ? 'notes' : 'sound'
  return { verdict, logCount: paths.length, logs, findings: list, unlisted }
}

async function addScrubs(home: Home, findings: Findings): Promise<void> {
  try {
    const { finished, unreadable } = await finishScrub(home)
    if (finished > 0) findings.add('scrub_finished', { detail: `${finished}` })
    for (const path of unreadable) findings.add('scrub_unfinished', { path, detail: 'This is no journal of a scrub.' })
  } catch (error) {
    const detail = storageError(error, 'The scrub could not be finished', home.paths.scrub).message
    findings.add('scrub_unfinished', { path: home.paths.scrub, detail })
  }
}

interface CheckedLogs {
  readonly logs: readonly LogDiagnosis[]
  readonly paths: readonly string[]
  readonly ids: ReadonlySet<string>
}

async function checkLogs(home: Home, findings: Findings, options: HomeCheckOptions): Promise<CheckedLogs> {
  const unread = (path: string, error: unknown) => addUnread(findings, path, error)
  const paths: string[] = []
  try {
    paths.push(...listLogs(home, unread))
  } catch (error) {
    unread(home.paths.sessions, error)
  }
  const ids = new Set<string>()
  const logs: LogDiagnosis[] = []
  for (const [index, path] of paths.entries()) {
    const diagnosis = await checkLog(home, path, { signal: options.signal })
    ids.add(idInName(path)).add(diagnosis.sessionId ?? '')
    if (diagnosis.verdict !== 'sound') logs.push(diagnosis)
    options.onProgress?.(index + 1, paths.length)
  }
  return { logs, paths, ids }
}

function addUnread(findings: Findings, path: string, error: unknown): void {
  findings.add('cannot_read', { path, detail: storageError(error, 'It cannot be read', path).message })
}

/** A folder that cannot be listed is told of, and hides no other (I7). */
function listUnlessUnread(
  dir: string,
  findings: Findings,
  list: (dir: string) => readonly string[],
): readonly string[] {
  try {
    return list(dir)
  } catch (error) {
    addUnread(findings, dir, error)
    return []
  }
}

/** K5, and what unfinished writes left. `told` is what the diagnosis of a log says already. */
function addModes({ paths }: Home, findings: Findings, told: ReadonlySet<string>): void {
  const own = modeOf(paths.home)
  const below = walkModes(paths.home, (dir, error) => addUnread(findings, dir, error))
  for (const node of own === undefined ? [] : [own, ...below]) {
    const { path, kind, mode, mtimeMs } = node
    const codes = judgeMode(node)
    if (kind === 'file' && isTempName(path) && Date.now() - mtimeMs > TEMP_AGE_MS) codes.push('old_temp_file')
    for (const code of codes) {
      if (told.has(`${code} ${path}`)) continue
      findings.add(code, { path, ...(code === 'open_mode' && { detail: `mode ${mode.toString(8)}` }) })
    }
  }
}

/** Columns and partial answers of sessions that are not here. Columns of other tools' logs are named by a hash. */
function addStray(home: Home, findings: Findings, logs: readonly string[], ids: ReadonlySet<string>): void {
  for (const path of listUnlessUnread(home.paths.index, findings, () => findStrayColumns(home, logs))) {
    findings.add('stray_columns', { path })
  }
  const partial = dirname(home.paths.partialDir('any'))
  const found = listUnlessUnread(partial, findings, (dir) => home.storage.listDirsSync(dir))
  for (const id of found) if (!ids.has(id)) findings.add('stray_partial', { id })
}

export function findStrayColumns({ storage, paths }: Home, logs: Iterable<string>): string[] {
  const used = new Set<string>()
  for (const path of logs) used.add(paths.columnsFile(columnsKey(paths, path)))
  return storage
    .listFilesSync(paths.index, '*.cols')
    .filter((path) => !used.has(path) && !/^at-[0-9a-f]{32}\.cols$/.test(path.slice(paths.index.length + 1)))
}

async function addTrash({ storage, paths }: Home, findings: Findings): Promise<void> {
  for (const name of listUnlessUnread(paths.trash, findings, (dir) => storage.listDirsSync(dir))) {
    const path = `${paths.trash}/${name}`
    try {
      const item: unknown = JSON.parse(await storage.readTextPrefix(`${path}/item.json`, MAX_ITEM_BYTES))
      if (typeof item !== 'object' || item === null) findings.add('bad_trash_item', { path })
    } catch (error) {
      findings.add('bad_trash_item', { path, detail: error instanceof Error ? error.message : String(error) })
    }
  }
}

async function addBlobs(home: Home, findings: Findings, signal?: AbortSignal): Promise<void> {
  const { storage, paths, blobs } = home
  for (const path of listUnlessUnread(paths.blobs, findings, (dir) => storage.listFilesSync(dir, '*'))) {
    signal?.throwIfAborted()
    const hash = path.slice(paths.blobs.length + 1)
    if (!/^[a-f0-9]{64}$/.test(hash)) continue
    try {
      await blobs.read(blobRef(hash))
    } catch (error) {
      findings.add('blob_damaged', { path, id: hash, detail: error instanceof Error ? error.message : String(error) })
    }
  }
}
