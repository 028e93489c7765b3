import type { DatabaseSync } from '../sqlite.ts'
import type { HistoryDatabase } from './history-database.ts'
import { journalInUse } from './history-errors.ts'
import { indexChanged } from './history-index.ts'
import { hasForeignIndex } from './history-schema.ts'
import { retryBusy } from './retry-busy.ts'

const never = (): boolean => false

/** Whether it was there. */
export function removePrompt(history: HistoryDatabase, id: number): Promise<boolean> {
  return retryBusy(() =>
    history.write((database) => {
      const { changes } = database.prepare('DELETE FROM history WHERE id = ?').run(id)
      if (changes > 0) updateIndexes(database)
      return changes > 0
    }),
  )
}

/**
 * How many were removed. Their bytes are gone from the database, its index, its free pages and its journal, also those of
 * rows removed before. Blocks while everything is written anew: some tenths of a second for 100,000 prompts.
 */
export async function removeContaining(history: HistoryDatabase, text: string): Promise<number> {
  const removed = await retryBusy(() =>
    history.write((database) => {
      const { changes } = database.prepare('DELETE FROM history WHERE instr(prompt, ?) > 0').run(text)
      updateIndexes(database)
      // Merges the index into one piece, without the grams of rows that are gone.
      database.exec("INSERT INTO treeline_grams (treeline_grams) VALUES ('optimize')")
      return Number(changes)
    }),
  )
  await retryBusy(() => history.use((database) => database.exec('VACUUM')))
  await retryBusy(() => history.use(emptyJournal))
  return removed
}

function updateIndexes(database: DatabaseSync): void {
  indexChanged(database, never)
  if (hasForeignIndex(database)) database.exec("INSERT INTO history_fts (history_fts) VALUES ('rebuild')")
}

function emptyJournal(database: DatabaseSync): void {
  const result = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  if (result?.busy !== 0) throw journalInUse()
}
