import { basename, dirname, join } from 'node:path'
import type { Home } from '../home.ts'
import type { IndexedSession, SessionIndex } from '../session-index/session-index.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { allSessions } from './all-sessions.ts'
import { findBlobReferences, listReferencingLogs } from './blob-references.ts'
import type { Work } from './progress.ts'
import { takeTurns } from './take-turns.ts'

/** What eats the space, in bytes. */
export interface Space {
  readonly totals: SpaceTotals
  /** Largest first, by what would be free without it: its files and the blobs it alone refers to. */
  readonly sessions: readonly SessionSpace[]
  /** Largest first. */
  readonly blobs: readonly BlobSpace[]
}

export interface SpaceTotals {
  readonly logs: number
  /** Kept beside logs: originals of migrations and repairs. */
  readonly originals: number
  readonly blobs: number
  readonly columns: number
  readonly index: number
  readonly history: number
  readonly trash: number
  readonly partial: number
}

export interface SessionSpace {
  readonly path: string
  readonly id: string | undefined
  readonly name: string | undefined
  readonly logBytes: number
  readonly originalBytes: number
  readonly ownBlobBytes: number
  readonly sharedBlobBytes: number
}

export interface BlobSpace {
  readonly hash: string
  readonly sizeBytes: number
  /** Logs that refer to it, those in the trash too; none: nobody needs it. */
  readonly referrers: readonly string[]
}

interface MutableBlob extends BlobSpace {
  readonly referrers: string[]
}

/** Reads every log once, through its raw bytes. What comes, goes or grows meanwhile may or may not be counted. */
export async function measureSpace(home: Home, index: SessionIndex, { signal, onProgress }: Work = {}): Promise<Space> {
  try {
    return await measure(home, index, { signal, onProgress })
  } catch (error) {
    if (signal?.aborted) throw error
    throw storageError(error, 'What eats the space cannot be said', home.paths.home)
  }
}

async function measure(home: Home, index: SessionIndex, { signal, onProgress }: Work): Promise<Space> {
  const known = new Map<string, IndexedSession>()
  for await (const session of allSessions(index, { signal })) known.set(session.path, session)
  const sizes = new Map<string, number>()
  const turn = takeTurns(signal)
  for (const path of listReferencingLogs(home)) {
    sizes.set(path, sizeOf(home.storage, path))
    await turn()
  }
  const blobs = await listBlobs(home, turn)
  const total = sum(sizes.values())
  let done = 0
  for (const [path, size] of sizes) {
    onProgress?.({ done, total })
    await takeReferences(home, path, blobs, signal)
    done += size
  }
  onProgress?.({ done: total, total })
  return {
    totals: measureTotals(home, sizes, blobs),
    sessions: measureSessions(home, sizes, blobs, known),
    blobs: [...blobs.values()].sort((a, b) => b.sizeBytes - a.sizeBytes),
  }
}

async function takeReferences(
  home: Home,
  path: string,
  blobs: ReadonlyMap<string, MutableBlob>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const owner = logOf(path)
  for await (const hash of findBlobReferences(home, path, signal)) {
    const referrers = blobs.get(hash)?.referrers
    // A log and its original refer to the same ones, one after the other.
    if (referrers !== undefined && referrers.at(-1) !== owner) referrers.push(owner)
  }
}

function measureSessions(
  home: Home,
  sizes: ReadonlyMap<string, number>,
  blobs: ReadonlyMap<string, BlobSpace>,
  known: ReadonlyMap<string, IndexedSession>,
): SessionSpace[] {
  const sessions = new Map<string, { -readonly [K in keyof SessionSpace]: SessionSpace[K] }>()
  for (const [file, size] of sizes) {
    const path = logOf(file)
    if (!home.paths.isSessionFile(path)) continue
    const { id, name } = known.get(path) ?? { id: undefined, name: undefined }
    const session = sessions.get(path) ?? { path, id, name, ...NOTHING }
    if (file === path) session.logBytes += size
    else session.originalBytes += size
    sessions.set(path, session)
  }
  for (const { referrers, sizeBytes } of blobs.values()) {
    for (const path of referrers) {
      const session = sessions.get(path)
      if (session === undefined) continue
      if (referrers.length === 1) session.ownBlobBytes += sizeBytes
      else session.sharedBlobBytes += sizeBytes
    }
  }
  return [...sessions.values()].sort((a, b) => freedBy(b) - freedBy(a))
}

const NOTHING = { logBytes: 0, originalBytes: 0, ownBlobBytes: 0, sharedBlobBytes: 0 }

function freedBy({ logBytes, originalBytes, ownBlobBytes }: SessionSpace): number {
  return logBytes + originalBytes + ownBlobBytes
}

function measureTotals(
  { storage, paths }: Home,
  sizes: ReadonlyMap<string, number>,
  blobs: ReadonlyMap<string, BlobSpace>,
): SpaceTotals {
  const isOurs = (path: string) => dirname(dirname(path)) === paths.sessions
  const [logs, originals] = [true, false].map((isLog) =>
    sum([...sizes].filter(([path]) => isOurs(path) && paths.isSessionFile(path) === isLog).map(([, size]) => size)),
  )
  const inIndex = storage.listFilesSync(paths.index, '*')
  const isColumns = (path: string) => path.endsWith('.cols')
  const sizeOfAll = (files: readonly string[]) => sum(files.map((path) => sizeOf(storage, path)))
  return {
    logs: logs ?? 0,
    originals: originals ?? 0,
    blobs: sum([...blobs.values()].map(({ sizeBytes }) => sizeBytes)),
    columns: sizeOfAll(inIndex.filter(isColumns)),
    index: sizeOfAll(inIndex.filter((path) => !isColumns(path))),
    history: sizeOfAll(storage.listFilesSync(paths.home, `${basename(paths.historyFile)}*`)),
    trash: sizeOfAll(filesBelow(storage, paths.trash)),
    partial: sizeOfAll(filesBelow(storage, dirname(paths.partialDir('any')))),
  }
}

function filesBelow(storage: SessionStorage, top: string): string[] {
  const files: string[] = []
  for (const dirs = [top]; dirs.length > 0; ) {
    const dir = dirs.pop()!
    files.push(...storage.listFilesSync(dir, '*'))
    dirs.push(...storage.listDirsSync(dir).map((name) => join(dir, name)))
  }
  return files
}

async function listBlobs(
  { storage, paths }: Home,
  turn: ReturnType<typeof takeTurns>,
): Promise<Map<string, MutableBlob>> {
  const blobs = new Map<string, MutableBlob>()
  for (const path of storage.listFilesSync(paths.blobs, '*')) {
    const hash = basename(path)
    blobs.set(hash, { hash, sizeBytes: sizeOf(storage, path), referrers: [] })
    await turn()
  }
  return blobs
}

/** Of `<log>.jsonl.v1` the log it is the original of. */
function logOf(path: string): string {
  const end = basename(path).indexOf('.jsonl')
  return end < 0 || path.endsWith('.jsonl') ? path : join(dirname(path), basename(path).slice(0, end + '.jsonl'.length))
}

function sizeOf(storage: SessionStorage, path: string): number {
  try {
    return storage.statSync(path).size
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 0
    throw error
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
