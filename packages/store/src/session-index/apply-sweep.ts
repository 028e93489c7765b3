import { TreelineError } from '@treeline/core'
import { sqliteCodeOf } from '../sqlite.ts'
import type { FileStat } from '../storage/storage.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { findFile } from './file-row.ts'
import { type IndexDatabase, isBroken } from './index-database.ts'
import { indexFile } from './index-file.ts'
import type { Pace } from './pace.ts'
import { removeFile, writeProblem } from './remove-file.ts'
import type { RefreshProgress, RefreshReport } from './session-index.ts'
import type { SessionSource } from './session-source.ts'
import type { Sources } from './sources.ts'
import type { Change, Problem, Sweep } from './sweep.ts'

export interface ApplyOptions {
  readonly db: IndexDatabase
  readonly sources: Sources
  readonly pace: Pace
  readonly onProgress: (progress: RefreshProgress) => void
}

/** A file that is written to all the time is looked at again this often, and then with the next refresh. */
const MAX_LOOKS = 3

/** Indexes file after file. One that cannot be read keeps none of the others out (I7). */
export async function applySweep(sweep: Sweep, options: ApplyOptions): Promise<RefreshReport> {
  const { db, sources, pace } = options
  const problems: Problem[] = [...sweep.problems]
  const progress = new Progress(sweep, options.onProgress)
  for (const fileId of sweep.gone) {
    await removeFile(db, fileId, pace)
    await pace.step()
  }
  let removed = sweep.gone.length
  let indexed = 0
  for (const change of sweep.changes) {
    const source = sources.get(change.source)!
    const outcome = await bringIn(source, change, options, progress)
    if (outcome === 'gone') removed++
    else if (outcome === 'indexed') indexed++
    else problems.push({ path: change.path, problem: outcome.problem })
    progress.finishFile(change)
    await pace.step()
  }
  return { indexed, removed, problems: distinct(problems) }
}

type Outcome = 'indexed' | 'gone' | { readonly problem: string }

async function bringIn(
  source: SessionSource,
  { path }: Change,
  { db, pace }: ApplyOptions,
  progress: Progress,
): Promise<Outcome> {
  let stat: FileStat | undefined
  try {
    for (let look = 1; ; look++) {
      stat = source.stat(path)
      await indexFile({ db, source, path, stat, pace, onBytes: (bytes) => progress.addBytes(bytes) })
      if (look === MAX_LOOKS || isEqual(stat, source.stat(path))) return 'indexed'
    }
  } catch (error) {
    pace.signal.throwIfAborted()
    if (sqliteCodeOf(error) !== undefined || isBroken(error)) throw error
    if (isMissing(error)) {
      const known = findFile(db, path)
      if (known !== undefined) await removeFile(db, known.fileId, pace)
      return 'gone'
    }
    const problem = storageError(error, 'The session cannot be read', path).message
    await writeProblem(db, { path, source: source.name, stat, problem }, pace)
    return { problem }
  }
}

function isMissing(error: unknown): boolean {
  return errnoOf(error) === 'ENOENT' || (error instanceof TreelineError && error.code === 'session_not_found')
}

function isEqual(a: FileStat, b: FileStat): boolean {
  return a.identity === b.identity && a.size === b.size && a.mtimeMs === b.mtimeMs
}

/** A file may be told of by the sweep and by its reading. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [problem.path, problem])).values()]
}

class Progress {
  private readonly tell: (progress: RefreshProgress) => void
  private readonly filesTotal: number
  private readonly bytesTotal: number
  private filesDone = 0
  private bytesBefore = 0
  private bytesOfFile = 0
  private toldBytes = 0

  constructor({ changes }: Sweep, tell: (progress: RefreshProgress) => void) {
    this.tell = tell
    this.filesTotal = changes.length
    this.bytesTotal = changes.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  addBytes(bytes: number): void {
    this.bytesOfFile += bytes
    if (this.bytesBefore + this.bytesOfFile - this.toldBytes >= TELL_BYTES) this.report()
  }

  finishFile({ bytes }: Change): void {
    this.filesDone++
    this.bytesBefore += bytes
    this.bytesOfFile = 0
    this.report()
  }

  private report(): void {
    const { filesDone, filesTotal, bytesTotal } = this
    this.toldBytes = this.bytesBefore + this.bytesOfFile
    this.tell({ filesDone, filesTotal, bytesDone: Math.min(this.toldBytes, bytesTotal), bytesTotal })
  }
}

const TELL_BYTES = 1024 * 1024
