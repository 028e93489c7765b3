import { basename, dirname } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import { appendAudit } from '../house/audit.ts'
import { findBlobReferences, listReferring } from '../house/blob-references.ts'
import { createTrashItem, listTrash, placeInTrash, removeEmptyItem } from '../house/trash-item.ts'
import type { FileStat } from '../storage/storage.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { hashFile } from './copy-bytes.ts'

export interface CollectOptions {
  /** Blobs stored within so many hours stay: the line that names them may be still to come. 24 by default. */
  readonly graceHours?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface UnusedBlob {
  readonly hash: string
  readonly sizeBytes: number
  /** What it was when it was found unused. */
  readonly stat: FileStat
}

/** What would be done, and what it was decided on. Good for a while: whatever has changed since is looked at again. */
export interface BlobCollectionPlan {
  /** Would go to the trash. */
  readonly unused: readonly UnusedBlob[]
  readonly sizeBytes: number
  /** In the trash although something refers to them again: they would come back. */
  readonly wanted: readonly { readonly hash: string; readonly path: string }[]
  /** Unused too, but their bytes are not what their name says. They stay for somebody to look at. */
  readonly damaged: readonly string[]
  /** Unused, but too new to be sure. */
  readonly recentCount: number
  /** Everything that refers to blobs, as it was when it was read. */
  readonly referring: ReadonlyMap<string, FileStat>
}

export interface BlobCollectionReport {
  /** Absent when nothing was moved. */
  readonly trashId: string | undefined
  readonly moved: readonly string[]
  readonly sizeBytes: number
  /** Stayed or came back, because somebody refers to them or stored them again. */
  readonly kept: readonly string[]
  readonly broughtBack: readonly string[]
}

const HOUR_MS = 3_600_000
const BLOB_NAME = /^[a-f0-9]{64}$/

/** Finds blobs that no log, no original kept beside one, no answer under way and nothing in the trash refers to. */
export async function planBlobCollection(home: Home, options: CollectOptions = {}): Promise<BlobCollectionPlan> {
  const { storage, paths } = home
  const { graceHours = 24, signal } = options
  // Less than an hour could be less than a writer takes from the blob to the line, on a machine that sleeps meanwhile.
  if (!(graceHours >= 1)) throw new TreelineError('validation_failed', 'Blobs are left alone for one hour at least.')
  try {
    const unreferenced = new Set(listBlobs(home))
    const inTrash = await findInTrash(home)
    const wanted = new Map<string, string>()
    const referring = new Map<string, FileStat>()
    for (const path of listReferring(home)) {
      await readReferences(home, path, referring, (hash) => {
        unreferenced.delete(hash)
        const path = inTrash.get(hash)
        if (path !== undefined && !storage.existsSync(paths.blobFile(hash))) wanted.set(hash, path)
      })
    }
    const found = await judge(home, unreferenced, Date.now() - graceHours * HOUR_MS, signal)
    const sizeBytes = found.unused.reduce((sum, blob) => sum + blob.sizeBytes, 0)
    return { ...found, sizeBytes, wanted: [...wanted].map(([hash, path]) => ({ hash, path })), referring }
  } catch (error) {
    if (signal?.aborted && error === signal.reason) throw error
    throw storageError(error, 'It cannot be said which blobs are unused', paths.blobs)
  }
}

/**
 * Moves what the plan found into the trash (R1).
 *
 * No lock is taken; a writer may at any moment refer to a blob that was unused. It does so in two steps: it stores the
 * bytes (which, where they are there already, makes the file new: `touch` by its name), and then it appends the line.
 * - Touched before the move: the file in the trash is newer than the plan says, and goes back. A rename keeps the time.
 * - Touched after the move: there is no such name, and the writer stores the bytes anew.
 * - Appended without storing, as when a line was copied from a log that is gone: that log has changed since it was read,
 *   is read again after the moves, and what it refers to goes back.
 * Killed between move and second look: the blob is in the trash, and the next plan finds it wanted.
 */
export async function applyBlobCollection(home: Home, plan: BlobCollectionPlan): Promise<BlobCollectionReport> {
  const { storage, paths } = home
  try {
    const broughtBack = await bringBack(home, plan.wanted)
    const referring = new Map(plan.referring)
    const referred = await readChanged(home, referring)
    const chosen = plan.unused.filter(({ hash }) => !referred.has(hash))
    const kept = new Set(plan.unused.filter(({ hash }) => referred.has(hash)).map(({ hash }) => hash))
    if (chosen.length === 0) return { trashId: undefined, moved: [], sizeBytes: 0, kept: [...kept], broughtBack }
    const trashId = await createTrashItem(home, { kind: 'blobs', reason: 'nothing refers to them' })
    storage.ensureDirSync(dirname(placeInTrash(paths, trashId, paths.blobFile(chosen[0]!.hash))))
    const bytes = chosen.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    await appendAudit(home, { action: 'gc', trashId, count: chosen.length, bytes })
    const moved = new Map<string, UnusedBlob>()
    for (const blob of chosen) {
      if (await moveUnlessTouched(home, trashId, blob)) moved.set(blob.hash, blob)
      else kept.add(blob.hash)
    }
    for (const hash of await readChanged(home, referring)) {
      if (!moved.delete(hash)) continue
      await putBack(home, placeInTrash(paths, trashId, paths.blobFile(hash)), hash)
      kept.add(hash)
    }
    if (moved.size === 0) await removeEmptyItem(home, trashId)
    const sizeBytes = [...moved.values()].reduce((sum, blob) => sum + blob.sizeBytes, 0)
    const id = moved.size === 0 ? undefined : trashId
    return { trashId: id, moved: [...moved.keys()], sizeBytes, kept: [...kept], broughtBack }
  } catch (error) {
    throw storageError(error, 'The unused blobs could not all be moved to the trash', paths.blobs)
  }
}

function listBlobs({ storage, paths }: Home): string[] {
  const names = storage.listFilesSync(paths.blobs, '*').map((path) => basename(path))
  return names.filter((name) => BLOB_NAME.test(name))
}

/** The stat first: what is appended while the file is read makes it look changed later, which costs a second reading only. */
async function readReferences(
  home: Home,
  path: string,
  referring: Map<string, FileStat>,
  onHash: (hash: string) => void,
): Promise<void> {
  const stat = statUnlessGone(home, path)
  if (stat === undefined) return
  referring.set(path, stat)
  for await (const hash of findBlobReferences(home, path)) onHash(hash)
}

/** What files refer to that have changed or come since they were read. */
async function readChanged(home: Home, referring: Map<string, FileStat>): Promise<ReadonlySet<string>> {
  const referred = new Set<string>()
  for (const path of listReferring(home)) {
    const before = referring.get(path)
    const now = statUnlessGone(home, path)
    if (now === undefined || (before !== undefined && isSame(before, now))) continue
    await readReferences(home, path, referring, (hash) => referred.add(hash))
  }
  return referred
}

async function judge(home: Home, hashes: Iterable<string>, latest: number, signal: AbortSignal | undefined) {
  const unused: UnusedBlob[] = []
  const damaged: string[] = []
  let recentCount = 0
  for (const hash of hashes) {
    signal?.throwIfAborted()
    const path = home.paths.blobFile(hash)
    const stat = statUnlessGone(home, path)
    if (stat === undefined) continue
    if (stat.mtimeMs > latest) recentCount++
    else if ((await hashFile(home.storage, path, signal)).sha256 !== hash) damaged.push(hash)
    else unused.push({ hash, sizeBytes: stat.size, stat })
  }
  return { unused, damaged, recentCount }
}

async function findInTrash(home: Home): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const { files } of await listTrash(home)) {
    for (const { path, from } of files) {
      if (dirname(from) === home.paths.blobs && BLOB_NAME.test(basename(from))) found.set(basename(from), path)
    }
  }
  return found
}

async function moveUnlessTouched(home: Home, trashId: string, { hash, stat }: UnusedBlob): Promise<boolean> {
  const { storage, paths } = home
  const path = paths.blobFile(hash)
  const place = placeInTrash(paths, trashId, path)
  const now = statUnlessGone(home, path)
  if (now === undefined || !isSame(now, stat)) return false
  await storage.rename(path, place)
  if (isSame(storage.statSync(place), stat)) return true
  await putBack(home, place, hash)
  return false
}

async function bringBack(home: Home, wanted: BlobCollectionPlan['wanted']): Promise<string[]> {
  const back: string[] = []
  for (const { hash, path } of wanted) if (await putBack(home, path, hash)) back.push(hash)
  return back
}

/** Where somebody stored the bytes again, theirs are as good. */
async function putBack({ storage, paths }: Home, from: string, hash: string): Promise<boolean> {
  const path = paths.blobFile(hash)
  if (storage.existsSync(path) || !storage.existsSync(from)) return false
  await storage.rename(from, path)
  return true
}

function isSame(a: FileStat, b: FileStat): boolean {
  return a.identity === b.identity && a.size === b.size && a.mtimeMs === b.mtimeMs
}

function statUnlessGone({ storage }: Home, path: string): FileStat | undefined {
  try {
    return storage.statSync(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
