import { chmodSync, lstatSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import type { HomePaths } from '../paths.ts'
import { MAX_PAGE_BYTES, type PageHead } from './find-page.ts'
import { type IndexDatabase, indexError } from './index-database.ts'
import { tryWithIndexLock } from './index-lock.ts'
import { describeLook } from './last-sweep.ts'
import type { Sources } from './sources.ts'

interface NewPage {
  readonly paths: HomePaths
  readonly db: IndexDatabase
  readonly sources: Sources
  /** Of the index, before the page was made from it. */
  readonly version: number
  readonly key: string
  readonly page: Uint8Array
}

/**
 * Under the index's lock, and only if nobody has written to the index since the page was made. Whoever writes to it removes
 * the page before, under the lock too: so one that is there says what the index says.
 */
export function savePage({ paths, db, sources, version, key, page }: NewPage): void {
  try {
    tryWithIndexLock(paths, () => {
      if (db.dataVersion !== version || !db.isCurrent) return
      const look = describeLook(db, sources)
      if (look === undefined) return
      const head: PageHead = { key, identity: db.identity, look }
      write(paths.savedPage, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), page]))
    })
  } catch {
    // A full disk, a folder that cannot be written: the next list asks the index, as this one did.
  }
}

/** Only under the index's lock, and before anything is written to the index. */
export function removePage({ savedPage, indexFile }: HomePaths): void {
  try {
    remove(savedPage)
    remove(unfinished(savedPage))
  } catch (error) {
    throw indexError(error, indexFile)
  }
}

/** Not synced: what a power cut takes is made again, and what it leaves of the halves does not agree. */
function write(path: string, half: Buffer): void {
  if (half.length > MAX_PAGE_BYTES) return
  const temp = unfinished(path)
  remove(temp)
  writeFileSync(temp, Buffer.concat([half, half]), { flag: 'wx', mode: 0o600 })
  chmodSync(temp, 0o600)
  renameSync(temp, path)
}

/** `rmSync` takes ten times as long. A folder is not ours, and nobody takes it for a page. */
function remove(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isDirectory()) unlinkSync(path)
}

/** One name is enough: who has the lock writes alone. */
function unfinished(path: string): string {
  return `${path}.tmp`
}
