import { parseTexts } from './file-row.ts'
import { BrokenIndexError } from './index-database.ts'
import type { IndexedSession, Usage } from './session-index.ts'

/** The values of `SESSION_COLUMNS`, as SQLite gives them. */
export type SessionRow = readonly unknown[]

/** What `toSession` needs, and first what lists are paged and checked by. */
export const SESSION_COLUMNS = `path, source, last_active_ms, size, mtime, identity, name, first_prompt, cwd, session_id,
  parent_session, created_at, last_active_at, entry_count, message_count, branch_count, leaf_id, models, tags,
  is_pinned, is_archived, damage_count, problem, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
  cost, own_input_tokens, own_output_tokens, own_cache_read_tokens, own_cache_write_tokens, own_cost,
  node_count, last_line, is_linear`

const USAGE_AT = 23
const OWN_USAGE_AT = 28

export function toSession(row: SessionRow): IndexedSession {
  return {
    id: textOr(row[9]),
    path: text(row[0]),
    source: text(row[1]),
    cwd: textOr(row[8]),
    parentSession: textOr(row[10]),
    name: textOr(row[6]),
    firstPrompt: textOr(row[7]),
    createdAt: textOr(row[11]),
    lastActiveAt: textOr(row[12]),
    entryCount: number(row[13]),
    messageCount: number(row[14]),
    branchCount: number(row[15]),
    nodeCount: number(row[33]),
    lastSeq: number(row[34]),
    leafId: textOr(row[16]) ?? null,
    models: texts(row[17]),
    usage: toUsage(row, USAGE_AT),
    ownUsage: toUsage(row, OWN_USAGE_AT),
    isPinned: row[19] === 1,
    isArchived: row[20] === 1,
    isLinear: row[35] === 1,
    tags: texts(row[18]),
    sizeBytes: number(row[3]),
    damageCount: number(row[21]),
    problem: textOr(row[22]),
  }
}

/** Five columns in the order of the table. */
export function toUsage(row: SessionRow, from: number): Usage {
  return {
    inputTokens: number(row[from]),
    outputTokens: number(row[from + 1]),
    cacheReadTokens: number(row[from + 2]),
    cacheWriteTokens: number(row[from + 3]),
    cost: number(row[from + 4]),
  }
}

/** By what a file is known to be the same. */
export interface ListedFile {
  readonly path: string
  readonly source: string
  readonly size: unknown
  readonly mtime: unknown
  readonly identity: unknown
}

export function toListedFile(row: SessionRow): ListedFile {
  return {
    path: text(row[0]),
    source: text(row[1]),
    size: row[3],
    mtime: row[4],
    identity: row[5],
  }
}

/** What a list is searched for words in. */
export function shownText(row: SessionRow): string {
  return `${row[6] ?? ''}\n${row[7] ?? ''}\n${row[8] ?? ''}`
}

const NONE: readonly string[] = []

function texts(value: unknown): readonly string[] {
  return value === '[]' ? NONE : parseTexts(value)
}

/** The types of a damaged database are not those of its tables. */
function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new BrokenIndexError('A text in the index is none')
}

export function number(value: unknown): number {
  if (typeof value === 'number') return value
  throw new BrokenIndexError('A number in the index is none')
}

export function textOr(value: unknown): string | undefined {
  return value === null ? undefined : text(value)
}
