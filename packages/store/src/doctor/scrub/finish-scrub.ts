import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Home } from '../../home.ts'
import { appendAudit } from '../../house/audit.ts'
import { findBlobReferences, listReferring } from '../../house/blob-references.ts'
import { discardIndex } from '../../session-index/discard-index.ts'
import { writeAll } from '../../storage/write-all.ts'
import { errnoOf, storageError } from '../../storage-error.ts'
import { type Replacement, readJournal, type ScrubJournal } from './scrub-journal.ts'
import { scrubSync } from './scrub-stream.ts'
import type { TextEdit } from './text-edit.ts'

export interface FinishedScrubs {
  readonly finished: number
  /** Files in the folder of scrubs that are no journals. */
  readonly unreadable: readonly string[]
}

/**
 * Finishes what a scrub had prepared when it was interrupted. Lines that were appended since then are taken along as they
 * are: what to look for is written down nowhere, so whoever asked for the scrub runs it once more.
 */
export async function finishScrub(home: Home): Promise<FinishedScrubs> {
  try {
    return await finishAll(home)
  } catch (error) {
    throw storageError(error, 'A scrub that was interrupted could not be finished', home.paths.scrub)
  }
}

async function finishAll(home: Home): Promise<FinishedScrubs> {
  const unreadable: string[] = []
  let finished = 0
  for (const path of home.storage.listFilesSync(home.paths.scrub, '*.json')) {
    const journal = await readJournal(home, path)
    if (journal === undefined) {
      unreadable.push(path)
      continue
    }
    const { sessionIds, replacements, removals } = journal
    const count = replacements.length + removals.length
    await appendAudit(home, { action: 'scrub', sessionIds, count, reason: 'finished after an interruption' })
    await completeScrub(home, path, journal)
    finished++
  }
  return { finished, unreadable }
}

/** Everything here can be done twice. `edit` is known to the scrub itself alone. */
export async function completeScrub(
  home: Home,
  journalPath: string,
  journal: ScrubJournal,
  edit?: TextEdit,
): Promise<void> {
  const { storage, locks, paths } = home
  for (const replacement of journal.replacements) {
    await locks.run(replacement.lockId, () => replace(home, replacement, edit))
    // Of a file that was replaced or went away meanwhile.
    await removeFile(home, replacement.temp)
  }
  const needed = await findNeeded(home, journal.removals)
  for (const path of journal.removals) if (!needed.has(basename(path))) await removeFile(home, path)
  for (const dir of new Set(journal.removals.map((path) => dirname(path)))) {
    if (storage.existsSync(dir)) await storage.syncDir(dir)
  }
  // Real files, also where the sessions are in memory.
  if (existsSync(paths.index)) await discardIndex(home)
  await removeFile(home, journalPath)
  await storage.syncDir(paths.scrub)
}

/**
 * Old blobs that something names although all that named them was written anew: a fork or a line that came meanwhile. With
 * the blob a text would be lost, so it stays, and whoever scrubs again sees to both.
 */
async function findNeeded(home: Home, removals: readonly string[]): Promise<ReadonlySet<string>> {
  const blobs = removals.filter((path) => basename(dirname(path)) === 'blobs').map((path) => basename(path))
  const needed = new Set<string>()
  if (blobs.length === 0) return needed
  const old = new Set(blobs)
  for (const path of listReferring(home)) {
    for await (const hash of findBlobReferences(home, path)) if (old.has(hash)) needed.add(hash)
  }
  return needed
}

/** Under the lock: takes along what was appended since, then takes the place of the file. */
function replace({ storage }: Home, { temp, path, identity, size, tempSize }: Replacement, edit?: TextEdit): void {
  if (!storage.existsSync(temp)) return
  const now = statUnlessGone(storage, path)
  // Another file by now: it is as it was, and whoever looks whether the secret is gone finds it.
  if (now === undefined || now.identity !== identity || now.size < size) return
  const source = storage.openReader(path)
  try {
    const tail = Buffer.alloc(now.size - size)
    const appended = tail.subarray(0, source.readSync(tail, size))
    const file = storage.openWriter(temp, { flags: 'a' })
    try {
      const tempNow = file.statSync().size
      // Not what was prepared: it must not take the place of anything.
      if (tempNow < tempSize) return
      // An earlier attempt may have been interrupted right here.
      if (tempNow > tempSize) file.truncateSync(tempSize)
      if (appended.length > 0) writeAll(file, edit === undefined ? appended : scrubSync(appended, edit))
      file.datasyncSync()
    } finally {
      file.closeSync()
    }
  } finally {
    source.closeSync()
  }
  storage.renameSync(temp, path)
}

function statUnlessGone(storage: Home['storage'], path: string) {
  try {
    return storage.statSync(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function removeFile({ storage }: Home, path: string): Promise<void> {
  try {
    await storage.unlink(path)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}
