import { randomBytes } from 'node:crypto'
import { basename, dirname } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import { readListedId } from '../session/summary.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { appendAudit } from './audit.ts'
import { findBlobReferences, listReferring } from './blob-references.ts'
import { daysAgo } from './days-ago.ts'
import type { Work } from './progress.ts'
import { moveSideFiles } from './trash.ts'
import { findTrashItem, listTrash, readTrashItem, removeEmptyItem, type TrashItem } from './trash-item.ts'

export interface PurgeOptions extends Work {
  /** This one. */
  readonly trashId?: string | undefined
  /** Everything that has been in the trash for so many days; 0 is all of it. */
  readonly olderThanDays?: number | undefined
  /** Says what would go, and touches nothing. */
  readonly dryRun?: boolean | undefined
}

export interface PurgeReport {
  /** What went, or would go. */
  readonly items: readonly TrashItem[]
  readonly sizeBytes: number
  /** What could not be removed; it is in the trash still. */
  readonly failed: readonly { readonly trashId: string; readonly problem: string }[]
}

const HOUR_MS = 3_600_000

/** Removes for good what is in the trash. Each item has its line in the audit before the first byte of it goes (R1). */
export async function purgeTrash(home: Home, options: PurgeOptions): Promise<PurgeReport> {
  const { dryRun = false, signal, onProgress } = options
  const chosen = await choose(home, options).catch((error) => {
    throw storageError(error, 'The trash cannot be read', home.paths.trash)
  })
  const items: TrashItem[] = []
  const failed: { trashId: string; problem: string }[] = []
  for (const [done, item] of chosen.entries()) {
    signal?.throwIfAborted()
    onProgress?.({ done, total: chosen.length })
    try {
      await refuseNeeded(home, item, signal)
      if (!dryRun) await purge(home, item)
      items.push(item)
    } catch (error) {
      failed.push({ trashId: item.trashId, problem: error instanceof Error ? error.message : String(error) })
    }
  }
  onProgress?.({ done: chosen.length, total: chosen.length })
  if (!dryRun) await removeAbandoned(home)
  return { items, failed, sizeBytes: items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
}

async function choose(home: Home, { trashId, olderThanDays }: PurgeOptions): Promise<readonly TrashItem[]> {
  if ((trashId === undefined) === (olderThanDays === undefined)) {
    throw new TreelineError('validation_failed', 'Say what to purge: one item by its id, or all older than some days.')
  }
  if (trashId !== undefined) return [await findTrashItem(home, trashId)]
  const latest = daysAgo(olderThanDays)
  const items = await listTrash(home)
  return items.filter(({ trashedAt }) => trashedAt !== undefined && Date.parse(trashedAt) <= latest)
}

async function purge(home: Home, item: TrashItem): Promise<void> {
  const { storage, paths } = home
  const place = paths.trashItem(item.trashId)
  // At once out of reach of whoever restores it just now: of the two, one has all of it.
  const claimedId = `${item.trashId.slice(0, 64)}.purge-${randomBytes(4).toString('hex')}`
  await storage.rename(place, paths.trashItem(claimedId))
  try {
    await removeClaimed(home, item, claimedId)
  } catch (error) {
    // What failed first is what the caller hears. Should this fail too, it is in the trash under the other id.
    await storage.rename(paths.trashItem(claimedId), place).catch(() => {})
    throw error
  }
}

async function removeClaimed(home: Home, { trashId }: TrashItem, claimedId: string): Promise<void> {
  const { storage, paths } = home
  const log = (await readTrashItem(home, claimedId)).files.find(({ from }) => paths.isSessionFile(from))
  // What a crash kept from following its log goes with it.
  if (log !== undefined && !storage.existsSync(log.from)) {
    await moveSideFiles(home, claimedId, log.from, readListedId(storage, log.path) ?? '')
  }
  const { files, sizeBytes, sessionId } = await readTrashItem(home, claimedId)
  const isCache = (from: string) => dirname(from) === paths.index
  // Caches first: on a full disk they make room for the line in the audit.
  for (const { path, from } of files) if (isCache(from)) await remove(home, path)
  await appendAudit(home, {
    action: 'purge',
    trashId,
    sessionIds: sessionId === undefined ? [] : [sessionId],
    paths: log === undefined ? [] : [log.from],
    count: files.length,
    bytes: sizeBytes,
  })
  for (const { path, from } of files) if (!isCache(from) && path !== log?.path) await remove(home, path)
  if (log !== undefined) await remove(home, log.path)
  await removeEmptyItem(home, claimedId)
}

/** Since they were collected a log may have come back, from a backup for one, that refers to them. */
async function refuseNeeded(home: Home, { files }: TrashItem, signal: AbortSignal | undefined): Promise<void> {
  const { storage, paths } = home
  const blobs = files.filter(({ from }) => dirname(from) === paths.blobs && !storage.existsSync(from))
  if (blobs.length === 0) return
  const missing = new Set(blobs.map(({ from }) => basename(from)))
  const needed = new Set<string>()
  for (const path of listReferring(home)) {
    for await (const hash of findBlobReferences(home, path, signal)) if (missing.has(hash)) needed.add(hash)
  }
  if (needed.size === 0) return
  const message = `${needed.size} of these blobs are needed again. Restore them, or collect garbage once more, then purge.`
  throw new TreelineError('forbidden', message)
}

async function remove({ storage }: Home, path: string): Promise<void> {
  try {
    await storage.unlink(path)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}

/** Items in which nothing ever came to lie, or nothing is left. Someone may be about to fill a new one. */
async function removeAbandoned(home: Home): Promise<void> {
  for (const trashId of home.storage.listDirsSync(home.paths.trash)) {
    try {
      const { files, trashedAt } = await readTrashItem(home, trashId)
      const isNew = trashedAt !== undefined && Date.parse(trashedAt) > Date.now() - HOUR_MS
      if (files.length === 0 && !isNew) await removeEmptyItem(home, trashId)
    } catch {
      // Nothing is in it and nobody waits for it; the next purge tries again.
    }
  }
}
