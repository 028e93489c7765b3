import { type Entry, Kind, textOf } from '@treeline/core'
import { describeNode } from '../search/describe-node.ts'
import type { FileStat } from '../storage/storage.ts'
import { Answers, storedModel } from './answers.ts'
import { createClock, readFacts } from './file-facts.ts'
import { type FileRow, findFile, type KnownFile, writeFile } from './file-row.ts'
import type { IndexDatabase } from './index-database.ts'
import { checksum, counts, flagsOf, type NodeStates, readStates } from './node-states.ts'
import { NodeWriter } from './node-writer.ts'
import type { Pace } from './pace.ts'
import { removeNodes } from './remove-file.ts'
import { NodeFlag } from './schema.ts'
import type { NodePlace, SessionSource, SourceSession } from './session-source.ts'
import { inTransaction } from './transaction.ts'
import { readAnswer, readModel } from './usage.ts'

export interface IndexFileOptions {
  readonly db: IndexDatabase
  readonly source: SessionSource
  readonly path: string
  /** From before the log is opened: what is appended meanwhile is looked at again. */
  readonly stat: FileStat
  readonly pace: Pace
  readonly onBytes: (bytes: number) => void
}

const BATCH_ROWS = 128
const BATCH_BYTES = 1024 * 1024
const COMPARED_AT_ONCE = 1000
const MAX_PROMPT_CHARS = 400
/** More than anyone uses in a session: a list reads them all. */
const MAX_MODELS = 100
/** Kinds whose bodies say something that the index keeps. */
const READ: ReadonlySet<number | undefined> = new Set([
  Kind.message,
  Kind.compaction,
  Kind.branch_summary,
  Kind.custom_message,
  Kind.usage,
  Kind.model_usage,
])

/**
 * Brings one log's part of the index up to date, all of it or nothing. A log that only grew is read from where indexing
 * ended; one that was replaced, cut or rewritten, as a whole.
 */
export async function indexFile(options: IndexFileOptions): Promise<void> {
  const { db, source, path, stat } = options
  await using session = await source.open(path)
  const known = findFile(db, path)
  const from = known !== undefined && (await continues(session, known, stat)) ? known.rows : 0
  const work = new FileWork(options, session, from === 0 ? undefined : known)
  await inTransaction(db, () => work.run())
}

/** A file of the same size that was written to since was changed inside, as oh-my-pi does with titles. */
async function continues({ tree, markAt }: SourceSession, known: KnownFile, stat: FileStat): Promise<boolean> {
  if (known.problem !== null || known.rows === 0 || known.identity !== stat.identity) return false
  if (stat.size <= known.size || tree.rowCount < known.rows) return false
  return known.mark === (await markAt(known.rows))
}

interface KnownNode {
  readonly docid: number
  readonly offset: number
  readonly flags: number
}

class FileWork {
  private readonly options: IndexFileOptions
  private readonly session: SourceSession
  private readonly known: KnownFile | undefined
  private readonly states: NodeStates
  private readonly models: Set<string>
  private firstPrompt: string | null
  private unreadableCount: number

  /** `known` only when indexing goes on from there. */
  constructor(options: IndexFileOptions, session: SourceSession, known: KnownFile | undefined) {
    this.options = options
    this.session = session
    this.known = known
    this.states = readStates(session.tree)
    this.models = new Set(known?.models)
    this.firstPrompt = known?.firstPrompt ?? null
    this.unreadableCount = known?.unreadableCount ?? 0
  }

  async run(): Promise<void> {
    const { db, pace } = this.options
    // With what is known by now: whose an answer is depends on it.
    const row = await this.describeFile()
    const fileId = writeFile(db, row)
    const answers = new Answers(db, fileId)
    const nodes = new NodeWriter(db, fileId)
    if (this.known === undefined) {
      await removeNodes(db, nodes, fileId, pace)
      answers.removeAll()
    }
    const { rowCount } = this.session.tree
    const from = this.known?.rows ?? 0
    await this.take(await this.rowsToRead(nodes, from, rowCount), nodes, answers)
    nodes.finish()
    const { models, firstPrompt, unreadableCount } = this
    const damageCount = row.damageCount + unreadableCount
    writeFile(db, { ...row, models: [...models], firstPrompt, unreadableCount, damageCount })
    answers.finish()
  }

  /** But for what its bodies say. */
  private async describeFile(): Promise<FileRow> {
    const { source, path, stat } = this.options
    const { tree, header, damageCount } = this.session
    const rows = tree.rowCount
    return {
      ...readFacts(header, tree),
      path,
      source: source.name,
      stat,
      rows,
      mark: await this.session.markAt(rows),
      nodeStates: checksum(this.states, rows),
      unreadableCount: 0,
      firstPrompt: null,
      models: [],
      damageCount,
      problem: null,
    }
  }

  /** The new rows. When they changed how older ones are read, also what is missing of those. */
  private async rowsToRead(nodes: NodeWriter, from: number, end: number): Promise<number[]> {
    const { kind } = this.session.tree.heads
    const rows: number[] = []
    if (this.known !== undefined && checksum(this.states, from) !== this.known.nodeStates) {
      const present = await this.compareKnown(nodes, this.known.fileId)
      for (let row = 0; row < from; row++) if (counts(this.states, row) && !present.has(row)) rows.push(row)
    }
    for (let row = from; row < end; row++) if (READ.has(kind[row])) rows.push(row)
    return rows
  }

  /** Brings flags up to date and removes what counts no longer; returns the rows that have a node. */
  private async compareKnown(nodes: NodeWriter, fileId: number): Promise<ReadonlySet<number>> {
    const { states } = this
    const { db, pace } = this.options
    const { heads, rowCount } = this.session.tree
    const select = db.prepare(
      `SELECT docid, offset, flags FROM nodes WHERE file_id = ? AND docid > ? ORDER BY docid LIMIT ${COMPARED_AT_ONCE}`,
    )
    const present = new Set<number>()
    for (let last = 0; ; ) {
      const found = select.all(fileId, last) as unknown as readonly KnownNode[]
      for (const { docid, offset, flags } of found) {
        last = docid
        const row = findOffset(heads.offset, rowCount, offset)
        if (row < 0 || !counts(states, row)) nodes.remove(docid)
        else {
          present.add(row)
          if ((flags & ~NodeFlag.error) !== flagsOf(states, row)) nodes.setFlags(docid, flagsOf(states, row))
        }
        await pace.step()
      }
      if (found.length < COMPARED_AT_ONCE) return present
    }
  }

  private async take(rows: readonly number[], nodes: NodeWriter, answers: Answers): Promise<void> {
    const { session, options, states } = this
    const { heads } = session.tree
    const from = this.known?.rows ?? 0
    const clock = createClock(session.header, session.tree, rows[0] ?? 0)
    for (let start = 0; start < rows.length; ) {
      const batch = nextBatch(rows, start, (row) => heads.lengthOf(row))
      const entries = await session.readEntries(batch)
      for (const [i, row] of batch.entries()) {
        const timeMs = clock(row)
        const entry = entries[i]
        if (row >= from) this.note(entry, timeMs, answers)
        const description = entry !== undefined && counts(states, row) ? describeNode(entry) : undefined
        if (description !== undefined) nodes.add(this.placeOf(row), timeMs, flagsOf(states, row), description)
        options.onBytes(heads.lengthOf(row))
        await options.pace.step()
      }
      start += batch.length
    }
  }

  private note(entry: Entry | undefined, timeMs: number, answers: Answers): void {
    if (entry === undefined) {
      this.unreadableCount++
      return
    }
    const model = readModel(entry)
    if (model !== undefined && this.models.size < MAX_MODELS) {
      this.models.add(storedModel(model))
    }
    const answer = readAnswer(entry)
    if (answer !== undefined) answers.add(answer, timeMs)
    this.firstPrompt ??= promptOf(entry)
  }

  private placeOf(row: number): NodePlace {
    const { tree } = this.session
    const { heads, ids } = tree
    return { id: ids.textOf(tree.refAtRow(row)), offset: heads.offset[row]!, length: heads.lengthOf(row) }
  }
}

/** As many as are read together: bodies take memory, and others want their turn. */
function nextBatch(rows: readonly number[], start: number, lengthOf: (row: number) => number): readonly number[] {
  let bytes = 0
  let end = start
  for (; end < rows.length && end - start < BATCH_ROWS; end++) {
    bytes += lengthOf(rows[end]!)
    if (bytes > BATCH_BYTES && end > start) break
  }
  return rows.slice(start, end)
}

/** The row whose record begins at this byte, -1 for none. Offsets ascend. */
function findOffset(offsets: Float64Array, count: number, offset: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (offsets[middle]! < offset) low = middle + 1
    else high = middle
  }
  return low < count && offsets[low] === offset ? low : -1
}

function promptOf(entry: Entry): string | null {
  const { message } = entry as { readonly message?: { readonly role?: unknown } | null }
  if (entry.type !== 'message' || message?.role !== 'user') return null
  const text = textOf(entry)
  return text.trim() === '' ? null : text.slice(0, MAX_PROMPT_CHARS).toWellFormed()
}
