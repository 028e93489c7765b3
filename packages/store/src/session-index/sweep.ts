import { dirname } from 'node:path'
import type { FileStat } from '../storage/storage.ts'
import { errnoOf } from '../storage-error.ts'
import type { IndexDatabase } from './index-database.ts'
import type { Pace } from './pace.ts'
import type { SessionSource } from './session-source.ts'
import type { Sources } from './sources.ts'

/** What has to be done so that the index knows every file as it is now. */
export interface Sweep {
  /** Files that are new or changed, those that were written to longest ago first. */
  readonly changes: readonly Change[]
  /** Numbers of files that are there no longer. */
  readonly gone: readonly number[]
  /** Folders and files that could not be looked at; what the index knows of them stays. */
  readonly problems: readonly Problem[]
}

/** What was done to know it. */
export interface Swept extends Sweep {
  /** All files that there are. */
  readonly files: readonly string[]
}

export interface Change {
  readonly path: string
  readonly source: string
  /** How much there is to read, as far as can be told. */
  readonly bytes: number
  readonly size: number
  readonly mtimeMs: number
}

export interface Problem {
  readonly path: string
  readonly problem: string
}

/** Of a file in the index `[file_id, path, source, identity, size, mtime, problem]`: of 50,000 of them, lists are read sooner. */
type Seen = readonly [number, string, string, string, number, number, string | null]

const SLICE = 500
/** Files looked at between two chances for others to have their turn. */
const FILES_PER_STEP = 32
/** Stands in a name for bytes that are no text. */
const NO_CHARACTER = '\ufffd'

/** Compares the files of all sources with the index, in slices: there may be 50,000 of them. */
export async function sweepFiles(db: IndexDatabase, sources: Sources, pace: Pace): Promise<Swept> {
  const known = await readKnown(db, sources, pace)
  const sweeper = new Sweeper(known)
  for (const source of sources.values()) await sweeper.look(source, pace)
  return sweeper.finish()
}

class Sweeper {
  /** What is left in the end was not found. */
  private readonly known: Map<string, Seen>
  /** Two sources may list the same file: it is the first one's. */
  private readonly found = new Set<string>()
  private readonly changes: Change[] = []
  private readonly problems: Problem[] = []
  private readonly unreadDirs = new Set<string>()
  private readonly unreadSources = new Set<string>()

  constructor(known: Map<string, Seen>) {
    this.known = known
  }

  async look(source: SessionSource, pace: Pace): Promise<void> {
    const unread = (dir: string, error: unknown): void => {
      this.unreadDirs.add(dir)
      this.report(dir, error)
    }
    try {
      let looked = 0
      for (const path of source.list(unread)) {
        this.compare(source, path)
        if (++looked % FILES_PER_STEP === 0) await pace.step()
      }
    } catch (error) {
      pace.signal.throwIfAborted()
      this.unreadSources.add(source.name)
      this.report(source.name, error)
    }
  }

  finish(): Swept {
    const { changes, problems } = this
    // So that docids follow time, as far as they can.
    changes.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1))
    const gone = [...this.known.values()].filter((seen) => !this.isHidden(seen)).map(([fileId]) => fileId)
    return { changes, gone, problems, files: [...this.found] }
  }

  private compare(source: SessionSource, path: string): void {
    if (this.found.has(path)) return
    this.found.add(path)
    const seen = this.known.get(path)
    let stat: FileStat
    try {
      stat = source.stat(path)
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') {
        if (path.includes(NO_CHARACTER))
          this.report(path, new Error('Its name is not UTF-8, so it cannot be opened. Rename it.'))
        return
      }
      this.report(path, error)
      if (seen === undefined) this.changes.push({ path, source: source.name, bytes: 0, size: 0, mtimeMs: 0 })
      this.known.delete(path)
      return
    }
    this.known.delete(path)
    if (seen !== undefined && isSame(seen, source, stat)) return
    const { size, mtimeMs, identity } = stat
    const [, , , seenIdentity, seenSize = 0] = seen ?? []
    const isGrown = seenIdentity === identity && size > seenSize
    this.changes.push({ path, source: source.name, bytes: isGrown ? size - seenSize : size, size, mtimeMs })
  }

  private report(path: string, error: unknown): void {
    this.problems.push({ path, problem: error instanceof Error ? error.message : String(error) })
  }

  /** In a folder that cannot be read now: it may well be there (I7). */
  private isHidden([, path, source]: Seen): boolean {
    if (this.unreadSources.has(source)) return true
    if (this.unreadDirs.size === 0) return false
    for (let dir = dirname(path); ; dir = dirname(dir)) {
      if (this.unreadDirs.has(dir)) return true
      if (dir === dirname(dir)) return false
    }
  }
}

/** One with a problem is tried again: what was changed about its rights does not show. */
function isSame(seen: Seen, source: SessionSource, { identity, size, mtimeMs }: FileStat): boolean {
  if (seen[6] !== null || seen[2] !== source.name) return false
  return seen[3] === identity && seen[4] === size && seen[5] === mtimeMs
}

/** Only of these sources: another process may use the same index with more of them. */
async function readKnown(db: IndexDatabase, sources: Sources, pace: Pace): Promise<Map<string, Seen>> {
  const known = new Map<string, Seen>()
  const sql = `SELECT file_id, path, source, identity, size, mtime, problem FROM files WHERE file_id > ?
    ORDER BY file_id LIMIT ${SLICE}`
  for (let last = 0; ; ) {
    const found = db.selectLists(sql, [last]) as unknown as readonly Seen[]
    for (const seen of found) if (sources.has(seen[2])) known.set(seen[1], seen)
    if (found.length < SLICE) return known
    last = found.at(-1)![0]
    await pace.step()
  }
}
