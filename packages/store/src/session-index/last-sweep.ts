import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HomePaths } from '../paths.ts'
import type { IndexDatabase } from './index-database.ts'
import { findMarked } from './marked-files.ts'
import { changedMs, isRecent, type QuickLook } from './quick-look.ts'
import type { SessionSource } from './session-source.ts'
import type { Sources } from './sources.ts'

const META = 'swept'
/** A folder that changed just before it was looked at may have changed again in the same tick of its clock. */
const RACY_MS = 50
/** Whoever goes on with a session most likely does so with one of these. */
const NEWEST_FILES = 64
/** Beyond that looking at them takes as long as looking at the files. */
const MAX_PLACES = 500

/** Kept as JSON in the index. */
interface LastSweep {
  readonly atMs: number
  readonly sources: string
  /** Paths and times. */
  readonly folders: readonly (readonly [string, number])[]
  /** Files that were open somewhere, and still are as long as no folder has changed. */
  readonly marked: readonly string[]
}

interface SweptPlaces {
  readonly paths: HomePaths
  readonly sources: Sources
  readonly files: readonly string[]
  readonly startedMs: number
}

type Seen = readonly [string, string, string, number, number]

/**
 * Notes that all files were looked at, and the folders they are in: where a file comes or goes its folder changes. Where it
 * is said which sessions are open is one of them: no process of ours can write without having been there.
 */
export function noteSweep(db: IndexDatabase, { paths, sources, files, startedMs }: SweptPlaces): void {
  const places = new Set([paths.presence])
  for (const { folders } of sources.values()) {
    for (const folder of folders) for (const path of [folder, ...listFolders(folder)]) places.add(path)
  }
  for (const file of files) {
    const folder = dirname(file)
    if (places.has(folder)) continue
    places.add(folder).add(dirname(folder))
  }
  const folders = [...places].map((path) => [path, changedMs(path)] as const)
  const isSettled = folders.every(([, timeMs]) => timeMs < startedMs - RACY_MS)
  const marked = isSettled ? findMarked(paths, files) : undefined
  const isSure = marked !== undefined && folders.length + marked.length <= MAX_PLACES
  const noted = isSure ? { atMs: startedMs, folders, marked } : { atMs: 0, folders: [], marked: [] }
  db.writeMeta(META, JSON.stringify({ ...noted, sources: keyOf(sources) } satisfies LastSweep))
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
  const { atMs, folders, marked } = noted
  const files = readLikely(db, marked).flatMap(([path, name, ...seen]) =>
    sources.has(name) ? [[path, ...seen] as const] : [],
  )
  return { atMs, folders, files }
}

/**
 * Whether all files were looked at less than so long ago and nothing speaks for another look: no folder has changed, nor
 * any of the sessions that are open or were active last. Another tool may have gone on with one that was left alone for long.
 */
export function isAsLastSwept(db: IndexDatabase, sources: Sources, maxAgeMs: number): boolean {
  const noted = readNoted(db)
  if (noted === undefined || noted.sources !== keyOf(sources)) return false
  if (!isRecent(noted.atMs, maxAgeMs)) return false
  return noted.folders.every(([path, timeMs]) => changedMs(path) === timeMs) && areLikelySame(db, sources, noted.marked)
}

/** Those that were active last, and those that are open. */
function readLikely(db: IndexDatabase, marked: readonly string[]): readonly Seen[] {
  const columns = 'path, source, identity, size, mtime'
  const newest = `SELECT ${columns} FROM files INDEXED BY files_by_activity
    ORDER BY last_active_ms DESC, path LIMIT ${NEWEST_FILES}`
  const found = db.selectLists(newest, []) as unknown as readonly Seen[]
  if (marked.length === 0) return found
  const named = `SELECT ${columns} FROM files WHERE path IN (SELECT value FROM json_each(?))`
  return [...found, ...(db.selectLists(named, [JSON.stringify(marked)]) as unknown as readonly Seen[])]
}

function areLikelySame(db: IndexDatabase, sources: Sources, marked: readonly string[]): boolean {
  return readLikely(db, marked).every(([path, name, ...seen]) => {
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
