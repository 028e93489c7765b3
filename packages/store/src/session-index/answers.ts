import { BrokenIndexError, type IndexDatabase } from './index-database.ts'
import type { Answer } from './usage.ts'

/**
 * What the answers in one log cost, while it is indexed. A line that forks copied is in several logs; it counts for the
 * one that was made first, and among equals for the one whose path comes first. So the sums do not depend on the order
 * in which logs are found, change and go.
 */
export class Answers {
  private readonly db: IndexDatabase
  private readonly fileId: number
  /** Other logs whose own sums have changed. */
  private readonly affected = new Set<number>()

  constructor(db: IndexDatabase, fileId: number) {
    this.db = db
    this.fileId = fileId
  }

  add({ key, model, usage }: Answer, timeMs: number): void {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cost } = usage
    const { changes } = this.db
      .prepare('INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)')
      .run(
        key,
        this.fileId,
        inputTokens,
        outputTokens,
        cacheReadTokens,
        cacheWriteTokens,
        cost,
        model === undefined ? null : storedModel(model),
        timeMs,
      )
    if (changes !== 0) this.settle(key)
  }

  /** Before the log itself goes, or is read anew. What it paid for counts for the next of those that hold it. */
  removeAll(): void {
    const { db, fileId } = this
    const shared = db
      .prepare(
        `SELECT key FROM answers AS mine WHERE file_id = ?1 AND is_own = 1
         AND EXISTS (SELECT 1 FROM answers WHERE key = mine.key AND file_id <> ?1)`,
      )
      .all(fileId)
    db.prepare('DELETE FROM answers WHERE file_id = ?').run(fileId)
    for (const { key } of shared) this.settle(key as number)
  }

  /** Writes the sums of this log and of those it took from or gave to. */
  finish(): void {
    for (const fileId of [this.fileId, ...this.affected]) this.writeSums(fileId)
    this.affected.clear()
  }

  private settle(key: number): void {
    const { db, fileId } = this
    const [owner, ...others] = db
      .prepare(
        `SELECT answers.file_id AS fileId, is_own AS isOwn FROM answers JOIN files USING (file_id) WHERE key = ?
         ORDER BY created_ms, path`,
      )
      .all(key) as unknown as { readonly fileId: number; readonly isOwn: number }[]
    if (owner === undefined) throw new BrokenIndexError('An answer belongs to no log')
    const set = db.prepare('UPDATE answers SET is_own = ?3 WHERE key = ?1 AND file_id = ?2')
    const change = (id: number, isOwn: number): void => {
      set.run(key, id, isOwn)
      if (id !== fileId) this.affected.add(id)
    }
    if (owner.isOwn === 0) change(owner.fileId, 1)
    for (const other of others) if (other.isOwn !== 0) change(other.fileId, 0)
  }

  /** Summed in the order of the keys, so that the last digit is the same whatever came first. */
  private writeSums(fileId: number): void {
    const { db } = this
    const all = db.prepare(`${SUMS} WHERE file_id = ?`).get(fileId)!
    const own = db.prepare(`${SUMS} WHERE file_id = ? AND is_own = 1`).get(fileId)!
    const values = [all, own].flatMap(({ input, output, cacheRead, cacheWrite, cost }) => [
      input!,
      output!,
      cacheRead!,
      cacheWrite!,
      cost!,
    ])
    db.prepare(
      `UPDATE files SET input_tokens = ?, output_tokens = ?, cache_read_tokens = ?, cache_write_tokens = ?, cost = ?,
       own_input_tokens = ?, own_output_tokens = ?, own_cache_read_tokens = ?, own_cache_write_tokens = ?, own_cost = ?
       WHERE file_id = ?`,
    ).run(...values, fileId)
  }
}

const MAX_MODEL_CHARS = 200

/** SQLite keeps neither NULs nor lone surrogates. */
export function storedModel(model: string): string {
  return model.slice(0, MAX_MODEL_CHARS).toWellFormed().replaceAll('\0', '\ufffd')
}

const SUMS = `SELECT ${sumOf('input_tokens')} AS input, ${sumOf('output_tokens')} AS output,
  ${sumOf('cache_read_tokens')} AS cacheRead, ${sumOf('cache_write_tokens')} AS cacheWrite,
  total(cost) AS cost FROM answers INDEXED BY answers_by_file`

/** SQL: whole and exact, and however much a log claims, no more than a number holds (I7). */
export function sumOf(column: string): string {
  return `CAST(min(total(${column}), ${Number.MAX_SAFE_INTEGER}) AS INTEGER)`
}
