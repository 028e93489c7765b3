import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { IndexDatabase } from './index-database.ts'
import { changedMs, isRecent, type QuickLook } from './quick-look.ts'
import type { SessionSource } from './session-source.ts'
import type { Sources } from './sources.ts'

const META = 'last_sweep'
/** A folder that changed just before it was looked at may have changed again in the same tick of its clock. */
const RACY_MS = 50
/** Whoever goes on with a session most likely does so with one of these. */
const NEWEST_FILES = 64
/** Beyond that looking at them takes as long as looking at the files. */
const MAX_FOLDERS = 500

/** Kept as JSON in the index. */
interface LastSweep {
  readonly atMs: number
  readonly sources: string
  /** Paths and times. */
  readonly folders: readonly (readonly [string, number])[]
}

type Seen = readonly [string, string, string, number, number]

/** Notes that all files were looked at, and the folders they are in: where a file comes or goes its folder changes. */
export function noteSweep(db: IndexDatabase, sources: Sources, files: Iterable<string>, startedMs: number): void {
  const paths = new Set<string>()
  for (const { folders } of sources.values()) {
    for (const folder of folders) for (const path of [folder, ...listFolders(folder)]) paths.add(path)
  }
  for (const file of files) {
    const folder = dirname(file)
    if (paths.has(folder)) continue
    paths.add(folder).add(dirname(folder))
  }
  const folders = [...paths].map((path) => [path, changedMs(path)] as const)
  const isSure = folders.length <= MAX_FOLDERS && folders.every(([, timeMs]) => timeMs < startedMs - RACY_MS)
  const noted: LastSweep = { atMs: isSure ? startedMs : 0, sources: keyOf(sources), folders: isSure ? folders : [] }
  db.writeMeta(META, JSON.stringify(noted))
}

/** Those that hold nothing, too: the next session may be in one of them. */
function listFolders(folder: string): readonly string[] {
  try {
    const found = readdirSync(folder, { withFileTypes: true })
    return found.filter((node) => node.isDirectory()).map(({ name }) => join(folder, name))
  } catch {
    // Not there, which shows in its time, or not to be read, which the sweep has told.
    return []
  }
}

/** Nothing when the last sweep was one of other sources, or is not to be trusted. */
export function describeLook(db: IndexDatabase, sources: Sources): QuickLook | undefined {
  const noted = readNoted(db)
  if (noted === undefined || noted.atMs === 0 || noted.sources !== keyOf(sources)) return undefined
  const { atMs, folders } = noted
  const files = readNewest(db).flatMap(([path, name, ...seen]) => (sources.has(name) ? [[path, ...seen] as const] : []))
  return { atMs, folders, files }
}

/**
 * Whether all files were looked at less than so long ago and nothing speaks for another look: no folder has changed, nor
 * any of the sessions that were active last. One that was left alone for long may have been gone on with since.
 */
export function isAsLastSwept(db: IndexDatabase, sources: Sources, maxAgeMs: number): boolean {
  const noted = readNoted(db)
  if (noted === undefined || noted.sources !== keyOf(sources)) return false
  if (!isRecent(noted.atMs, maxAgeMs)) return false
  return noted.folders.every(([path, timeMs]) => changedMs(path) === timeMs) && areNewestSame(db, sources)
}

function readNewest(db: IndexDatabase): readonly Seen[] {
  const sql = `SELECT path, source, identity, size, mtime FROM files INDEXED BY files_by_activity
    ORDER BY last_active_ms DESC, path LIMIT ${NEWEST_FILES}`
  return db.selectLists(sql, []) as unknown as readonly Seen[]
}

function areNewestSame(db: IndexDatabase, sources: Sources): boolean {
  return readNewest(db).every(([path, name, ...seen]) => {
    const source = sources.get(name)
    return source === undefined || isSame(source, path, seen)
  })
}

function isSame(
  source: SessionSource,
  path: string,
  [identity, size, mtime]: readonly [string, number, number],
): boolean {
  try {
    const stat = source.stat(path)
    return stat.identity === identity && stat.size === size && stat.mtimeMs === mtime
  } catch {
    // Whatever is the matter with it, the sweep finds out and tells.
    return false
  }
}

function keyOf(sources: Sources): string {
  return JSON.stringify([...sources.values()].map(({ name, folders }) => [name, folders]))
}

function readNoted(db: IndexDatabase): LastSweep | undefined {
  const text = db.readMeta(META)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as LastSweep)
  } catch {
    // Not ours; the next sweep writes it anew.
    return undefined
  }
}
