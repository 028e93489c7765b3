import { join, relative } from 'node:path'
import { isSafeId, TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import { newSessionId } from '../session/session-id.ts'
import { errnoOf } from '../storage-error.ts'
import { takeTurns } from './take-turns.ts'

type TrashHome = Pick<Home, 'storage' | 'paths'>

/** Something that was removed: `<home>/trash/<id>/` with an `item.json`, and below it the files as they lay in the home. */
export interface TrashItem {
  readonly trashId: string
  readonly kind: 'session' | 'blobs'
  readonly sessionId: string | undefined
  /** ISO 8601. Absent when `item.json` cannot be read: such an item can be restored, and purged by its id. */
  readonly trashedAt: string | undefined
  readonly reason: string | undefined
  readonly files: readonly TrashedFile[]
  readonly sizeBytes: number
}

export interface TrashedFile {
  readonly path: string
  /** Where it was. From the place it has in the item, never from what some file says (K3). */
  readonly from: string
  readonly sizeBytes: number
}

export interface NewTrashItem {
  readonly kind: TrashItem['kind']
  readonly sessionId?: string | undefined
  readonly reason?: string | undefined
}

const AREAS = ['sessions', 'partial', 'index', 'blobs'] as const
const MAX_META_BYTES = 64 * 1024

/** An item that is durable and empty; nobody is shown it before the first file is in it. */
export async function createTrashItem({ storage, paths }: TrashHome, item: NewTrashItem): Promise<string> {
  const trashId = newSessionId()
  storage.ensureDirSync(paths.trashItem(trashId))
  await storage.writeText(
    metaFile(paths, trashId),
    `${JSON.stringify({ ...item, trashedAt: new Date().toISOString() })}\n`,
  )
  return trashId
}

/** Where a file of the home goes within an item. */
export function placeInTrash(paths: Home['paths'], trashId: string, path: string): string {
  return join(paths.trashItem(trashId), relative(paths.home, path))
}

/** Every item with something in it, latest first. One that cannot be read hides no other (I7). */
export async function listTrash(home: TrashHome): Promise<readonly TrashItem[]> {
  const items: TrashItem[] = []
  for (const trashId of home.storage.listDirsSync(home.paths.trash)) {
    if (!isSafeId(trashId)) continue
    try {
      const item = await readTrashItem(home, trashId)
      if (item.files.length > 0) items.push(item)
    } catch (error) {
      // A folder that cannot be read, of which the doctor tells.
      if (errnoOf(error) === undefined) throw error
    }
  }
  return items.sort((a, b) => (a.trashedAt ?? '').localeCompare(b.trashedAt ?? '')).reverse()
}

export async function findTrashItem(home: TrashHome, trashId: string): Promise<TrashItem> {
  const item = isSafeId(trashId) ? await readTrashItem(home, trashId) : undefined
  if (item !== undefined && item.files.length > 0) return item
  const message = `There is no ${JSON.stringify(trashId.slice(0, 80))} in the trash. List the trash to see what there is.`
  throw new TreelineError('session_not_found', message)
}

/** What is there of an item, whatever its `item.json` says. */
export async function readTrashItem(home: TrashHome, trashId: string): Promise<TrashItem> {
  const { paths } = home
  const meta = await readMeta(home, trashId)
  const root = paths.trashItem(trashId)
  const files: TrashedFile[] = []
  const turn = takeTurns()
  for (const path of areasOf(home, root).flatMap((area) => listFiles(home, join(root, area)))) {
    files.push({ path, from: join(paths.home, relative(root, path)), sizeBytes: sizeOf(home, path) })
    await turn()
  }
  const isBlobs = files.length > 0 && files.every(({ from }) => from.startsWith(paths.blobs))
  return {
    trashId,
    kind: isBlobs ? 'blobs' : 'session',
    sessionId: asText(meta.sessionId),
    trashedAt: asTime(meta.trashedAt),
    reason: asText(meta.reason),
    files,
    sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  }
}

/** Takes away what is left of an item without files. Anything else in it stays, and so does the item. */
export async function removeEmptyItem(home: TrashHome, trashId: string): Promise<void> {
  const { storage, paths } = home
  const root = paths.trashItem(trashId)
  for (const area of areasOf(home, root)) {
    for (const folder of storage.listDirsSync(join(root, area))) {
      await unlessMissing(storage.removeDir(join(root, area, folder)))
    }
    await unlessMissing(storage.removeDir(join(root, area)))
  }
  await unlessMissing(storage.unlink(metaFile(paths, trashId)))
  // Of a process that died while it wrote one.
  for (const temp of storage.listFilesSync(root, '.*')) await unlessMissing(storage.unlink(temp))
  await unlessMissing(storage.removeDir(root))
  await storage.syncDir(paths.trash)
}

/** Those that are folders. Behind a link is what was never removed (K3). */
function areasOf({ storage }: TrashHome, root: string): string[] {
  const folders = new Set(storage.listDirsSync(root))
  return AREAS.filter((area) => folders.has(area))
}

function listFiles({ storage }: TrashHome, dir: string): string[] {
  const folders = [dir, ...storage.listDirsSync(dir).map((name) => join(dir, name))]
  return folders.flatMap((folder) => ['*', '.*'].flatMap((pattern) => storage.listFilesSync(folder, pattern)))
}

/** 0 when it was restored or purged just now. */
function sizeOf({ storage }: TrashHome, path: string): number {
  try {
    return storage.statSync(path).size
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 0
    throw error
  }
}

async function readMeta({ storage, paths }: TrashHome, trashId: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await storage.readTextPrefix(metaFile(paths, trashId), MAX_META_BYTES))
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    // The files speak for themselves; of the item only its time is not known then.
    return {}
  }
}

async function unlessMissing(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}

function metaFile(paths: Home['paths'], trashId: string): string {
  return join(paths.trashItem(trashId), 'item.json')
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function asTime(value: unknown): string | undefined {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined
}
