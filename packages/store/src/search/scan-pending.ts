import { createClock, readFacts } from '../session-index/file-facts.ts'
import { counts, flagsOf, readStates } from '../session-index/node-states.ts'
import type { Pace } from '../session-index/pace.ts'
import { NodeFlag } from '../session-index/schema.ts'
import type { SessionSource, SourceSession } from '../session-index/session-source.ts'
import type { IndexedFile } from './candidates.ts'
import { describeNode, type NodeDescription } from './describe-node.ts'
import type { Filters } from './filters.ts'
import { type FoundHit, type HitNode, hitOf } from './hit.ts'
import { comparePositions, type Position, pathKey } from './order.ts'
import type { Query } from './query.ts'

/** A file that the index does not know as it is now. */
export interface PendingFile {
  readonly source: string
  readonly path: string
}

interface ScanRequest {
  readonly sources: ReadonlyMap<string, SessionSource>
  readonly pending: readonly PendingFile[]
  readonly query: Query
  readonly includesDeleted: boolean
  readonly after: Position | undefined
  readonly pace: Pace
  readonly budgetMs: number
}

interface Scanned {
  /** Unordered. */
  readonly hits: readonly FoundHit[]
  /** Paths of the files that were read as a whole. */
  readonly done: ReadonlySet<string>
}

const ROWS_AT_ONCE = 64
const MAX_FILES_DATED = 2000

class OutOfTime extends Error {}

/** Looks through files themselves, those changed last first, for as long as there is time. */
export async function scanPending(request: ScanRequest): Promise<Scanned> {
  const deadline = performance.now() + request.budgetMs
  const hits: FoundHit[] = []
  const done = new Set<string>()
  for (const { source: name, path } of newestFirst(request)) {
    if (performance.now() >= deadline) break
    const source = request.sources.get(name)
    if (source === undefined) continue
    try {
      await using session = await source.open(path)
      hits.push(...(await scanSession(request, session, { name, path, deadline })))
      done.add(path)
    } catch (error) {
      request.pace.signal.throwIfAborted()
      if (error instanceof OutOfTime) break
      // One that cannot be read stays pending, and hides no other (I7).
    }
  }
  return { hits, done }
}

function newestFirst({ pending, sources }: ScanRequest): readonly PendingFile[] {
  const mtimeOf = ({ source, path }: PendingFile): number => {
    try {
      return sources.get(source)?.stat(path).mtimeMs ?? 0
    } catch {
      // It went meanwhile; opening it will tell.
      return 0
    }
  }
  if (pending.length > MAX_FILES_DATED) return pending
  const dated = pending.map((file) => ({ file, mtime: mtimeOf(file) }))
  return dated.sort((a, b) => b.mtime - a.mtime).map(({ file }) => file)
}

interface Asked {
  readonly name: string
  readonly path: string
  readonly deadline: number
}

async function scanSession(request: ScanRequest, session: SourceSession, asked: Asked): Promise<FoundHit[]> {
  const { query, pace } = request
  const { sessionId, name, cwd } = readFacts(session.header, session.tree)
  const file: IndexedFile = {
    path: asked.path,
    source: asked.name,
    sessionId: sessionId ?? undefined,
    name: name ?? undefined,
    cwd: cwd ?? undefined,
  }
  const hits: FoundHit[] = []
  const nodes = isFileWanted(file, query.filters) ? findNodes(request, session, file) : []
  for (let at = 0; at < nodes.length; at += ROWS_AT_ONCE) {
    if (performance.now() >= asked.deadline) throw new OutOfTime()
    const some = nodes.slice(at, at + ROWS_AT_ONCE)
    const entries = await session.readEntries(some.map(({ row }) => row))
    for (const [index, node] of some.entries()) {
      await pace.step()
      const entry = entries[index]
      const description = entry && describeNode(entry)
      if (description === undefined || !isNodeWanted(description, query.filters)) continue
      const hit = hitOf(node, description, query)
      if (hit !== undefined) hits.push(hit)
    }
  }
  return hits
}

interface ScannedNode extends HitNode {
  readonly row: number
}

/** Those that can be hits by what is known without their bodies. */
function findNodes(request: ScanRequest, { tree, header }: SourceSession, file: IndexedFile): ScannedNode[] {
  const { after, includesDeleted } = request
  const { sinceMs, untilMs, isMuted } = request.query.filters
  const states = readStates(tree)
  const clock = createClock(header, tree, 0)
  const key = pathKey(file.path)
  const nodes: ScannedNode[] = []
  for (let row = 0; row < states.length; row++) {
    const time = clock(row)
    const flags = flagsOf(states, row)
    if (!counts(states, row) || (!includesDeleted && (flags & NodeFlag.deleted) !== 0)) continue
    if (isMuted !== undefined && isMuted !== ((flags & NodeFlag.muted) !== 0)) continue
    if ((sinceMs !== undefined && time < sinceMs) || (untilMs !== undefined && time >= untilMs)) continue
    const position = { time, offset: tree.heads.offset[row] as number, file: key }
    if (after !== undefined && comparePositions(after, position) >= 0) continue
    nodes.push({ in: file, id: tree.ids.textOf(tree.refAtRow(row)), flags, position, row })
  }
  return nodes
}

function isFileWanted(file: IndexedFile, { cwd, sessionId, source }: Filters): boolean {
  return (
    (cwd === undefined || cwd === file.cwd) &&
    (sessionId === undefined || sessionId === file.sessionId) &&
    (source === undefined || source === file.source)
  )
}

/** As the index would answer; names of tools without the case of ASCII letters. */
function isNodeWanted({ role, tools, paths, isError }: NodeDescription, filters: Filters): boolean {
  const { tool, path } = filters
  return (
    (filters.role === undefined || filters.role === role) &&
    (filters.isError === undefined || filters.isError === isError) &&
    (tool === undefined || tools.some((name) => asciiLower(name) === asciiLower(tool))) &&
    (path === undefined || paths.some((one) => one.includes(path)))
  )
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
