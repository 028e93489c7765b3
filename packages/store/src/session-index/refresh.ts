import { TreelineError } from '@treeline/core'
import type { HomePaths } from '../paths.ts'
import { applySweep } from './apply-sweep.ts'
import { type IndexDatabase, indexError, isBroken, isBusy, openForWriting, removeIndex } from './index-database.ts'
import { withIndexLock } from './index-lock.ts'
import { noteSweep } from './last-sweep.ts'
import type { Pace } from './pace.ts'
import { removePage } from './save-page.ts'
import type { RefreshProgress, RefreshReport } from './session-index.ts'
import type { Sources } from './sources.ts'
import { type Sweep, sweepFiles } from './sweep.ts'

/** Set once every file there was has been looked at. */
export const BUILT = 'built'

export interface RefreshOptions {
  readonly paths: HomePaths
  readonly sources: Sources
  readonly pace: Pace
  readonly onProgress: (progress: RefreshProgress) => void
  /** Told when files are about to be looked at, and then what is to be done. */
  readonly onBegin: () => void
  readonly onSweep: (sweep: Sweep) => void
  /** Does the work elsewhere; without, or when it says `undefined`, it is done here. */
  readonly elsewhere?: ((sweep: Sweep) => Promise<RefreshReport> | undefined) | undefined
}

const MAX_TRIES = 3
const BUSY_PAUSE_MS = 50

/**
 * One run, under the lock of the index: everything that is in the files when it begins is in the index when it ends. An
 * index that turns out to be broken, or is deleted meanwhile, is begun anew.
 */
export async function runRefresh(options: RefreshOptions): Promise<RefreshReport> {
  const { paths, pace } = options
  for (let tries = 1; ; tries++) {
    try {
      const report = await withIndexLock(paths, pace, () => refreshOnce(options))
      if (report !== undefined) return report
      if (tries === MAX_TRIES) throw removedError(paths.indexFile)
    } catch (error) {
      pace.signal.throwIfAborted()
      const isWorthATry = isBusy(error) || isBroken(error)
      if (!isWorthATry || tries === MAX_TRIES) throw indexError(error, paths.indexFile)
      await pace.pause(BUSY_PAUSE_MS)
    }
  }
}

/** Nothing when the index was taken away meanwhile. */
async function refreshOnce(options: RefreshOptions): Promise<RefreshReport | undefined> {
  const { paths, sources, pace, onProgress, onBegin, onSweep, elsewhere } = options
  removePage(paths)
  const db = openForWriting(paths.indexFile)
  try {
    onBegin()
    const startedMs = Date.now()
    const { files, ...sweep } = await sweepFiles(db, sources, pace)
    onSweep(sweep)
    const report = await (elsewhere?.(sweep) ?? applySweep(sweep, { db, sources, pace, onProgress }))
    finishRun(db)
    // What could not be read is told of each time.
    if (report.problems.length === 0) noteSweep(db, { paths, sources, files, startedMs })
    return db.isCurrent ? report : undefined
  } catch (error) {
    if (isBroken(error)) removeIndex(paths.indexFile)
    throw error
  } finally {
    db.close()
  }
}

function removedError(path: string): TreelineError {
  return new TreelineError('internal', `The index ${path} was removed while it was built, again and again. Try again.`)
}

/** What is in the journal goes to the database now and then by itself; the thread that people wait for does not wait for that. */
function finishRun(db: IndexDatabase): void {
  if (db.readMeta(BUILT) === undefined) db.writeMeta(BUILT, '1')
}
