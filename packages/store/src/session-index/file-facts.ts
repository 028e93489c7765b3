import { attachedLeaf, Kind, ROOT, type SessionHeader, type Tree } from '@treeline/core'
import { lastSeq } from '../session/follow.ts'

/** What a list shows of a session that follows from its tree alone. */
export interface FileFacts {
  readonly sessionId: string | null
  readonly cwd: string | null
  readonly parentSession: string | null
  readonly name: string | null
  readonly createdAt: string | null
  /** Of a log that does not say: later than any other, so that no log is robbed of its costs by a damaged copy. */
  readonly createdMs: number
  readonly lastActiveAt: string | null
  readonly lastActiveMs: number
  readonly messageCount: number
  readonly branchCount: number
  readonly nodeCount: number
  readonly lastLine: number
  readonly leafId: string | null
  readonly tags: readonly string[]
  readonly isPinned: boolean
  readonly isArchived: boolean
  readonly isLinear: boolean
}

const MAX_DATE_MS = 8.64e15
const MAX_NAME_CHARS = 1000
const UNKNOWN_MS = Number.MAX_SAFE_INTEGER

export function readFacts(header: SessionHeader, tree: Tree): FileFacts {
  const { session } = tree.edits
  const created = timeOf(header.timestamp)
  const lastActiveMs = latest(tree, created ?? Number.NEGATIVE_INFINITY)
  const leaf = attachedLeaf(tree)
  const tags = session.get('tags')
  return {
    sessionId: textOr(header.id),
    cwd: textOr(header.cwd),
    parentSession: textOr(header.parentSession),
    name: nameOf(header, tree),
    createdAt: textOr(header.timestamp),
    createdMs: created ?? UNKNOWN_MS,
    lastActiveAt: lastActiveMs === undefined ? null : new Date(lastActiveMs).toISOString(),
    lastActiveMs: lastActiveMs ?? 0,
    messageCount: countMessages(tree),
    ...countNodes(tree),
    lastLine: lastSeq(tree),
    leafId: leaf === ROOT ? null : tree.ids.textOf(leaf),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
    isPinned: session.get('pinned') === true || session.get('starred') === true,
    isArchived: session.get('archived') === true,
    isLinear: session.get('mode') === 'linear',
  }
}

/** Of a row without a valid time, that of the line before; of the first ones, that of the header. */
export function createClock(header: SessionHeader, { heads }: Tree, from: number): (row: number) => number {
  let timeMs = timeOf(header.timestamp) ?? 0
  for (let row = from - 1; row >= 0; row--) {
    if (!isTime(heads.timeMs[row]!)) continue
    timeMs = Math.trunc(heads.timeMs[row]!)
    break
  }
  let next = from
  return (row) => {
    for (; next <= row; next++) if (isTime(heads.timeMs[next]!)) timeMs = Math.trunc(heads.timeMs[next]!)
    return timeMs
  }
}

function nameOf({ title }: SessionHeader, { edits }: Tree): string | null {
  const name = edits.name === undefined ? textOr(title) : edits.name
  return name?.slice(0, MAX_NAME_CHARS).toWellFormed() ?? null
}

/** The latest event, not the last line: a fork's lines are older than itself (X72). */
function latest({ heads, rowCount }: Tree, created: number): number | undefined {
  let found = created
  const { timeMs } = heads
  for (let row = 0; row < rowCount; row++) if (timeMs[row]! > found && isTime(timeMs[row]!)) found = timeMs[row]!
  return Number.isFinite(found) ? Math.trunc(found) : undefined
}

function countMessages({ heads, rowCount }: Tree): number {
  const { kind } = heads
  let count = 0
  for (let row = 0; row < rowCount; row++) if (kind[row] === Kind.message) count++
  return count
}

function countNodes({ columns }: Tree): Pick<FileFacts, 'nodeCount' | 'branchCount'> {
  const { firstChild } = columns
  let nodeCount = 0
  let branchCount = 0
  for (const ref of columns.subtree(ROOT)) {
    if (ref === ROOT) continue
    nodeCount++
    if (firstChild[ref] === 0) branchCount++
  }
  return { nodeCount, branchCount }
}

function timeOf(timestamp: unknown): number | undefined {
  const timeMs = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  return isTime(timeMs) ? timeMs : undefined
}

function isTime(timeMs: number): boolean {
  return Math.abs(timeMs) <= MAX_DATE_MS
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
