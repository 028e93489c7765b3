import type { Pace } from '../session-index/pace.ts'
import type { NodePlace } from '../session-index/session-source.ts'
import type { StatementSync } from '../sqlite.ts'
import { type CandidatePlan, type CandidateQuery, planCandidates } from './candidate-sql.ts'
import { comparePositions, type Position, pathKey } from './order.ts'

export interface IndexedFile {
  readonly path: string
  readonly source: string
  readonly sessionId: string | undefined
  readonly name: string | undefined
  readonly cwd: string | undefined
}

/** A node that may be a hit, as far as the index can tell. */
export interface Candidate extends NodePlace, Position {
  readonly in: IndexedFile
  readonly flags: number
}

export interface CandidatesOptions extends CandidateQuery {
  /** Only files of these are looked at: another process may use the same index with more of them. */
  readonly sources: ReadonlyMap<string, unknown>
  /** Files that are searched otherwise. */
  readonly leftOut: ReadonlySet<string>
  readonly pace: Pace
}

interface KnownFile {
  readonly file: IndexedFile
  readonly key: string
}

type Row = Record<string, unknown>

/** Docids looked at in one question to the index, and candidates taken from it: few at first, as a page needs few. */
const FIRST_SPAN = 4096
const MAX_SPAN = 262_144
const FIRST_PIECE = 64
const MAX_PIECE = 4096
const SPAN_GROWTH = 4
const PIECE_GROWTH = 2
/** A page needs some more than the first piece had, more often than many more. */
const EQUAL_PIECES = 3

/**
 * Candidates in the order of the answer. The index has them by docid, which is only about the order of time; the bounds
 * of its zones say when all that could be newer has been seen.
 */
export class Candidates {
  private readonly options: CandidatesOptions
  private readonly plan: CandidatePlan | undefined
  private readonly select: StatementSync | undefined
  private readonly files = new Map<number, KnownFile | undefined>()
  private readonly readFile: StatementSync
  private readonly lastDocid: number
  /** Docids from here on were read. */
  private below: number
  /** No candidate that is still to be read is newer. */
  private bound: number
  private span = FIRST_SPAN
  private piece = FIRST_PIECE
  private pieces = 0
  /** In order once that matters; the first may be handed out when they are newer than the bound. */
  private waiting: Candidate[] = []
  private isInOrder = true
  /** Of those waiting, those handed out already. */
  private handedOut = 0
  /** Of those still to be handed out. */
  private newest = Number.NEGATIVE_INFINITY

  constructor(options: CandidatesOptions) {
    this.options = options
    // Before anything else, so that what comes later is noticed.
    this.lastDocid = Number(options.db.prepare('SELECT max(docid) AS last FROM nodes').get()?.last ?? 0)
    this.plan = planCandidates(options)
    this.select = this.plan && options.db.prepare(this.plan.text)
    this.below = this.plan?.below ?? 0
    this.bound = this.plan?.newestBelow(this.below) ?? Number.NEGATIVE_INFINITY
    this.readFile = options.db.prepare('SELECT path, source, session_id, name, cwd FROM files WHERE file_id = ?')
  }

  /** The next ones, at most so many; none at the end. */
  async next(count: number): Promise<Candidate[]> {
    while (this.bound > Number.NEGATIVE_INFINITY && this.newest <= this.bound) {
      await this.options.pace.step()
      this.readPiece()
    }
    // One node from the future keeps all others waiting: they must not be sorted again for each piece.
    if (!this.isInOrder) this.waiting.sort(comparePositions)
    this.isInOrder = true
    const { waiting, bound, handedOut } = this
    let end = handedOut
    while (end < waiting.length && end < handedOut + count && waiting[end]!.time > bound) end++
    this.handedOut = end
    this.newest = waiting[end]?.time ?? Number.NEGATIVE_INFINITY
    return waiting.slice(handedOut, end)
  }

  /**
   * Files that were indexed since the search began. Their nodes have new docids, beyond those that are read, and the old
   * ones may have gone before they were.
   */
  findReindexed(): string[] {
    if (this.plan === undefined) return []
    // By itself SQLite would go through all nodes, by their files.
    const sql = 'SELECT DISTINCT file_id FROM nodes NOT INDEXED WHERE docid > ?'
    const rows = this.options.db.prepare(sql).all(this.lastDocid)
    const wanted = this.plan.fileIds && new Set(this.plan.fileIds)
    const found = rows.map((row) => Number(row.file_id)).filter((id) => wanted === undefined || wanted.has(id))
    return found.flatMap((id) => this.learnFile(id)?.file.path ?? [])
  }

  private readPiece(): void {
    const { plan, select, span, piece } = this
    if (plan === undefined || select === undefined) return
    const from = Math.max(plan.from, this.below - span)
    const rows = select.all({ ...plan.parameters, from, below: this.below, piece })
    this.below = rows.length < piece ? from : Number(rows.at(-1)?.docid)
    this.bound = this.below <= plan.from ? Number.NEGATIVE_INFINITY : plan.newestBelow(this.below)
    this.span = Math.min(MAX_SPAN, span * SPAN_GROWTH)
    if (++this.pieces >= EQUAL_PIECES) this.piece = Math.min(MAX_PIECE, piece * PIECE_GROWTH)
    const { after } = this.options
    const found = rows.map((row) => this.toCandidate(row)).filter((candidate) => candidate !== undefined)
    this.waiting.splice(0, this.handedOut)
    this.handedOut = 0
    for (const candidate of found) {
      if (after !== undefined && comparePositions(after, candidate) >= 0) continue
      this.waiting.push(candidate)
      this.newest = Math.max(this.newest, candidate.time)
      this.isInOrder = false
    }
  }

  private toCandidate(row: Row): Candidate | undefined {
    const fileId = Number(row.file_id)
    const known = this.files.has(fileId) ? this.files.get(fileId) : this.learnFile(fileId)
    if (known === undefined) return undefined
    return {
      in: known.file,
      file: known.key,
      id: String(row.entry_id),
      offset: Number(row.offset),
      length: Number(row.length),
      time: Number(row.time),
      flags: Number(row.flags),
    }
  }

  private learnFile(fileId: number): KnownFile | undefined {
    const row = this.readFile.get(fileId)
    const file = row && toFile(row)
    const { sources, leftOut } = this.options
    const isWanted = file !== undefined && sources.has(file.source) && !leftOut.has(file.path)
    const known = isWanted ? { file, key: pathKey(file.path) } : undefined
    this.files.set(fileId, known)
    return known
  }
}

function toFile(row: Row): IndexedFile {
  return {
    path: String(row.path),
    source: String(row.source),
    sessionId: textOr(row.session_id),
    name: textOr(row.name),
    cwd: textOr(row.cwd),
  }
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
