import type { Pace } from '../session-index/pace.ts'
import type { NodePlace } from '../session-index/session-source.ts'
import type { StatementSync } from '../sqlite.ts'
import { type CandidateQuery, type Parameters, planCandidates, ZONE_SIZE, type Zone } from './candidate-sql.ts'
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
  /** Files that are searched otherwise. */
  readonly leftOut: ReadonlySet<string>
  readonly pace: Pace
}

interface KnownFile {
  readonly file: IndexedFile
  readonly key: string
}

type Row = Record<string, unknown>

/**
 * Candidates in the order of the answer. The index has them by docid, which is only about the order of time; a zone's
 * bound says when all that could be newer has been seen.
 */
export class Candidates {
  private readonly options: CandidatesOptions
  private readonly zones: Zone[]
  private readonly select: StatementSync | undefined
  private readonly parameters: Parameters
  private readonly files = new Map<number, KnownFile | undefined>()
  private readonly readFile: StatementSync
  /** In order; the first may be handed out when they are newer than every zone. */
  private waiting: Candidate[] = []

  constructor(options: CandidatesOptions) {
    this.options = options
    const { text, parameters, zones } = planCandidates(options)
    this.parameters = parameters
    this.zones = zones
    this.select = zones.length === 0 ? undefined : options.db.prepare(text)
    this.readFile = options.db.prepare('SELECT path, source, session_id, name, cwd FROM files WHERE file_id = ?')
  }

  /** The next ones, at most so many; none at the end. */
  async next(count: number): Promise<Candidate[]> {
    let bound = this.bound()
    while (bound > Number.NEGATIVE_INFINITY && (this.waiting[0]?.time ?? Number.NEGATIVE_INFINITY) <= bound) {
      await this.options.pace.step()
      this.readPiece(bound)
      bound = this.bound()
    }
    const older = this.waiting.findIndex((candidate) => candidate.time <= bound)
    return this.waiting.splice(0, Math.min(count, older < 0 ? count : older))
  }

  private bound(): number {
    return this.zones.reduce((newest, zone) => Math.max(newest, zone.newest), Number.NEGATIVE_INFINITY)
  }

  private readPiece(newest: number): void {
    const index = this.zones.findIndex((zone) => zone.newest === newest)
    const zone = this.zones[index] as Zone
    const { low, high, lastTime, lastDocid, piece } = zone
    const rows = this.select?.all({ ...this.parameters, low, high, lastTime, lastDocid, piece }) ?? []
    const last = rows.at(-1)
    if (last === undefined || rows.length < piece) this.zones.splice(index, 1)
    else {
      zone.newest = Number(last.time)
      zone.lastTime = Number(last.time)
      zone.lastDocid = Number(last.docid)
      zone.piece = Math.min(ZONE_SIZE, piece * 4)
    }
    const { after } = this.options
    const found = rows.map((row) => this.toCandidate(row)).filter((candidate) => candidate !== undefined)
    const wanted = after ? found.filter((candidate) => comparePositions(after, candidate) < 0) : found
    this.waiting = [...this.waiting, ...wanted].sort(comparePositions)
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
    const known = file && !this.options.leftOut.has(file.path) ? { file, key: pathKey(file.path) } : undefined
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
