import type { FileStat } from '../storage/storage.ts'
import type { FileFacts } from './file-facts.ts'
import { BrokenIndexError, type IndexDatabase } from './index-database.ts'

/** What indexing needs to know of how far a log was indexed. */
export interface KnownFile {
  readonly fileId: number
  readonly identity: string
  readonly size: number
  readonly mtime: number
  readonly rows: number
  readonly mark: string
  readonly nodeStates: number
  readonly unreadableCount: number
  readonly firstPrompt: string | null
  readonly models: readonly string[]
  readonly problem: string | null
}

/** One row of `files`, but for the costs, which follow from `answers`. */
export interface FileRow extends FileFacts {
  readonly path: string
  readonly source: string
  readonly stat: FileStat | undefined
  readonly rows: number
  readonly mark: string
  readonly nodeStates: number
  readonly unreadableCount: number
  readonly firstPrompt: string | null
  readonly models: readonly string[]
  readonly damageCount: number
  readonly problem: string | null
}

export function findFile(db: IndexDatabase, path: string): KnownFile | undefined {
  const found = db
    .prepare(
      `SELECT file_id AS fileId, identity, size, mtime, rows, mark, node_states AS nodeStates,
       unreadable_count AS unreadableCount, first_prompt AS firstPrompt, models, problem FROM files WHERE path = ?`,
    )
    .get(path) as unknown as (Omit<KnownFile, 'models'> & { readonly models: string }) | undefined
  return found && { ...found, models: parseTexts(found.models) }
}

/** Writes the row of a log and returns its number, which a path keeps for as long as it is listed. */
export function writeFile(db: IndexDatabase, row: FileRow): number {
  const columns = columnsOf(row)
  const names = Object.keys(columns)
  const marks = names.map(() => '?').join(', ')
  const updates = names.map((name) => `${name} = excluded.${name}`).join(', ')
  const sql = `INSERT INTO files (${names.join(', ')}, ${COSTS.join(', ')}) VALUES (${marks}, ${COSTS.map(() => 0).join(', ')})
    ON CONFLICT (path) DO UPDATE SET ${updates} RETURNING file_id AS fileId`
  const { fileId } = db.prepare(sql).get(...Object.values(columns)) as { readonly fileId: number }
  return fileId
}

export function parseTexts(json: unknown): readonly string[] {
  let value: unknown
  try {
    value = typeof json === 'string' ? JSON.parse(json) : undefined
  } catch (error) {
    throw new BrokenIndexError('A list in the index cannot be parsed', { cause: error })
  }
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return value
  throw new BrokenIndexError('A list in the index is none')
}

const COSTS = ['', 'own_'].flatMap((prefix) =>
  ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens', 'cost'].map((name) => prefix + name),
)

function columnsOf(row: FileRow): Readonly<Record<string, string | number | null>> {
  return {
    path: row.path,
    source: row.source,
    identity: row.stat?.identity ?? '',
    size: row.stat?.size ?? 0,
    mtime: row.stat?.mtimeMs ?? 0,
    rows: row.rows,
    mark: row.mark,
    node_states: row.nodeStates,
    unreadable_count: row.unreadableCount,
    session_id: row.sessionId,
    reversed_id: row.sessionId === null ? null : reverse(row.sessionId),
    cwd: row.cwd,
    parent_session: row.parentSession,
    name: row.name,
    first_prompt: row.firstPrompt,
    created_at: row.createdAt,
    created_ms: row.createdMs,
    last_active_at: row.lastActiveAt,
    last_active_ms: row.lastActiveMs,
    entry_count: row.rows,
    message_count: row.messageCount,
    branch_count: row.branchCount,
    node_count: row.nodeCount,
    last_line: row.lastLine,
    leaf_id: row.leafId,
    models: JSON.stringify(row.models),
    tags: JSON.stringify(row.tags),
    is_pinned: Number(row.isPinned),
    is_archived: Number(row.isArchived),
    is_linear: Number(row.isLinear),
    damage_count: row.damageCount,
    problem: row.problem,
  }
}

/** So that the end of an id is the beginning of something. */
export function reverse(text: string): string {
  return [...text.toWellFormed()].reverse().join('')
}
