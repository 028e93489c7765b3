import { FacetKind, NodeFlag, ZONE_BITS } from '../session-index/schema.ts'
import type { DatabaseSync } from '../sqlite.ts'
import type { Filters } from './filters.ts'
import type { Position } from './order.ts'
import { roleCode } from './roles.ts'
import { type IndexQuery, indexQuery } from './terms.ts'

/** A connection, or what keeps its statements prepared: the same few are asked for again and again. */
export type SearchDatabase = Pick<DatabaseSync, 'prepare'>

/** What the index is asked for. */
export interface CandidateQuery {
  readonly db: SearchDatabase
  readonly terms: readonly string[]
  readonly filters: Filters
  readonly includesDeleted: boolean
  /** Only what comes behind it. */
  readonly after: Position | undefined
}

export type Parameters = Record<string, string | number>

export interface CandidatePlan {
  /** Takes `from`, `below` and `piece` besides the parameters; docids descend. */
  readonly text: string
  readonly parameters: Parameters
  /** Docids that may be candidates: `[from, below)`. */
  readonly from: number
  readonly below: number
  /** Of the files that the filters leave; `undefined` for all. */
  readonly fileIds: readonly number[] | undefined
  /** No node with a smaller docid is newer than this. */
  newestBelow(docid: number): number
}

const ZONE_SIZE = 2 ** ZONE_BITS
const MAX_FEW_FILES = 16

/** How to read the candidates of a query; `undefined` when there are none. */
export function planCandidates(query: CandidateQuery): CandidatePlan | undefined {
  const fileIds = findFiles(query.db, query.filters)
  const range = findRange(query.db, fileIds)
  if (range === undefined) return undefined
  const newestBelow = boundTimes(query)
  return { ...candidateSql(query, fileIds, indexQuery(query.terms)), ...range, fileIds, newestBelow }
}

/** The files that the filters leave; `undefined` for all. */
function findFiles(db: SearchDatabase, { cwd, sessionId, source }: Filters): number[] | undefined {
  if (cwd === undefined && sessionId === undefined && source === undefined) return undefined
  const rows = db
    .prepare(
      `SELECT file_id FROM files
        WHERE (?1 IS NULL OR cwd = ?1) AND (?2 IS NULL OR session_id = ?2) AND (?3 IS NULL OR source = ?3)`,
    )
    .all(cwd ?? null, sessionId ?? null, source ?? null)
  return rows.map((row) => Number(row.file_id))
}

/** A search in a few files needs only the docids between their first and their last. */
function findRange(
  db: SearchDatabase,
  fileIds: readonly number[] | undefined,
): Pick<CandidatePlan, 'from' | 'below'> | undefined {
  const isFew = fileIds !== undefined && fileIds.length <= MAX_FEW_FILES
  const ofFiles = isFew ? 'WHERE file_id IN (SELECT value FROM json_each(?1))' : ''
  // Two questions, because SQLite answers only one of them without looking at every row.
  const statement = db.prepare(
    `SELECT (SELECT min(docid) FROM nodes ${ofFiles}) AS first, (SELECT max(docid) FROM nodes ${ofFiles}) AS last`,
  )
  const row = isFew ? statement.get(JSON.stringify(fileIds)) : statement.get()
  return typeof row?.last === 'number' ? { from: Number(row.first), below: row.last + 1 } : undefined
}

/**
 * The newest of all docids below one: what `zones` says of the zones before its own, and the nodes themselves within it.
 * A whole zone has many more candidates than a page needs, all of which would have to be read before one is sure.
 */
function boundTimes({ db, filters, after }: CandidateQuery): (docid: number) => number {
  const latest = Math.min(after?.time ?? Number.MAX_SAFE_INTEGER, filters.untilMs ?? Number.MAX_SAFE_INTEGER)
  const earliest = filters.sinceMs ?? Number.NEGATIVE_INFINITY
  const select = db.prepare(
    `SELECT (SELECT max(newest) FROM zones WHERE zone < ?1) AS before,
      (SELECT max(time) FROM nodes NOT INDEXED WHERE docid >= ?2 AND docid < ?3) AS within`,
  )
  return (docid) => {
    const zone = Math.floor((docid - 1) / ZONE_SIZE)
    const row = select.get(zone, zone * ZONE_SIZE, docid)
    const newest = Math.max(timeOf(row?.before), timeOf(row?.within))
    const bound = Math.min(newest, latest)
    return bound < earliest ? Number.NEGATIVE_INFINITY : bound
  }
}

function timeOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NEGATIVE_INFINITY
}

/** Made of fixed words; everything a caller gave is a parameter. */
function candidateSql(query: CandidateQuery, fileIds: readonly number[] | undefined, { grams, words }: IndexQuery) {
  const { filters, after, includesDeleted } = query
  const parameters: Parameters = {}
  const conditions: string[] = []
  const add = (condition: string, given: Parameters = {}) => {
    conditions.push(condition)
    Object.assign(parameters, given)
  }
  // The full text table comes first. It cannot skip, but read from its end it need not: the newest are there.
  const table = grams === undefined ? (words === undefined ? undefined : 'words') : 'grams'
  const docid = table === undefined ? 'n.docid' : `${table}.rowid`
  conditions.push(`${docid} >= :from AND ${docid} < :below`)
  if (grams !== undefined) add('grams MATCH :grams', { grams })
  if (words !== undefined && grams === undefined) add('words MATCH :words', { words })
  else if (words !== undefined) {
    add('n.docid IN (SELECT rowid FROM words WHERE words MATCH :words AND rowid >= :from AND rowid < :below)', {
      words,
    })
  }
  if (fileIds !== undefined) {
    add('n.file_id IN (SELECT value FROM json_each(:files))', { files: JSON.stringify(fileIds) })
  }
  if (filters.role !== undefined) add('n.role = :role', { role: roleCode(filters.role) })
  if (filters.isError !== undefined) add(flagCondition(NodeFlag.error, filters.isError))
  if (filters.isMuted !== undefined) add(flagCondition(NodeFlag.muted, filters.isMuted))
  if (!includesDeleted) add(flagCondition(NodeFlag.deleted, false))
  if (filters.sinceMs !== undefined) add('n.time >= :since', { since: filters.sinceMs })
  if (filters.untilMs !== undefined) add('n.time < :until', { until: filters.untilMs })
  if (after !== undefined) add('n.time <= :after', { after: after.time })
  if (filters.tool !== undefined) {
    add(facetCondition(FacetKind.tool, 'value = :tool COLLATE NOCASE'), { tool: filters.tool })
  }
  if (filters.path !== undefined) {
    add(facetCondition(FacetKind.path, 'instr(value, :path) > 0'), { path: filters.path })
  }
  const from = table === undefined ? 'nodes AS n' : `${table} CROSS JOIN nodes AS n ON n.docid = ${table}.rowid`
  const text = `SELECT n.docid, n.file_id, n.entry_id, n.offset, n.length, n.time, n.flags FROM ${from}
    WHERE ${conditions.join(' AND ')} ORDER BY ${docid} DESC LIMIT :piece`
  return { text, parameters }
}

function flagCondition(flag: number, isSet: boolean): string {
  return `(n.flags & ${flag}) ${isSet ? '<>' : '='} 0`
}

function facetCondition(kind: number, condition: string): string {
  return `EXISTS (SELECT 1 FROM facets WHERE docid = n.docid AND kind = ${kind} AND ${condition})`
}
