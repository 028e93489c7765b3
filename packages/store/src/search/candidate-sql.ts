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

/** A stretch of docids that is read a piece at a time, newest first. */
export interface Zone {
  readonly low: number
  readonly high: number
  /** No node that is still to be read is newer. */
  newest: number
  /** The one that was read last. */
  lastTime: number
  lastDocid: number
  piece: number
}

export type Parameters = Record<string, string | number>

export interface CandidatePlan {
  /** Takes `low`, `high`, `lastTime`, `lastDocid` and `piece` besides the parameters. */
  readonly text: string
  readonly parameters: Parameters
  readonly zones: Zone[]
}

export const ZONE_SIZE = 2 ** ZONE_BITS
const FIRST_PIECE = 128
const MAX_ZONED_FILES = 16
/** So few matches are read together wherever they are. */
const FEW = 500

/** How to read the candidates of a query: zone by zone, or all at once when they are few. */
export function planCandidates(query: CandidateQuery): CandidatePlan {
  const { db, filters, terms } = query
  const fileIds = findFiles(db, filters)
  const asked = indexQuery(terms)
  const inGrams = countFew(db, 'grams', asked.grams)
  const inWords = inGrams > FEW ? countFew(db, 'words', asked.words) : Number.POSITIVE_INFINITY
  const few = Math.min(inGrams, inWords)
  if (fileIds?.length === 0 || few === 0) return { text: '', parameters: {}, zones: [] }
  if (few > FEW) return { ...candidateSql(query, fileIds, asked), zones: findZones(query, fileIds) }
  // A table in which few texts match tells all that is needed: what they say is looked at anyway.
  const rare = inGrams <= FEW ? { ...asked, words: undefined } : { ...asked, grams: undefined }
  return { ...candidateSql(query, fileIds, rare), zones: [wholeZone(findZones(query, undefined))] }
}

/** Counts no further than what is few. */
function countFew(db: SearchDatabase, table: 'grams' | 'words', tokens: string | undefined): number {
  if (tokens === undefined) return Number.POSITIVE_INFINITY
  const text = `SELECT count(*) AS found FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ${FEW + 1})`
  return Number(db.prepare(text).get(tokens)?.found)
}

function wholeZone(zones: readonly Zone[]): Zone {
  const newest = zones.reduce((latest, zone) => Math.max(latest, zone.newest), Number.MIN_SAFE_INTEGER)
  return { ...createZone(0, newest), high: Number.MAX_SAFE_INTEGER, piece: FEW + 1 }
}

function createZone(low: number, newest: number): Zone {
  const nothing = { lastTime: Number.MAX_SAFE_INTEGER, lastDocid: Number.MAX_SAFE_INTEGER }
  return { low, high: low + ZONE_SIZE - 1, newest, ...nothing, piece: FIRST_PIECE }
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

/** A search in a few files needs the few zones that these have a part in. */
function findZones({ db, filters, after }: CandidateQuery, fileIds: readonly number[] | undefined): Zone[] {
  const isFew = fileIds !== undefined && fileIds.length <= MAX_ZONED_FILES
  const ofFiles = `AND zone IN (
    SELECT DISTINCT docid >> ${ZONE_BITS} FROM nodes WHERE file_id IN (SELECT value FROM json_each(?2)))`
  const statement = db.prepare(`SELECT zone, newest FROM zones WHERE newest >= ?1 ${isFew ? ofFiles : ''}`)
  const since = filters.sinceMs ?? Number.MIN_SAFE_INTEGER
  const latest = Math.min(after?.time ?? Number.MAX_SAFE_INTEGER, filters.untilMs ?? Number.MAX_SAFE_INTEGER)
  const rows = isFew ? statement.all(since, JSON.stringify(fileIds)) : statement.all(since)
  return rows.map((row) => {
    const low = Number(row.zone) * ZONE_SIZE
    return createZone(low, Math.min(Number(row.newest), latest))
  })
}

/** Made of fixed words; everything a caller gave is a parameter. */
function candidateSql(query: CandidateQuery, fileIds: readonly number[] | undefined, { grams, words }: IndexQuery) {
  const { filters, after, includesDeleted } = query
  const parameters: Parameters = {}
  const conditions = ['n.docid BETWEEN :low AND :high', '(n.time, n.docid) < (:lastTime, :lastDocid)']
  const add = (condition: string, given: Parameters = {}) => {
    conditions.push(condition)
    Object.assign(parameters, given)
  }
  // The full text table comes first, and is told which docids: it skips to them.
  const table = grams === undefined ? (words === undefined ? undefined : 'words') : 'grams'
  if (grams !== undefined) add('grams MATCH :grams AND grams.rowid BETWEEN :low AND :high', { grams })
  if (words !== undefined && grams === undefined) {
    add('words MATCH :words AND words.rowid BETWEEN :low AND :high', { words })
  } else if (words !== undefined) {
    add('n.docid IN (SELECT rowid FROM words WHERE words MATCH :words AND rowid BETWEEN :low AND :high)', { words })
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
    WHERE ${conditions.join(' AND ')} ORDER BY n.time DESC, n.docid DESC LIMIT :piece`
  return { text, parameters }
}

function flagCondition(flag: number, isSet: boolean): string {
  return `(n.flags & ${flag}) ${isSet ? '<>' : '='} 0`
}

function facetCondition(kind: number, condition: string): string {
  return `EXISTS (SELECT 1 FROM facets WHERE docid = n.docid AND kind = ${kind} AND ${condition})`
}
