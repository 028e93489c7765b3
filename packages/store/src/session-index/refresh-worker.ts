import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { openHome } from '../home.ts'
import { applySweep } from './apply-sweep.ts'
import { indexError, isBroken, isBusy, openExistingForWriting } from './index-database.ts'
import { Pace } from './pace.ts'
import type { FromWorker, WorkerOrder } from './run-in-worker.ts'
import { loadSources } from './sources.ts'

const NICE = 10

/**
 * Indexes in a thread of its own, with its own files and connection. Whoever started it holds the lock and has swept. It
 * ends when it is told to stop, and by itself when it is through.
 */
async function work({ home: folder, modules, sweep }: WorkerOrder): Promise<void> {
  const stop = new AbortController()
  parentPort!.on('message', () => stop.abort())
  // On Linux this is the thread's alone. Elsewhere it would be that of the whole process.
  if (process.platform === 'linux') setPriority(0, NICE)
  const home = openHome({ home: folder })
  const { indexFile } = home.paths
  try {
    const db = openExistingForWriting(indexFile)
    if (db === undefined) return tell({ type: 'failed', why: 'broken', message: 'The index is gone' })
    try {
      const report = await applySweep(sweep, {
        db,
        sources: await loadSources(home, modules),
        pace: new Pace(stop.signal),
        onProgress: (progress) => tell({ type: 'progress', progress }),
      })
      // Waits for nobody: what readers still need stays in the journal.
      db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
      tell({ type: 'done', report })
    } finally {
      db.close()
    }
  } catch (error) {
    const why = isBroken(error) ? 'broken' : isBusy(error) ? 'busy' : 'other'
    const { code, message } = indexError(error, indexFile)
    tell({ type: 'failed', why, code, message })
  } finally {
    home.locks.close()
    parentPort!.close()
  }
}

function tell(message: FromWorker): void {
  parentPort!.postMessage(message)
}

await work(workerData as WorkerOrder)
